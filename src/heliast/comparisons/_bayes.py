"""Bayesian tests: three probabilities instead of a p value."""

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import ArrayLike
from heliast._core.level import check_level, quantile
from heliast.comparisons._checks import (
    ROUNDING,
    Better,
    Floats,
    check_better,
    check_margin,
    differences,
    is_constant,
    test_ratio,
)
from heliast.comparisons._data_sets import hodges_lehmann
from heliast.comparisons._over_splits import Splits
from heliast.comparisons._record import SAME, UNVARYING, BayesResult
from heliast.comparisons._registry import SETS, SPLITS, Asked, Values, comparison

# Weight of the one imaginary data set on which the models do not differ.
PRIOR = 0.5
_BATCH = 5000


def bayes_correlated_t(
    a: ArrayLike,
    b: ArrayLike,
    n_train: ArrayLike,
    n_test: ArrayLike,
    margin: float = 0.01,
    *,
    better: Better = "high",
    level: float = 0.95,
) -> BayesResult:
    """Bayesian correlated t test of two models on one data set: three probabilities.

    Given the differences over J overlapping splits the mean difference is Student's t around
    their mean, with J - 1 degrees of freedom and variance s^2 (1/J + n_test/n_train): the same
    distribution as behind `corrected_t`, read as a posterior. It is cut at -`margin` and `margin`.

    Parameters
    ----------
    a, b : array of float
        The values of two models, one a split, in the same order.
    n_train, n_test : float or array of float
        The rows of a training and of a test set, one number or one for each split.
    margin : float
        The largest difference that does not matter.
    better : {"high", "low"}
        Which values are better: "low" for errors.
    level : float
        The level of the credible interval.

    Returns
    -------
    BayesResult
        The three probabilities, and the difference a - b with its interval.

    Raises
    ------
    InputError
        If values do not pair or are not finite, or an option is impossible.

    Examples
    --------
    >>> a, b = [0.80, 0.75, 0.85, 0.70, 0.78], [0.82, 0.80, 0.84, 0.76, 0.80]
    >>> result = bayes_correlated_t(a, b, 80, 20)
    >>> round(result.a_better, 3), round(result.equivalent, 3), round(result.b_better, 3)
    (0.055, 0.139, 0.806)

    References
    ----------
    G. Corani and A. Benavoli (2015), A Bayesian approach for comparing cross-validated algorithms
    on multiple data sets, Machine Learning 100; A. Benavoli, G. Corani, J. Demsar and M. Zaffalon
    (2017), Time for a change: a tutorial for comparing multiple classifiers through Bayesian
    analysis, Journal of Machine Learning Research 18.
    """
    check_level(level)
    check_better(better)
    check_margin(margin)
    difference, size = differences(a, b, what="split value")
    n, value = difference.size, float(difference.mean())
    factor = 1 / n + test_ratio(n_train, n_test, n)
    df, se = n - 1.0, sqrt(factor) * float(difference.std(ddof=1))
    notes, flags = tuple[str, ...](), tuple[str, ...]()
    if is_constant(difference, size):
        se = 0.0
        notes, flags = ((UNVARYING,), ()) if difference.any() else ((), (SAME,))
    half = quantile(level, df) * se
    return BayesResult(
        value=value, low=value - half, high=value + half, df=df, level=level,
        method="Bayesian correlated t", n=float(n), n_effective=float(n), notes=notes,
        test="bayes_correlated_t", flags=flags, margin=margin,
        **_three(_beyond(value - margin, se, df), _beyond(-margin - value, se, df), better),
    )  # fmt: skip


def _three(above: float, below: float, better: Better) -> dict[str, Any]:
    """The three probabilities from those of differences above and below the margin."""
    first, second = (above, below) if better == "high" else (below, above)
    return {"a_better": first, "equivalent": max(0.0, 1 - above - below), "b_better": second}


def _beyond(distance: float, se: float, df: float) -> float:
    """P(Student's t is above -distance / se); without spread all lies at the mean."""
    from scipy.special import stdtr

    return float(stdtr(df, distance / se)) if se > 0 else float(distance > 0)


