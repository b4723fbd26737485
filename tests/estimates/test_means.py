"""normal and student_t: a mean of row losses."""

import numpy as np
import pytest
from scipy import stats
from tests.estimates.twins import classes, group_freedom, group_variance, numbers

from heliast import InputError, measures
from heliast.estimates import estimate, normal, student_t
from heliast.measures.summaries import Counted

MAE = measures.get("mae")


def rows_of(losses, **rest):
    return numbers(np.zeros(len(losses)), losses, **rest)


def test_by_hand_and_scipy():
    values = [0.1, 0.2, 0.3, 0.6]
    t, z = student_t(values), normal(values)
    se = stats.sem(values)
    assert (t.low, t.high) == pytest.approx(stats.t.interval(0.95, 3, np.mean(values), se))
    assert (z.low, z.high) == pytest.approx(stats.norm.interval(0.95, np.mean(values), se))
    assert t.se == z.se == pytest.approx(se)


def test_as_methods_of_a_mean_cut_at_the_bounds():
    losses = np.array([0.0, 0.0, 0.1, 0.9])
    found = estimate(MAE, Counted(rows_of(losses)), interval="student_t")
    alone = student_t(losses)
    assert alone.low < 0 == found.low
    assert found.high == pytest.approx(alone.high)
    assert estimate(MAE, Counted(rows_of(losses)), interval="normal").high == pytest.approx(
        normal(losses).high
    )


def test_groups_follow_the_formula():
    rng = np.random.default_rng(1)
    group = rng.integers(0, 25, 120)
    losses = rng.exponential(size=120) + 0.3 * group
    found = estimate(MAE, Counted(rows_of(losses, group=group)), interval="student_t")
    assert found.se == pytest.approx(np.sqrt(group_variance(losses, group)))
    q = stats.t.ppf(0.975, group_freedom(group))
    assert found.high - found.value == pytest.approx(q * found.se)
    z = estimate(MAE, Counted(rows_of(losses, group=group)), interval="normal")
    assert z.high == found.high  # the number of groups is what is small


@pytest.mark.parametrize("method", ["auto", "student_t", "normal", "hall", "bootstrap"])
def test_weight_two_is_the_row_twice(method):
    rng = np.random.default_rng(2)
    losses, weight = rng.exponential(size=40), rng.integers(1, 4, 40)
    counted = rows_of(losses, weight=weight.astype(float), weight_kind="frequency")
    one = estimate(MAE, Counted(counted), interval=method)
    other = estimate(MAE, Counted(rows_of(np.repeat(losses, weight))), interval=method)
    assert (one.value, one.low, one.high, one.n) == pytest.approx(
        (other.value, other.low, other.high, other.n), rel=1e-12
    )


def test_sampling_weights_use_the_effective_size():
    rng = np.random.default_rng(3)
    losses, weight = rng.normal(5, 1, 50), rng.uniform(0.5, 2, 50)
    rows = rows_of(losses, weight=weight, weight_kind="sampling")
    found = estimate(MAE, Counted(rows), interval="student_t")
    worth = weight.sum() ** 2 / (weight**2).sum()
    mean = np.average(losses, weights=weight)
    spread = np.average((losses - mean) ** 2, weights=weight)
    assert found.value == pytest.approx(mean)
    assert found.n_effective == pytest.approx(worth)
    assert found.se == pytest.approx(np.sqrt(spread / (worth - 1)))


def test_default_is_t_but_corrected_when_skewed():
    rng = np.random.default_rng(4)
    mild = estimate(MAE, Counted(rows_of(rng.uniform(size=100))))
    skewed = estimate(MAE, Counted(rows_of(rng.lognormal(0, 1.5, size=100))))
    assert mild.method == "Student t"
    assert skewed.method.startswith("skewness-corrected t")
    assert skewed.high - skewed.value > skewed.value - skewed.low


def test_correction_inverts_halls_transformation():
    losses = np.random.default_rng(5).exponential(size=80) ** 2
    found = estimate(MAE, Counted(rows_of(losses)), interval="hall")
    a = stats.skew(losses) / np.sqrt(80)
    for end, t in ((found.low, 1), (found.high, -1)):
        score = (losses.mean() - end) / stats.sem(losses)
        twisted = score + a * score**2 / 3 + a**2 * score**3 / 27 + a / 6
        assert twisted == pytest.approx(t * stats.t.ppf(0.975, 79))


