"""delta, delta_scaled, delta_atanh, delta_smoothed: functions of the table."""

from math import atanh, tanh

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student
from tests.estimates.twins import classes, group_freedom, group_variance, kappa_se, of_table

from heliast import InputError, measures
from heliast._core.derivative import table_gradient
from heliast.estimates import delta, estimate
from heliast.measures import labels
from heliast.measures.summaries import Counted
from heliast.measures.summaries.contingency import Margins

KAPPA, MCC, ERROR = (measures.get(name) for name in ("kappa", "mcc", "error"))
TABLES = st.integers(2, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(1, 60), min_size=k, max_size=k), min_size=k, max_size=k)
)
SLIDES = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]


def _kappa(tables):
    return labels._kappa(Margins.of(tables))


def test_gradient_by_differences():
    table = np.array(SLIDES) / 200
    gradient = table_gradient(_kappa, table)
    for cell in np.ndindex(3, 3):
        step = np.zeros((3, 3))
        step[cell] = 1e-6
        by_difference = (_kappa(table + step) - _kappa(table - step)) / 2e-6
        assert gradient[cell] == pytest.approx(float(by_difference), abs=1e-7)


@given(TABLES)
def test_kappa_standard_error_is_fleiss_cohen_everitt(counts):
    found = estimate(KAPPA, Counted(of_table(counts)), interval="delta")
    assert found.se == pytest.approx(kappa_se(counts), abs=1e-10)


def test_alone_and_as_a_method_agree():
    alone = delta(_kappa, SLIDES)
    found = estimate(KAPPA, Counted(of_table(SLIDES)), interval="delta")
    assert found.value == pytest.approx(0.4915, abs=5e-5)
    assert (alone.value, alone.low, alone.high, alone.se) == pytest.approx(
        (found.value, found.low, found.high, found.se)
    )


def test_delta_of_a_rate_is_wald():
    found = estimate(ERROR, Counted(of_table([[40, 10], [5, 45]])), interval="delta")
    assert found.se == pytest.approx(np.sqrt(0.15 * 0.85 / 100))


def by_hand(counts):
    value, se = float(_kappa(np.array(counts, float))), kappa_se(counts)
    half = 1.959963984540054 * se / (1 - value**2)
    return tanh(atanh(value) - half), tanh(atanh(value) + half)


@pytest.mark.parametrize("counts", [[[40, 10], [5, 45]], [[96, 4], [3, 97]]])
def test_atanh_by_hand(counts):
    plain, smooth = by_hand(counts), by_hand(np.array(counts) + 0.5)
    found = estimate(KAPPA, Counted(of_table(counts)))
    assert found.method == "delta on the atanh scale"
    assert found.low == pytest.approx(min(plain[0], smooth[0]))
    assert found.high == pytest.approx(max(plain[1], smooth[1]))


def test_warns_when_a_class_is_hardly_ever_found():
    found = estimate(KAPPA, Counted(of_table([[900, 60], [38, 2]])))
    assert "hardly ever labelled rightly" in found.notes[0]
    assert not estimate(KAPPA, Counted(of_table([[900, 60], [38, 3]]))).notes


@pytest.mark.parametrize("measure", [KAPPA, MCC], ids=["kappa", "mcc"])
@given(counts=TABLES)
def test_atanh_stays_in_range_and_holds_the_value(measure, counts):
    found = estimate(measure, Counted(of_table(counts)))
    assert -1 <= found.low <= found.value <= found.high <= 1
    flipped = estimate(measure, Counted(of_table(np.flip(np.array(counts)))))
    assert (flipped.low, flipped.high) == pytest.approx((found.low, found.high), abs=1e-9)


@pytest.mark.parametrize("measure", [KAPPA, MCC], ids=["kappa", "mcc"])
def test_perfect_agreement_is_not_certain(measure):
    found = estimate(measure, Counted(of_table([[20, 0], [0, 20]])))
    assert found.value == found.high == 1.0
    assert 0.5 < found.low < 0.95
    plain = estimate(measure, Counted(of_table([[20, 0], [0, 20]])), interval="delta")
    assert plain.low == plain.high == 1.0
    assert "no spread" in plain.notes[0]


def test_groups_follow_the_formula():
    rng = np.random.default_rng(1)
    truth, group = rng.integers(0, 2, 200), rng.integers(0, 30, 200)
    label = np.where(rng.random(200) < 0.75, truth, 1 - truth)
    rows = classes(truth, label, group=group)
    found = estimate(ERROR, Counted(rows), interval="delta")
    assert found.se == pytest.approx(np.sqrt(group_variance(truth != label, group)))
    q = student.ppf(0.975, group_freedom(group))
    assert found.high - found.value == pytest.approx(q * found.se)


