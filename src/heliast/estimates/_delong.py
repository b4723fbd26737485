"""DeLong's interval for the area under the ROC curve."""

from dataclasses import replace
from math import isnan, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._kernels.ranking import delong_variance, merge, split_sorted
from heliast.estimates._proportion import check_level, quantile
from heliast.estimates._record import Estimate
from heliast.estimates._registry import Case, Limits, interval
from heliast.estimates._scale import clipped, scaled
from heliast.estimates._score_auc import effective, score_area, score_limits
from heliast.estimates._spread import spread
from heliast.measures.forms import Area

Array = npt.NDArray[Any]

_INSTEAD = "no spread among the placements, so the score interval stands in for DeLong's"


def delong(truth: object, score: object, level: float = 0.95, scale: str = "logit") -> Estimate:
    """The area under the ROC curve with the interval of DeLong, DeLong and Clarke-Pearson (1988).

    A row's placement V is the share of the other class that it is ordered rightly against.
    Var = S10/n1 + S01/n0, the sample variances of V in the two classes. On the logit scale
    (`scale="logit"`) the limits stay inside (0, 1); `plain` ones are cut there. Where the
    placements do not vary (AUC 1, 0) the score interval takes over, and the method says so.
    Undefined when a class has no rows; `truth` is true for the positive class.

    >>> delong([0, 1, 0, 1, 1, 0], [0.1, 0.4, 0.35, 0.8, 0.3, 0.2])
    Estimate(0.8889 [0.2614, 0.9945], DeLong, logit scale)
    """
    check_level(level)
    own, numbers = _checked(truth, score, scale)
    found = merge(*split_sorted(own, numbers))
    area, variance = delong_variance(found)
    n = float(own.size)
    if isnan(area):
        which = "positive" if found.positive == 0 else "negative"
        return Estimate(area, level=level, n=n, method="DeLong", reason=f"there is no {which} row")
    q = quantile(level)
    if not variance > 0 or not 0 < area < 1:
        low, high = score_limits(area, variance, (found.positive, found.negative), q)
        words = "score interval for AUC"
        return Estimate(
            area, low, high, level=level, method=words, n=n, n_effective=n, notes=(_INSTEAD,)
        )
    low, high, words = _ends(area, sqrt(variance), q, scale)
    return Estimate(area, low, high, sqrt(variance), level, words, n=n, n_effective=n)


def _checked(truth: object, score: object, scale: str) -> tuple[Array, Array]:
    own, numbers = np.asarray(truth), np.asarray(score, np.float64)
    if scale not in ("logit", "plain"):
        raise InputError(f"scale={scale!r}: choose 'logit' or 'plain'")
    if own.ndim != 1 or own.shape != numbers.shape:
        raise InputError(f"truth and score differ in shape: {own.shape} and {numbers.shape}")
    if own.dtype != np.bool_ and not np.isin(own, (0, 1)).all():
        raise InputError("truth: expected true (1) for the positive class and false (0) else")
    if np.isnan(numbers).any():
        raise InputError("score: every row needs a number, some are NaN")
    return own.astype(np.bool_), numbers


def _ends(area: float, se: float, q: float, scale: str) -> tuple[float, float, str]:
    if scale == "plain":
        return (*clipped(area - q * se, area + q * se, (0.0, 1.0)), "DeLong")
    low, high, _ = scaled(area, se, q, (0.0, 1.0))
    return low, high, "DeLong, logit scale"


@interval("delong", "DeLong, logit scale", (Area,))
def _delong(case: Case) -> Limits:
    """DeLong's variance on the logit scale; placements summed by group if rows come in groups."""
    return _of_form(case, "logit")


@interval("delong_plain", "DeLong", (Area,))
def _delong_plain(case: Case) -> Limits:
    """DeLong's variance, value +- q se, cut at 0 and 1."""
    return _of_form(case, "plain")


def _of_form(case: Case, scale: str) -> Limits:
    form, found = case.form, spread(case)
    assert isinstance(form, Area)
    if not found.variance > 0 or not 0 < form.value < 1:
        return replace(score_area(case, found), notes=(_INSTEAD,))
    se = sqrt(found.variance)
    low, high, words = _ends(form.value, se, case.quantile(found.df), scale)
    if found.df is not None:
        words += ", by group"
    return Limits(low, high, words, se, n_effective=effective(case))