def test_correction_of_even_losses_is_t():
    losses = np.tile([1.0, 2.0, 3.0], 20)
    one, other = (
        estimate(MAE, Counted(rows_of(losses)), interval=name) for name in ("hall", "student_t")
    )
    assert (one.low, one.high) == pytest.approx((other.low, other.high))


def test_warns_when_a_few_rows_make_the_mean():
    losses = np.append(np.full(150, 0.1), [30.0, 40.0])
    found = estimate(MAE, Counted(rows_of(losses)))
    assert "a few rows decide most of this value" in found.notes[0]
    rmse = estimate(measures.get("rmse"), Counted(rows_of(losses)))
    assert rmse.notes == found.notes
    mild = np.random.default_rng(6).exponential(size=150) ** 1.5
    assert not estimate(MAE, Counted(rows_of(mild))).notes


def test_root_mean_square_takes_the_limits_of_the_mean_square():
    errors = np.random.default_rng(7).normal(size=90)
    square = estimate(measures.get("mse"), Counted(rows_of(errors)))
    root = estimate(measures.get("rmse"), Counted(rows_of(errors)))
    assert (root.low, root.high) == pytest.approx((np.sqrt(square.low), np.sqrt(square.high)))
    assert root.se == pytest.approx(square.se / (2 * root.value), rel=0.02)
    assert root.method == f"{square.method}, on the mean square"


def test_skewness_of_groups_is_that_of_their_sums():
    rng = np.random.default_rng(8)
    losses = rng.exponential(size=300) ** 2
    alone = estimate(MAE, Counted(rows_of(losses, group=np.arange(300))))
    plain = estimate(MAE, Counted(rows_of(losses)))
    student = estimate(MAE, Counted(rows_of(losses)), interval="student_t")
    assert (alone.low, alone.high) == pytest.approx((student.low, plain.high), rel=1e-9)
    assert student.low < plain.low  # groups have the outer ends of both
    pooled = estimate(MAE, Counted(rows_of(losses, group=np.arange(300) % 20)))
    assert pooled.key == "student_t"  # sums of 15 rows are hardly skewed


def test_shares_of_classes_given():
    rng = np.random.default_rng(5)
    truth = np.repeat([0, 1], [60, 40])
    score = np.clip(rng.normal(0.3 + 0.4 * truth, 0.2), 0.01, 0.99)
    rows = classes(truth, truth, score, score_kind="probability", design="classes")
    found = estimate(measures.get("brier"), Counted(rows, {0: 0.9, 1: 0.1}), interval="student_t")
    loss = (score - truth) ** 2
    parts = [loss[truth == c] for c in (0, 1)]
    value = 0.9 * parts[0].mean() + 0.1 * parts[1].mean()
    se = np.sqrt(0.81 * parts[0].var(ddof=1) / 60 + 0.01 * parts[1].var(ddof=1) / 40)
    assert (found.value, found.se) == pytest.approx((value, se))
    group = rng.integers(0, 30, 100)
    grouped = classes(truth, truth, score, score_kind="probability", design="classes", group=group)
    by_group = estimate(measures.get("brier"), Counted(grouped, {0: 0.9, 1: 0.1}))
    psi = np.where(truth == 0, 0.9 / 60, 0.1 / 40) * (
        loss - np.where(truth == 0, parts[0].mean(), parts[1].mean())
    )
    moved = np.bincount(group, weights=psi) / (1 - np.bincount(group) / 100)
    count = len(set(group))
    assert by_group.se == pytest.approx(np.sqrt((1 - 1 / count) * (moved**2).sum()))


def test_undefined_and_refused():
    assert student_t([]).reason == "no rows"
    one = student_t([0.4])
    assert (one.value, one.reason) == (0.4, "one row has no spread")
    assert "equal" in normal([0.2, 0.2]).notes[0]
    with pytest.raises(InputError, match="finite"):
        normal([0.1, np.nan])
    with pytest.raises(InputError, match="shape"):
        student_t([[0.1], [0.2]])
    with pytest.raises(InputError, match=r"0\.95"):
        normal([0.1, 0.2], level=95)
