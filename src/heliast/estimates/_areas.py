"""Areas under curves: DeLong's interval of AUC, the score interval, average precision of 1."""

from dataclasses import replace
from math import nan, sqrt

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike
from heliast._core.level import check_level, quantile
from heliast._core.proportions import wilson_limits
from heliast._kernels.ranking import delong_variance, merge, split_sorted
from heliast.estimates._record import Estimate
from heliast.estimates._registry import Case, Limits, interval
from heliast.estimates._scales import clipped, scaled, score_limits
from heliast.estimates._spread import Spread, class_sizes, effective_rows, is_sampled, spread
from heliast.measures.forms import Area, Statistic

SCORE = "score interval for AUC"
WORDS = {"logit": "DeLong, logit scale", "plain": "DeLong"}
INSTEAD = "no spread among the placements, so the score interval stands in for DeLong's"


def delong(
    y_true: ArrayLike, y_score: ArrayLike, level: float = 0.95, scale: str = "logit"
) -> Estimate:
    """DeLong interval of the area under the ROC curve.

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
    sums = merge(*split_sorted(own, numbers))
    area, variance = delong_variance(sums)
    n = float(own.size)
    key = "delong" if scale == "logit" else "delong_plain"
    blank = Estimate(area, level=level, n=n, method="DeLong", key=key)
    if np.isnan(area):
        which = "positive" if sums.positive == 0 else "negative"
        return replace(blank, reason=f"there is no {which} row")
    q = quantile(level)
    if not variance > 0 or not 0 < area < 1:
        low, high = score_limits(area, variance, (sums.positive, sums.negative), q)
        blank = replace(blank, method=SCORE, key="score_auc", scale="area", notes=(INSTEAD,))
        return replace(blank, low=low, high=high, n_effective=n)
    low, high = _ends(area, sqrt(variance), q, scale)
    return replace(
        blank, low=low, high=high, se=sqrt(variance), n_effective=n, method=WORDS[scale],
        scale="logit" if scale == "logit" else "plain",
    )  # fmt: skip


def _checked(y_true: ArrayLike, y_score: ArrayLike, scale: str) -> tuple[Array, Array]:
    own, numbers = np.asarray(y_true), np.asarray(y_score, np.float64)
    if scale not in ("logit", "plain"):
        raise InputError(f"scale={scale!r}: choose 'logit' or 'plain'")
    if own.ndim != 1 or own.shape != numbers.shape:
        raise InputError(f"y_true and y_score differ in shape: {own.shape} and {numbers.shape}")
    if own.dtype != np.bool_ and not np.isin(own, (0, 1)).all():
        raise InputError("y_true: expected true (1) for the positive class and false (0) else")
    if np.isnan(numbers).any():
        raise InputError("y_score: every row needs a number, some are NaN")
    return own.astype(np.bool_), numbers


def _ends(area: float, se: float, q: float, scale: str) -> tuple[float, float]:
    if scale == "plain":
        return clipped(area - q * se, area + q * se, (0.0, 1.0))
    return scaled(area, se, q, (0.0, 1.0))[:2]


@interval("delong", WORDS["logit"], (Area,), scale="logit")
def _delong(case: Case) -> Limits:
    """DeLong's variance on the logit scale; placements summed by group if rows come in groups."""
    return _of_form(case, "logit")


@interval("delong_plain", WORDS["plain"], (Area,), scale="plain")
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
        return replace(_score(case, found), notes=(INSTEAD,))
    se = sqrt(found.variance)
    low, high = _ends(form.value, se, quantile(case.level, found.df), scale)
    words = WORDS[scale] if found.df is None else f"{WORDS[scale]}, by group"
    return Limits(low, high, se, n_effective=_effective(case), method=words)


@interval("score_auc", SCORE, (Area,), scale="area")
def _score_auc(case: Case) -> Limits:
    """The areas a that a test with the variance at a, not at the estimate, would not reject.

    Limits solve (AUC - a)^2 = q^2 c V(a), where V(a) is the variance of an area a that depends on
    a and the class sizes only (see `plain_variance`) and c = max(1, V_DeLong / V(AUC)) corrects it
    by what the rows show. At AUC 1 the upper end is 1, at 0 the lower end is 0.

    References: R. G. Newcombe (2006), Confidence intervals for an effect size measure based on the
    Mann-Whitney statistic. Part 2: asymptotic methods and evaluation, Statistics in Medicine 25.
    """
    return _score(case, spread(case))


def _score(case: Case, found: Spread) -> Limits:
    """The score limits of an area whose variance is known."""
    q = quantile(case.level, found.df)
    low, high = score_limits(case.form.value, found.variance, class_sizes(case), q)
    se = sqrt(found.variance) if found.variance > 0 else nan
    worth = _effective(case)
    return Limits(low, high, se, n_effective=worth, method=SCORE, key="score_auc", scale="area")


def _effective(case: Case) -> float:
    """The rows an area is worth: fewer than the rows with sampling weights, else NaN (all)."""
    return sum(class_sizes(case)) if is_sampled(case.rows) else nan


# --- average precision ------------------------------------------------------------------------


def ranked_classes(case: Case) -> list[int]:
    """The classes whose average precision, or its mean, a statistic is; none of another one."""
    form = case.form
    if not isinstance(form, Statistic):
        return []
    parts = [part for _, part in form.mix] or [form]
    codes = [part.precision_of for part in parts if isinstance(part, Statistic)]
    known = [code for code in codes if code is not None]
    return known if len(known) == len(parts) else []


@interval("wilson_positives", "Wilson of the positives", (Statistic,))
def _wilson_positives(case: Case) -> Limits:
    """Where all positives lie above all negatives: Wilson's limits of n1 out of n1.

    Average precision is a mean over the n1 positives of a share between 0 and 1, all of them 1
    here, so that no replicate varies. Of a mean over classes the smallest counts.
    """
    codes = ranked_classes(case)
    if not codes or case.form.value < 1 - 1e-12:
        return Limits(reason="wilson_positives is for an average precision of 1")
    rows = case.rows
    sizes = rows.class_sizes(weighted=True)[codes]
    n = float(sizes[sizes > 0].min()) * effective_rows(case) / rows.weight_sum
    low, _ = wilson_limits(1.0, n, case.level)
    return Limits(low, 1.0, n_effective=effective_rows(case), scale="rate")
