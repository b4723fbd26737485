"""Wilson, Clopper-Pearson, Agresti-Coull, Jeffreys, and the normal interval of a rate."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, norm
from statsmodels.stats.proportion import proportion_confint
from tests.estimates.twins import classes, of_table

from heliast import InputError, measures
from heliast._core.level import quantile
from heliast.estimates import agresti_coull, clopper_pearson, estimate, jeffreys, wilson
from heliast.measures.summaries import Counted

METHODS = {
    "wilson": wilson,
    "clopper_pearson": clopper_pearson,
    "agresti_coull": agresti_coull,
    "jeffreys": jeffreys,
}
OTHER_NAME = {"clopper_pearson": "beta"}
EVERY = pytest.mark.parametrize("name", METHODS)


# --- worked by hand ------------------------------------------------------------------------------


def test_slides_success_rate_narrows_with_rows():
    # f = 85%: the documents' example, z = 1.96.
    widths = []
    for n, low, high in ((10, 0.5412, 0.9646), (100, 0.7672, 0.9069), (1000, 0.8265, 0.8708)):
        found = wilson(0.85 * n, n)
        assert found.low == pytest.approx(low, abs=5e-5)
        assert found.high == pytest.approx(high, abs=5e-5)
        widths.append(found.high - found.low)
    assert widths == sorted(widths, reverse=True)


@pytest.mark.parametrize(
    ("level", "z"),
    # 0.75 is printed as 1.04 in the slides, which is the quantile of 0.70.
    [
        (0.99, 2.58),
        (0.98, 2.33),
        (0.95, 1.96),
        (0.90, 1.65),
        (0.75, 1.15),
        (0.70, 1.04),
        (0.50, 0.67),
    ],
)
def test_slides_z_table(level, z):
    assert quantile(level) == pytest.approx(z, abs=0.006)


def test_pessimistic_end_is_one_sided():
    upper = wilson(2, 6, level=0.75, side="upper")
    f, n, z = 1 / 3, 6, norm.ppf(0.75)
    by_hand = (f + z**2 / (2 * n) + z * np.sqrt(f * (1 - f) / n + z**2 / (4 * n**2))) / (
        1 + z**2 / n
    )
    assert upper.high == pytest.approx(by_hand)
    assert z == pytest.approx(0.674, abs=5e-4)  # C4.5's CF 0.25
    assert (upper.low, upper.method) == (0.0, "Wilson, one-sided upper")
    assert upper.high == pytest.approx(wilson(2, 6, level=0.5).high)
    assert wilson(2, 6, level=0.975, side="upper").high == pytest.approx(wilson(2, 6).high)


# --- against another implementation --------------------------------------------------------------


@EVERY
@given(n=st.integers(1, 300), share=st.floats(0, 1), level=st.sampled_from([0.8, 0.95, 0.99]))
def test_agrees_with_statsmodels(name, n, share, level):
    hits = round(share * n)
    found = METHODS[name](hits, n, level)
    low, high = proportion_confint(hits, n, 1 - level, OTHER_NAME.get(name, name))
    low, high = (0.0 if hits == 0 else max(low, 0)), (1.0 if hits == n else min(high, 1))
    assert found.low == pytest.approx(low, abs=1e-10)
    assert found.high == pytest.approx(high, abs=1e-10)


# --- invariances ---------------------------------------------------------------------------------


@EVERY
@given(n=st.integers(1, 1000), share=st.floats(0, 1))
def test_swapping_success_and_failure_mirrors_the_limits(name, n, share):
    hits = round(share * n)
    one, other = METHODS[name](hits, n), METHODS[name](n - hits, n)
    assert one.low == pytest.approx(1 - other.high, abs=1e-9)
    assert 0 <= one.low <= one.value <= one.high <= 1


@EVERY
@given(n=st.integers(1, 200), share=st.floats(0, 1), side=st.sampled_from(["upper", "lower"]))
def test_one_sided_end_is_the_end_at_twice_the_tail(name, n, share, side):
    hits = round(share * n)
    one, both = METHODS[name](hits, n, 0.95, side), METHODS[name](hits, n, 0.9)
    if side == "upper":
        assert (one.low, one.high) == pytest.approx((0.0, both.high), rel=1e-12)
    else:
        assert (one.low, one.high) == pytest.approx((both.low, 1.0), rel=1e-12)


def test_clopper_pearson_never_covers_less_than_its_level():
    n = 40
    ends = [clopper_pearson(x, n) for x in range(n + 1)]
    for p in np.linspace(0.005, 0.995, 100):
        inside = [e.low <= p <= e.high for e in ends]
        assert binom.pmf(np.arange(n + 1), n, p) @ inside >= 0.95


@pytest.mark.parametrize("n", [50, 200, 1000])
@pytest.mark.parametrize("rate", [0.02, 0.1, 0.5])
def test_wilson_covers_exactly_computed(n, rate):
    inside = [e.low <= rate <= e.high for e in (wilson(x, n) for x in range(n + 1))]
    assert binom.pmf(np.arange(n + 1), n, rate) @ inside >= 0.92


# --- as methods of a measure ---------------------------------------------------------------------


@EVERY
def test_serves_rates_and_curved_rates(name):
    counted = Counted(of_table([[13, 7], [3, 7]]))
    recall = estimate(measures.get("recall"), counted, interval=name)
    alone = METHODS[name](7, 10)
    assert (recall.low, recall.high) == (alone.low, alone.high)
    f, q = estimate(measures.get("f1"), counted, interval=name), METHODS[name](7, 17)
    assert (f.low, f.high) == pytest.approx((2 * q.low / (1 + q.low), 2 * q.high / (1 + q.high)))
    assert f.method == f"{q.method} on TP/(TP+FP+FN)"


def test_normal_interval_of_a_rate_is_labelled_wald():
    found = estimate(measures.get("error"), Counted(of_table([[18, 2], [0, 0]])), interval="normal")
    assert found.method == "normal (Wald)"
    assert found.low == 0.0  # 0.1 - 0.131, cut
    assert found.high == pytest.approx(0.1 + 1.959964 * np.sqrt(0.1 * 0.9 / 20), abs=1e-6)
    assert found.notes


def test_groups_of_one_row_change_only_the_quantile():
    rows = of_table([[18, 2], [4, 6]])
    grouped = of_table([[18, 2], [4, 6]], group=np.arange(30))
    plain = estimate(measures.get("error"), Counted(rows))
    found = estimate(measures.get("error"), Counted(grouped))
    assert found.n_effective == pytest.approx(29, abs=1e-9)  # p(1-p)/V, V with G/(G-1)
    assert found.high > plain.high


@EVERY
def test_sampling_weights_shrink_n_to_their_worth(name):
    weight = np.array([1.0, 3.0] * 15)
    label = np.array([1, 1, 0, 1, 1, 0] * 5)  # weights do not go with the labels
    rows = classes([1] * 30, label, weight=weight, weight_kind="sampling")
    found = estimate(measures.get("recall"), Counted(rows), interval=name)
    worth = weight.sum() ** 2 / (weight**2).sum()
    assert found.n_effective == pytest.approx(worth)
    alone = METHODS[name](found.value * worth, worth)
    assert (found.low, found.high) == pytest.approx((alone.low, alone.high))


def test_sampling_weights_that_go_with_the_errors_are_worth_less():
    label = np.repeat([1, 0], [27, 3])
    weight = np.where(label == 1, 1.0, 4.0)
    rows = classes([1] * 30, label, weight=weight, weight_kind="sampling")
    found = estimate(measures.get("recall"), Counted(rows))
    value = 27 / 39
    variance = ((weight * (label - value)) ** 2).sum() / 39**2
    assert found.n_effective == pytest.approx(value * (1 - value) / variance)
    assert found.n_effective < weight.sum() ** 2 / (weight**2).sum()


# --- undefined, refused --------------------------------------------------------------------------


@EVERY
def test_no_trials(name):
    found = METHODS[name](0, 0)
    assert np.isnan(found.value)
    assert found.reason == "no trials"


@EVERY
@pytest.mark.parametrize(
    ("arguments", "named"),
    [((5, 3), "successes"), ((-1, 3), "successes"), ((1, 3, 95), "0.95"), ((1, 3, 0), "level")],
)
def test_refuses_what_is_no_proportion(name, arguments, named):
    with pytest.raises(InputError, match=named):
        METHODS[name](*arguments)


@EVERY
def test_refuses_unknown_sides_and_one_sided_levels_below_half(name):
    with pytest.raises(InputError, match="side='left'"):
        METHODS[name](1, 3, side="left")
    with pytest.raises(InputError, match="one-sided"):
        METHODS[name](1, 3, level=0.25, side="upper")


def test_a_rate_method_refuses_other_forms():
    found = estimate(measures.get("kappa"), Counted(of_table([[5, 1], [2, 6]])), interval="wilson")
    assert "wilson is valid for rate, curved" in found.reason
    assert np.isnan(found.low)
