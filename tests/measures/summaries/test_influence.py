"""Variances and covariances of rates against the obvious way: whole tables, cell by cell."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliast.measures.forms import ALL, Cells, Rate, cells_of_class, covariance
from heliast.measures.summaries import Contingency
from heliast.measures.summaries.contingency import Margins
from heliast.predictions import Rows

DESIGNS = ("rows", "weights", "groups", "classes", "shares", "groups of classes")


def rates_of(table):
    """Every kind of rate: hits among a margin."""
    k, found = table.k, [(Cells(hit=1.0), ALL), (Cells(hit=-1.0, all=1.0), ALL)]
    for code in range(k):
        cells = cells_of_class(code)
        pairs = ("TP actual", "TP decided", "TP either", "FN actual", "FP other", "TN other",
                 "TN undecided")  # fmt: skip
        found += [tuple(cells[name] for name in pair.split()) for pair in pairs]
    flags = np.arange(k * k).reshape(k, k) % 3 == 0
    return [Rate(table, hits, base) for hits, base in (*found, (Cells(flags=flags), ALL))]


def held(cells, at):
    return cells.at(*at) + cells.all


def dense(rate, size=None):
    """The influence of a row in each of all cells, straight from the definition."""
    table, codes = rate.table, np.arange(rate.table.k)
    at = np.meshgrid(codes, codes, indexing="ij")
    size = rate.base.total(table.margins) / table.n
    return (held(rate.hits, at) - rate.value * held(rate.base, at)) / size


def expected(table, rows, weight, psi):
    """Row by row (or group by group): psi of whole tables."""
    cell = [p[rows.y_true, rows.y_pred] for p in psi]
    units = []
    for each in cell:
        if table.by_class:
            sizes = np.bincount(rows.y_true, weight, table.k)
            mean = np.bincount(rows.y_true, weight * each, table.k) / sizes
            each = table.factor[rows.y_true] * (each - mean[rows.y_true])
        else:
            each = each - np.average(each, weights=weight)
        units.append(weight * each)
    units, factor = np.array(units), 1.0
    if rows.group is not None:
        groups = np.unique(rows.group)
        rest = 1 - np.array([weight[rows.group == g].sum() for g in groups]) / weight.sum()
        units = np.array([[u[rows.group == g].sum() for g in groups] for u in units]) / rest
        factor = 1 - 1 / groups.size
    return factor * units @ units.T / weight.sum() ** 2


def drawn(design, k, seed):
    rng = np.random.default_rng(seed)
    n = 12 * k
    truth = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    label = np.where(rng.random(n) < 0.6, truth, rng.integers(0, k, n))
    rows = Rows("classification", truth, label, classes=tuple(range(k)))
    if design == "weights":
        rows = replace(rows, weight=rng.random(n) + 0.1, weight_kind="sampling")
    if "group" in design:
        rows = replace(rows, group=rng.integers(0, 9, n))
    if design not in ("rows", "weights", "groups"):
        rows = rows.by_design()
    shares = rng.dirichlet(np.ones(k))
    given = design in ("shares", "groups of classes")
    return rows, Contingency.of(rows, dict(enumerate(shares)) if given else None)


@pytest.mark.parametrize("design", DESIGNS)
@given(st.integers(2, 5), st.integers(0, 999))
def test_covariances_are_those_of_whole_tables(design, k, seed):
    rows, table = drawn(design, k, seed)
    weight = np.ones(rows.n) if rows.weight is None else rows.weight
    rates = [rate for rate in rates_of(table) if rate.trials > 0]
    wanted = expected(table, rows, weight, [dense(rate) for rate in rates])
    found = covariance(rates)
    close = {"rtol": 1e-9, "atol": 1e-9 * np.diagonal(wanted).max() + 1e-15}
    np.testing.assert_allclose(found.matrix, wanted, **close)
    np.testing.assert_allclose(found.variances, np.diagonal(wanted), **close)
    single = [table.variance(rate.by_cell) for rate in rates]
    np.testing.assert_allclose(single, np.diagonal(wanted), **close)


@pytest.mark.parametrize("design", DESIGNS)
def test_what_does_not_vary_has_no_variance_at_all(design):
    rows, table = drawn(design, 3, 4)
    perfect = Contingency.of(
        replace(rows, y_pred=rows.y_true),
        None if table.prevalence is None else dict(enumerate(table.prevalence)),
    )
    rates = rates_of(perfect)[:-1]
    assert all(rate.value in (0, 1) for rate in rates)
    assert not covariance(rates).variances.any()


def test_one_group_has_no_variance_to_show():
    rows, _ = drawn("groups", 2, 0)
    table = Contingency.of(replace(rows, group=np.zeros(rows.n, int)))
    assert np.isnan(table.variance(Rate(table, Cells(hit=1.0), ALL).by_cell))


@given(st.integers(2, 5), st.integers(0, 99))
def test_cells_hold_what_they_count(k, seed):
    _, table = drawn("rows", k, seed)
    codes = np.arange(k)
    at = np.meshgrid(codes, codes, indexing="ij")
    for rate in rates_of(table):
        for cells in (rate.hits, rate.base):
            flags = held(cells, at)
            assert set(np.unique(flags)) <= {0.0, 1.0}
            assert cells.total(Margins.of(table.counts)) == (table.counts * flags).sum()


def test_very_many_classes_are_smoothed_by_as_many_rows():
    k = 1100
    codes = np.arange(k)
    rows = Rows("classification", codes, np.minimum(codes + 1, k - 1), classes=tuple(range(k)))
    table = Contingency.of(rows)
    smooth = table.smoothed(2 / k**2)
    assert smooth.n == pytest.approx(table.n + 2)
    assert smooth.actual == pytest.approx(table.actual + 2 / k, rel=0.01)
