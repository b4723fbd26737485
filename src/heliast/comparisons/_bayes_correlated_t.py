"""The Bayesian correlated t test."""

from heliast._core.level import check_level, quantile
from heliast.comparisons._checks import (
    Better,
    check_better,
    check_margin,
    differences,
    share_of_tests,
    unvarying,
)
from heliast.comparisons._record import IDENTICAL, UNVARYING, BayesResult
from heliast.comparisons._student import spread

_METHOD = "Bayesian correlated t"


def bayes_correlated_t(
    a: object,
    b: object,
    n_train: object,
    n_test: object,
    margin: float = 0.01,
    *,
    better: Better = "high",
    level: float = 0.95,
) -> BayesResult:
    """Three probabilities for two models on one data set (Corani and Benavoli 2015).

    Given the differences over J overlapping splits the mean difference is Student's t around
    their mean, with J - 1 degrees of freedom and variance s^2 (1/J + n_test/n_train): the same
    law as behind `corrected_t`, read as a posterior. It is cut at -`margin` and `margin`
    (Benavoli, Corani, Demsar and Zaffalon 2017). For errors say `better="low"`.

    >>> a, b = [0.80, 0.75, 0.85, 0.70, 0.78], [0.82, 0.80, 0.84, 0.76, 0.80]
    >>> found = bayes_correlated_t(a, b, 80, 20)
    >>> round(found.a_better, 3), round(found.equivalent, 3), round(found.b_better, 3)
    (0.055, 0.139, 0.806)
    """
    check_level(level)
    check_better(better)
    check_margin(margin)
    difference, size = differences(a, b, what="split value")
    n, value = difference.size, float(difference.mean())
    factor = 1 / n + share_of_tests(n_train, n_test, n)
    df, se = n - 1.0, spread(difference, factor)
    notes: tuple[str, ...] = ()
    if unvarying(difference, size):
        se, notes = 0.0, (UNVARYING if difference.any() else IDENTICAL,)
    above, below = _beyond(value - margin, se, df), _beyond(-margin - value, se, df)
    half = quantile(level, df) * se
    first, second = (above, below) if better == "high" else (below, above)
    return BayesResult(
        value=value, low=value - half, high=value + half, df=df, level=level, method=_METHOD,
        n=float(n), n_effective=float(n), notes=notes, a_better=first,
        equivalent=max(0.0, 1 - above - below), b_better=second, margin=margin,
    )  # fmt: skip


def _beyond(distance: float, se: float, df: float) -> float:
    """P(Student's t is above -distance / se); without spread all lies at the mean."""
    from scipy.special import stdtr

    return float(stdtr(df, distance / se)) if se > 0 else float(distance > 0)
