"""The score interval for the area under the ROC curve: it holds with few rows in a class."""

from collections.abc import Callable
from math import isnan, sqrt

from heliast.estimates._registry import Case, Limits, interval
from heliast.estimates._spread import Spread, spread
from heliast.measures.forms import Area

Sizes = tuple[float, float]
"""How many independent positives and negatives there are, or are worth."""


@interval("score_auc", "score interval for AUC", (Area,))
def _score_auc(case: Case) -> Limits:
    """The areas a that a test with the variance at a, not at the estimate, would not reject.

    Limits solve (AUC - a)^2 = q^2 c V(a), where V(a) is the variance of an area a that depends on
    a and the class sizes only (see `plain_variance`) and c = max(1, V_DeLong / V(AUC)) corrects it
    by what the rows show. At AUC 1 the upper end is 1, at 0 the lower end is 0.
    """
    return score_area(case, spread(case))


def score_area(case: Case, found: Spread) -> Limits:
    """The score limits of an area whose variance was found already."""
    form = case.form
    assert isinstance(form, Area)
    q = case.quantile(found.df)
    low, high = score_limits(form.value, found.variance, class_sizes(case), q)
    se = sqrt(found.variance) if found.variance > 0 else float("nan")
    return Limits(low, high, "score interval for AUC", se, n_effective=effective(case))


def effective(case: Case) -> float:
    """The rows an area is worth: fewer than the rows with sampling weights, else NaN (all)."""
    form = case.form
    assert isinstance(form, Area)
    return sum(class_sizes(case)) if form.sampling else float("nan")


def class_sizes(case: Case) -> Sizes:
    """Positives and negatives: rows, or (sum w)^2 / sum w^2 under sampling weights."""
    form = case.form
    assert isinstance(form, Area)
    sums = form.sums
    if form.sampling:
        return sums.positive**2 / sums.positive2, sums.negative**2 / sums.negative2
    return sums.positive, sums.negative


def plain_variance(area: float, sizes: Sizes) -> float:
    """The variance of an AUC, from its value and the class sizes alone.

    a(1-a) / (n1 n0) * [1 + ((n1 + n0)/2 - 1) ((1-a)/(2-a) + a/(1+a))]: Hanley and McNeil's, with
    the average class size in place of each (Newcombe 2006, method 4).
    """
    n1, n0 = sizes
    ratio = (1 - area) / (2 - area) + area / (1 + area)
    return area * (1 - area) / (n1 * n0) * (1 + ((n1 + n0) / 2 - 1) * ratio)


def score_limits(area: float, variance: float, sizes: Sizes, q: float) -> tuple[float, float]:
    """Where (area - a)^2 = q^2 c V(a), below and above the area."""
    here = plain_variance(area, sizes)
    factor = 1.0 if isnan(variance) or here <= 0 else max(1.0, variance / here)

    def excess(a: float) -> float:
        return (area - a) ** 2 - q**2 * factor * plain_variance(a, sizes)

    # At either end V is 0, so the excess is positive there and negative at the area itself.
    low = 0.0 if area <= 0 else _root(excess, 0.0, min(area, 1 - 1e-15))
    high = 1.0 if area >= 1 else _root(excess, max(area, 1e-15), 1.0)
    return low, high


def _root(excess: Callable[[float], float], start: float, stop: float) -> float:
    from scipy.optimize import brentq

    if excess(start) * excess(stop) >= 0:
        return start if start > 0 else stop  # the area is within rounding of an end
    return float(brentq(excess, start, stop, xtol=1e-14, rtol=1e-12))
