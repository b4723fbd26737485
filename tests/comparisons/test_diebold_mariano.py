import numpy as np
import pytest
import statsmodels.api as sm
from scipy.signal import lfilter

import heliast as hl
from heliast.comparisons import diebold_mariano, paired_t

A = np.array([3.1, 1.2, 2.0, 4.4, 2.3, 3.0, 5.1, 4.0, 3.2, 2.2, 4.1, 3.3, 2.8, 1.9])
B = np.array([2.0, 1.4, 2.1, 2.2, 1.3, 3.4, 4.0, 2.5, 3.0, 1.0, 2.6, 3.5, 2.2, 2.4])


def test_one_step_ahead_is_students_paired_t() -> None:
    found, known = diebold_mariano(A, B, horizon=1), paired_t(A, B)
    for name in ("value", "low", "high", "p", "statistic", "df"):
        assert getattr(found, name) == pytest.approx(getattr(known, name)), name


@pytest.mark.parametrize("horizon", [2, 3, 6])
def test_further_ahead_is_statsmodels_with_the_correction(horizon) -> None:
    n, rng = 40, np.random.default_rng(2)
    losses = np.convolve(rng.normal(size=n + 2), np.ones(3), "valid") + 0.5
    with_lags = sm.OLS(losses, np.ones(n)).fit(
        cov_type="HAC",
        cov_kwds={"maxlags": horizon - 1, "kernel": "uniform", "use_correction": False},
    )
    factor = np.sqrt((n + 1 - 2 * horizon + horizon * (horizon - 1) / n) / n)
    found = diebold_mariano(losses, np.zeros(n), horizon=horizon)
    assert found.statistic == pytest.approx(factor * float(with_lags.tvalues[0]))


def test_covariances_that_leave_no_variance_are_said() -> None:
    found = diebold_mariano(A, B, horizon=3)
    assert np.isnan(found.p)
    assert "no finite variance" in found.reason


def test_equal_losses_are_no_difference_and_a_constant_one_has_no_spread() -> None:
    assert diebold_mariano(A, A).p == 1.0
    constant = diebold_mariano(A, A - 1)
    assert np.isnan(constant.p)
    assert constant.reason


@pytest.mark.parametrize("horizon", [0, 7, 1.5])
def test_horizons_that_cannot_be_are_refused(horizon) -> None:
    with pytest.raises(hl.InputError, match="horizon"):
        diebold_mariano(A, B, horizon=horizon)
    with pytest.raises(hl.NotEnoughData, match="at least 10"):
        diebold_mariano(A[:9], B[:9])


@pytest.mark.parametrize(("strength", "most"), [(0.0, 0.08), (0.6, 0.08), (0.9, 0.08)])
def test_true_nulls_are_kept_where_neighbours_are_alike(strength, most) -> None:
    """400 repetitions: a size of 5% is above 8% once in four hundred runs."""
    rng = np.random.default_rng(7)
    noise = rng.normal(size=(400, 700))
    losses = lfilter([1.0], [1.0, -strength], noise, axis=1)[:, 200:]
    p = [diebold_mariano(one, np.zeros(500)).p for one in losses]
    assert np.mean(np.array(p) < 0.05) <= most
    if strength == 0.9:
        plain = [diebold_mariano(one, np.zeros(500), horizon=1).p for one in losses[:100]]
        assert np.mean(np.array(plain) < 0.05) > 0.5


def tables(order=slice(None), **fields) -> hl.Predictions:
    n, rng = 120, np.random.default_rng(8)
    truth = rng.integers(0, 2, n)
    parts = []
    for name, shift in (("a", 0.4), ("b", 0.2)):
        score = np.clip(truth * shift + rng.normal(0.3, 0.3, n), 0, 1)
        side = {key: value[order] for key, value in fields.items()}
        part = hl.Predictions.of(
            truth[order], y_score=score[order], model=name, row=np.arange(n)[order],
            scores="probability", **side,
        )  # fmt: skip
        parts.append(part)
    return parts[0].join(parts[1])


def test_compare_takes_it_for_rows_in_order_and_by_what_each_time_adds() -> None:
    time = np.arange(120)
    found = hl.compare(tables(time=time), "brier")["a", "b"]
    a, b = (tables().only(name) for name in "ab")
    losses = [(one.scores - one.y_true) ** 2 for one in (a, b)]
    known = diebold_mariano(*losses)
    assert found.test == "diebold_mariano"
    for name in ("value", "low", "high", "df"):
        assert getattr(found, name) == pytest.approx(getattr(known, name)), name
    assert found.p_alone == pytest.approx(known.p)


def test_the_order_of_rows_changes_nothing_and_other_tests_are_refused() -> None:
    order = np.random.default_rng(9).permutation(120)
    straight = hl.compare(tables(time=np.arange(120)), "auc")["a", "b"]
    mixed = tables(order, time=np.arange(120))
    assert hl.compare(mixed, "auc")["a", "b"].p == pytest.approx(straight.p)
    with pytest.raises(hl.InputError, match="rows in order of time"):
        hl.compare(mixed, test="mcnemar")
    with pytest.raises(hl.InputError, match=r"diebold_mariano.*is for rows in order of time"):
        hl.compare(tables(), test="diebold_mariano")
    with pytest.raises(hl.NotEnoughData, match="only 4 times"):
        hl.compare(tables(time=np.arange(120) // 30))
