"""Covariances from sparse influences against the obvious way: whole tables, cell by cell."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliast.measures.summaries import Cells, Clusters, Contingency, Influence, together


def shares_of(k: int) -> list[tuple[Cells, Cells]]:
    """Every kind of rate: hits, and what they are counted among."""
    found = [(Cells.diagonal(k), Cells.every(k)), (Cells.diagonal(k).others, Cells.every(k))]
    for code in range(k):
        row, column = Cells.row(k, code), Cells.column(k, code)
        both, cross = Cells.one(k, code, code), Cells.cross(k, code)
        found += [
            (both, row), (both, column), (both, cross), (Cells.missed(k, code), row),
            (Cells.taken(k, code), row.others), (cross.others, row.others),
            (cross.others, column.others),
        ]  # fmt: skip
    return found


def dense(hits: Cells, base: Cells, value: float, size: float) -> Any:
    return (hits.mask - value * base.mask) / size


def covariance(table: Contingency, psi: Any) -> Any:
    """Straight from the definition, row by row (or group by group)."""
    flat = []
    for one in psi:
        if table.by_class:
            share = table.actual / table.n if table.prevalence is None else table.prevalence
            mean = (table.counts * one).sum(axis=1) / table.actual
            one = (share * table.n / table.actual)[:, None] * (one - mean[:, None])
        else:
            one = one - (table.counts * one).sum() / table.n
        flat.append(one.ravel())
    if table.clusters is None:
        weight = table.counts if table.squares is None else table.squares
        units, factor = np.array(flat) * np.sqrt(weight.ravel()), 1.0
    else:
        groups, place = np.unique(table.clusters.group, return_inverse=True)
        rest = 1 - np.bincount(place, weights=table.clusters.count) / table.n
        factor = 1 - 1 / groups.size
        units = np.array([
            [
                sum(
                    count * one[cell]
                    for group, cell, count in zip(
                        table.clusters.group, table.clusters.cell, table.clusters.count, strict=True
                    )
                    if group == wanted
                )
                for wanted in groups
            ]
            for one in flat
        ]) / rest  # fmt: skip
    return factor * units @ units.T / table.n**2


DESIGNS = ("rows", "weights", "groups", "classes", "shares", "groups of classes")


def table_of(design: str, k: int, seed: int) -> Contingency:
    rng = np.random.default_rng(seed)
    n = 12 * k
    truth = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    label = np.where(rng.random(n) < 0.6, truth, rng.integers(0, k, n))
    counts = np.bincount(truth * k + label, minlength=k * k).reshape(k, k).astype(float)
    classes = tuple(range(k))
    if design == "weights":
        weight = rng.random(n) + 0.1
        add = [np.bincount(truth * k + label, w, k * k).reshape(k, k) for w in (weight, weight**2)]
        return Contingency.of_counts(add[0], classes, squares=add[1])
    clusters = Clusters.of(rng.integers(0, 9, n), truth * k + label) if "group" in design else None
    share = rng.dirichlet(np.ones(k)) if design in ("shares", "groups of classes") else None
    by_class = design in ("classes", "shares", "groups of classes")
    more = {"clusters": clusters, "by_class": by_class, "prevalence": share}
    return Contingency.of_counts(counts, classes, **more)


@pytest.mark.parametrize("design", DESIGNS)
@given(st.integers(2, 5), st.integers(0, 999))
def test_covariances_are_those_of_whole_tables(design: str, k: int, seed: int) -> None:
    table = table_of(design, k, seed)
    sparse, whole, places = [], [], table.places
    for hits, base in shares_of(k):
        size = float(base.total(table.shares))
        value = float(hits.total(table.shares)) / size if size else 0.0
        sparse.append(Influence.of_share(places, hits, base, value, size or 1.0))
        whole.append(dense(hits, base, value, size or 1.0))
    wanted = covariance(table, whole)
    found = table.covariance(sparse)
    scale = np.sqrt(np.abs(np.outer(np.diagonal(wanted), np.diagonal(wanted)))).max() + 1e-12
    np.testing.assert_allclose(found.matrix, wanted, rtol=1e-9, atol=1e-9 * scale)
    np.testing.assert_allclose(
        found.variances, np.diagonal(wanted), rtol=1e-9, atol=1e-9 * scale**2
    )
    for one, psi in zip(sparse, whole, strict=True):
        np.testing.assert_allclose(
            one.table(places.size), psi.ravel()[places.flat], rtol=1e-12, atol=1e-12
        )
    np.testing.assert_allclose(
        together(sparse, places.size), sum(whole).ravel()[places.flat], rtol=1e-12, atol=1e-12
    )
    np.testing.assert_allclose(table.variance(whole[0]), wanted[0, 0], rtol=1e-9, atol=1e-15)


def test_groups_in_blocks_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from heliast.measures.summaries import _influence

    for design in ("groups", "groups of classes"):
        table = table_of(design, 4, 1)
        asked = [Influence.of_share(table.places, *both, 0.5, 1.0) for both in shares_of(4)]
        whole = table.covariance(asked).matrix
        monkeypatch.setattr(_influence, "_NUMBERS", 64)
        np.testing.assert_allclose(table.covariance(asked).matrix, whole, rtol=1e-12, atol=1e-15)
        monkeypatch.undo()


@pytest.mark.parametrize("design", DESIGNS)
def test_what_does_not_vary_has_no_variance_at_all(design: str) -> None:
    table = table_of(design, 3, 4)
    clusters = table.clusters
    if clusters is not None:
        clusters = Clusters.of(clusters.group, clusters.cell // 3 * 4, clusters.count)
    perfect = Contingency.of_counts(
        np.diag(table.actual), table.classes,
        squares=None if table.squares is None else np.diag(table.squares.sum(axis=1)),
        clusters=clusters, by_class=table.by_class, prevalence=table.prevalence,
    )  # fmt: skip
    for hits, base in shares_of(3):
        size = float(base.total(perfect.shares))
        value = 1.0 if float(hits.total(perfect.counts)) else 0.0
        one = Influence.of_share(perfect.places, hits, base, value, size)
        assert perfect.covariance([one]).variances[0] == 0.0


def test_one_group_has_no_variance_to_show() -> None:
    table = Contingency.of_counts(
        [[3, 1], [1, 3]], (0, 1),
        clusters=Clusters.of(np.zeros(4, int), np.arange(4), np.array([3.0, 1, 1, 3])),
    )  # fmt: skip
    one = Influence.of_share(table.places, Cells.diagonal(2), Cells.every(2), 0.75, 1.0)
    assert np.isnan(table.covariance([one]).matrix).all()