@pytest.mark.parametrize("measure", [KAPPA, MCC], ids=["kappa", "mcc"])
def test_a_row_many_times_as_a_group_is_one_row(measure):
    # Groups of 5 copies: 5 times the rows, the spread of a fifth of them.
    table = np.array([[30, 8], [6, 36]])
    cell = np.repeat(np.arange(4), table.ravel())
    many = np.repeat(cell, 5)
    rows = classes(many // 2, many % 2, group=np.repeat(np.arange(80), 5))
    grouped = estimate(measure, Counted(rows))
    plain = estimate(measure, Counted(of_table(table)))
    assert grouped.n_effective == pytest.approx(79)
    assert grouped.high - grouped.low == pytest.approx(plain.high - plain.low, rel=0.03)
    assert grouped.method.endswith("effective n 79")


def test_sampling_weights_do_not_depend_on_their_unit():
    rng = np.random.default_rng(2)
    truth, weight = rng.integers(0, 3, 150), rng.uniform(0.5, 2, 150)
    label = np.where(rng.random(150) < 0.7, truth, rng.integers(0, 3, 150))
    one, other = (
        estimate(KAPPA, Counted(classes(truth, label, weight=w, weight_kind="sampling")))
        for w in (weight, 1000 * weight)
    )
    assert (one.low, one.high) == pytest.approx((other.low, other.high))
    equal = classes(truth, label, weight=np.full(150, 0.3), weight_kind="sampling")
    plain = estimate(KAPPA, Counted(classes(truth, label)))
    assert estimate(KAPPA, Counted(equal)).low == pytest.approx(plain.low)


def test_prevalences_make_classes_strata():
    counts = np.array([[90, 10], [15, 35]])
    shares = np.array([0.98, 0.02])
    rows = of_table(counts, design="classes")
    found = estimate(KAPPA, Counted(rows, {0: 0.98, 1: 0.02}), interval="delta")
    within = counts / counts.sum(axis=1, keepdims=True)
    table = within * shares[:, None]
    gradient = table_gradient(_kappa, table)
    mean = (within * gradient).sum(axis=1, keepdims=True)
    spread = (within * (gradient - mean) ** 2).sum(axis=1)
    assert found.value == pytest.approx(float(_kappa(table)))
    assert found.se == pytest.approx(np.sqrt((shares**2 * spread / counts.sum(axis=1)).sum()))
    default = estimate(KAPPA, Counted(rows, {0: 0.98, 1: 0.02}))
    assert default.low < found.value < default.high


def test_weight_two_is_the_row_twice():
    rng = np.random.default_rng(3)
    truth, weight = rng.integers(0, 2, 60), rng.integers(1, 4, 60)
    label = np.where(rng.random(60) < 0.8, truth, 1 - truth)
    one = classes(truth, label, weight=weight.astype(float), weight_kind="frequency")
    other = classes(np.repeat(truth, weight), np.repeat(label, weight))
    for measure in (KAPPA, MCC):
        for method in ("auto", "delta", "delta_scaled"):
            a = estimate(measure, Counted(one), interval=method)
            b = estimate(measure, Counted(other), interval=method)
            assert (a.low, a.high) == pytest.approx((b.low, b.high), rel=1e-12)


def test_scaled_stays_inside_the_bounds_and_smoothed_is_never_blind():
    counted = Counted(of_table([[97, 1], [1, 1]]))
    f2 = measures.get("fbeta", beta=2)
    plain = estimate(f2, counted, interval="delta")
    scaled = estimate(f2, counted, interval="delta_scaled")
    assert plain.low == 0.0
    assert 0 < scaled.low < scaled.value < scaled.high < 1
    blind = Counted(of_table([[90, 4], [6, 0]]))
    default = estimate(f2, blind)
    assert default.value == default.low == 0.0
    assert 0.1 < default.high < 0.8
    assert default.method == "delta on a smoothed table"
    assert any("never labelled rightly" in note for note in default.notes)


def test_refused_and_undefined():
    with pytest.raises(InputError, match="square"):
        delta(_kappa, [[1, 2, 3]])
    with pytest.raises(InputError, match="counts"):
        delta(_kappa, [[1, -2], [3, 4]])
    assert delta(_kappa, [[0, 0], [0, 0]]).reason == "no rows"
    assert "undefined" in delta(_kappa, [[5, 0], [0, 0]]).reason
    found = estimate(
        measures.get("fbeta", beta=2), Counted(of_table([[5, 2], [1, 5]])), interval="delta_atanh"
    )
    assert "[-1, 1]" in found.reason
    rows = classes([0, 1] * 10, score=np.linspace(0, 1, 20), score_kind="probability")
    assert "not known" in estimate(measures.get("ece"), Counted(rows), interval="delta").reason
