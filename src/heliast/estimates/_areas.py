"""The area under the ROC curve: DeLong's interval, and the score interval for few rows."""

from dataclasses import replace
from math import isnan, sqrt

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike
from heliast._core.level import check_level, quantile
from heliast._kernels.ranking import delong_variance, merge, split_sorted
from heliast.estimates._record import Estimate
from heliast.estimates._registry import Case, Limits, interval
from heliast.estimates._scales import clipped, scaled, score_limits
from heliast.estimates._spread import Spread, spread
from heliast.measures.forms import Area

Sizes = tuple[float, float]
"""How many independent positives and negatives there are, or are worth."""
_SCORE = "score interval for AUC"
_WORDS = {"logit": "DeLong, logit scale", "plain": "DeLong"}
_INSTEAD = "no spread among the placements, so the score interval stands in for DeLong's"


def delong(
    y_true: ArrayLike, y_score: ArrayLike, level: float = 0.95, scale: str = "logit"
) -> Estimate:
    """The area under the ROC curve with the interval of DeLong and others.

    A row's placement V is the share of the other class that it is ordered rightly against.
    Var = S10/n1 + S01/n0, the sample variances of V in the two classes. On the logit scale
    (`scale="logit"`) the limits stay inside (0, 1); `plain` ones are cut there. Where the
    placements do not vary (AUC 1, 0) the score interval takes over, and the method says so.

    Parameters
    ----------
    y_true : array-like of bool
        True for rows of the positive class.
    y_score : array-like of float
        The larger, the more it speaks for the positive class.
    level : float
        The confidence level.
    scale : {'logit', 'plain'}
        The scale on which the limits are symmetric.

    Returns
    -------
    Estimate
        The area and its limits; undefined when a class has no rows.

    Raises
    ------
    InputError
        If truth and score do not belong together, or the scale is none.

    Examples
    --------
    >>> delong([0, 1, 0, 1, 1, 0], [0.1, 0.4, 0.35, 0.8, 0.3, 0.2])
    Estimate(0.8889 [0.2614, 0.9945], DeLong, logit scale)

    References
    ----------
    E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson (1988), Comparing the areas under two or
    more correlated receiver operating characteristic curves: a nonparametric approach, Biometrics
    44.
    """
    check_level(level)
    own, numbers = _checked(y_true, y_score, scale)
    found = merge(*split_sorted(own, numbers))
    area, variance = delong_variance(found)
    n = float(own.size)
    key = "delong" if scale == "logit" else "delong_plain"
    blank = Estimate(area, level=level, n=n, method="DeLong", key=key)
    if isnan(area):
        which = "positive" if found.positive == 0 else "negative"
        return replace(blank, reason=f"there is no {which} row")
    q = quantile(level)
    if not variance > 0 or not 0 < area < 1:
        low, high = score_limits(area, variance, (found.positive, found.negative), q)
        blank = replace(blank, method=_SCORE, key="score_auc", scale="area", notes=(_INSTEAD,))
        return replace(blank, low=low, high=high, n_effective=n)
    se = sqrt(variance)
    low, high = _ends(area, se, q, scale)
    blank = replace(blank, method=_WORDS[scale], scale="logit" if scale == "logit" else "plain")
    return replace(blank, low=low, high=high, se=se, n_effective=n)


def _checked(truth: ArrayLike, score: ArrayLike, scale: str) -> tuple[Array, Array]:
    own, numbers = np.asarray(truth), np.asarray(score, np.float64)
    if scale not in ("logit", "plain"):
        raise InputError(f"scale={scale!r}: choose 'logit' or 'plain'")
    if own.ndim != 1 or own.shape != numbers.shape:
        raise InputError(f"truth and score differ in shape: {own.shape} and {numbers.shape}")
    if own.dtype != np.bool_ and not np.isin(own, (0, 1)).all():
        raise InputError("y_true: expected true (1) for the positive class and false (0) else")
    if np.isnan(numbers).any():
        raise InputError("y_score: every row needs a number, some are NaN")
    return own.astype(np.bool_), numbers


def _ends(area: float, se: float, q: float, scale: str) -> tuple[float, float]:
    if scale == "plain":
        return clipped(area - q * se, area + q * se, (0.0, 1.0))
    return scaled(area, se, q, (0.0, 1.0))[:2]


@interval("delong", _WORDS["logit"], (Area,), scale="logit")
def _delong(case: Case) -> Limits:
    """DeLong's variance on the logit scale; placements summed by group if rows come in groups."""
    return _of_form(case, "logit")


@interval("delong_plain", _WORDS["plain"], (Area,), scale="plain")
def _delong_plain(case: Case) -> Limits:
    """DeLong's variance, value +- q se, cut at 0 and 1.

    References: E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson (1988), Comparing the areas
    under two or more correlated receiver operating characteristic curves: a nonparametric
    approach, Biometrics 44.
    """
    return _of_form(case, "plain")


def _of_form(case: Case, scale: str) -> Limits:
    form, found = case.formed(Area), spread(case)
    if not found.variance > 0 or not 0 < form.value < 1:
        return replace(_score_area(case, found), notes=(_INSTEAD,))
    se = sqrt(found.variance)
    low, high = _ends(form.value, se, case.quantile(found.df), scale)
    groups = "" if found.df is None else ", by group"
    return Limits(low, high, se, n_effective=_effective(case), method=_WORDS[scale] + groups)


@interval("score_auc", _SCORE, (Area,), scale="area")
def _score_auc(case: Case) -> Limits:
    """The areas a that a test with the variance at a, not at the estimate, would not reject.

    Limits solve (AUC - a)^2 = q^2 c V(a), where V(a) is the variance of an area a that depends on
    a and the class sizes only (see `plain_variance`) and c = max(1, V_DeLong / V(AUC)) corrects it
    by what the rows show. At AUC 1 the upper end is 1, at 0 the lower end is 0.

    References: R. G. Newcombe (2006), Confidence intervals for an effect size measure based on the
    Mann-Whitney statistic. Part 2: asymptotic methods and evaluation, Statistics in Medicine 25.
    """
    return _score_area(case, spread(case))


def _score_area(case: Case, found: Spread) -> Limits:
    """The score limits of an area whose variance was found already."""
    form = case.formed(Area)
    q = case.quantile(found.df)
    low, high = score_limits(form.value, found.variance, class_sizes(case), q)
    se = sqrt(found.variance) if found.variance > 0 else float("nan")
    worth = _effective(case)
    return Limits(low, high, se, n_effective=worth, method=_SCORE, key="score_auc", scale="area")


def _effective(case: Case) -> float:
    """The rows an area is worth: fewer than the rows with sampling weights, else NaN (all)."""
    return sum(class_sizes(case)) if case.formed(Area).sampling else float("nan")


def class_sizes(case: Case) -> Sizes:
    """Positives and negatives: rows, or (sum w)^2 / sum w^2 under sampling weights."""
    form = case.formed(Area)
    sums = form.sums
    if form.sampling:
        return sums.positive**2 / sums.positive2, sums.negative**2 / sums.negative2
    return sums.positive, sums.negative