def bayes_signed_rank(
    a: ArrayLike,
    b: ArrayLike,
    margin: float = 0.01,
    seed: int = 0,
    *,
    better: Better = "high",
    samples: int = 50_000,
) -> BayesResult:
    """Bayesian signed-rank test of two models over several data sets: three probabilities.

    The distribution of the differences gets a Dirichlet process prior of weight 0.5 at 0. Draw
    weights w of the data sets from Dirichlet(0.5, 1, ..., 1); the average of two differences lies
    above `margin` with probability sum w_i w_j [z_i + z_j > 2 margin], likewise within and below.
    The three probabilities are the shares of draws in which each is the largest. `value` is the
    Hodges-Lehmann estimate.

    Parameters
    ----------
    a, b : array of float
        The values of two models, one a data set, in the same order.
    margin : float
        The largest difference that does not matter.
    seed : int
        Seed of the draws.
    better : {"high", "low"}
        Which values are better: "low" for errors.
    samples : int
        How many draws.

    Returns
    -------
    BayesResult
        The three probabilities, and the difference a - b.

    Raises
    ------
    InputError
        If values do not pair or are not finite, or an option is impossible.

    Examples
    --------
    >>> a = [0.81, 0.74, 0.92, 0.66, 0.88, 0.79, 0.95]
    >>> b = [0.78, 0.70, 0.91, 0.67, 0.82, 0.77, 0.90]
    >>> result = bayes_signed_rank(a, b)
    >>> round(result.a_better, 2), round(result.b_better, 2)
    (0.94, 0.0)

    References
    ----------
    A. Benavoli, G. Corani, F. Mangili, M. Zaffalon and F. Ruggeri (2014), A Bayesian Wilcoxon
    signed-rank test based on the Dirichlet process, Proceedings of the 31st International
    Conference on Machine Learning.
    """
    check_better(better)
    check_margin(margin)
    if samples < 1 or samples != int(samples):
        raise InputError(f"samples={samples}: draw a whole number, at least one")
    difference, size = differences(a, b, what="data set value")
    slack = ROUNDING * max(size, margin)
    above, below = _shares(difference, margin, slack, seed, int(samples))
    n = float(difference.size)
    return BayesResult(
        value=hodges_lehmann(difference, 0.95).value, method="Bayesian signed rank", n=n,
        n_effective=n, test="bayes_signed_rank", flags=() if difference.any() else (SAME,),
        margin=margin, reason="three probabilities, no interval", **_three(above, below, better),
    )  # fmt: skip


def _shares(
    difference: Floats, margin: float, slack: float, seed: int, samples: int
) -> tuple[float, float]:
    """The shares of draws in which above, and below, is the largest of the three."""
    rng = np.random.default_rng(seed)
    # Sorted, so that the partners of a data set are a stretch: sums of weights instead of pairs.
    place = int(np.searchsorted(np.sort(difference), 0.0))
    z = np.insert(np.sort(difference), place, 0.0)
    prior = np.insert(np.ones(difference.size), place, PRIOR)
    upward = np.searchsorted(z, 2 * margin + slack - z, side="right")
    downward = np.searchsorted(z, -2 * margin - slack - z, side="left")
    counts = np.zeros(2)
    for start in range(0, samples, _BATCH):
        weight = rng.dirichlet(prior, min(_BATCH, samples - start))
        before = np.zeros((weight.shape[0], z.size + 1))
        np.cumsum(weight, axis=1, out=before[:, 1:])
        above = (weight * (before[:, -1:] - before[:, upward])).sum(axis=1)
        below = (weight * before[:, downward]).sum(axis=1)
        within = 1 - above - below
        counts += (
            np.count_nonzero(above > np.maximum(below, within)),
            np.count_nonzero(below > np.maximum(above, within)),
        )
    return float(counts[0] / samples), float(counts[1] / samples)


# --- for compare -------------------------------------------------------------------------------

Probable = Callable[[str, str], BayesResult]


@comparison("bayes_correlated_t", (SPLITS,), kind="bayes")
def _over_splits(field: Splits, asked: Asked) -> Probable:
    sizes, margin = field.sizes, asked.margin or 0.0

    def pair(a: str, b: str) -> BayesResult:
        x, y = field.by_model[a], field.by_model[b]
        return bayes_correlated_t(x, y, *sizes, margin, better=field.better, level=asked.level)

    return pair


@comparison("bayes_signed_rank", (SETS,), kind="bayes")
def _over_sets(field: Values, asked: Asked) -> Probable:
    def pair(a: str, b: str) -> BayesResult:
        x, y = field.by_model[a], field.by_model[b]
        return bayes_signed_rank(x, y, asked.margin or 0.0, asked.seed, better=field.better)

    return pair
