"""Measures of order: how well scores put a class before the rest."""

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._kernels.ranking import order as ascending
from heliast.measures._registry import measure
from heliast.measures.forms import BEYOND_PREVALENCES, Area, Form, Statistic, Undefined
from heliast.measures.summaries import Counted, Ranking
from heliast.predictions import Rows

_NO_ROW = "there is no row of class {class_}"
_NO_OTHER = "there is no row outside class {class_}"


def _undefined(counted: Counted, code: int) -> Undefined | None:
    if counted.rows.design == "classes" and len(counted.classes) > 2:
        return Undefined(BEYOND_PREVALENCES)  # how the rest is mixed is not the population's
    sums = counted.sums(code)
    if not sums.positive:
        return Undefined(_NO_ROW)
    return None if sums.negative else Undefined(_NO_OTHER)


@measure("auc", better="high", needs="score", over="splits", classwise=True, panel=True)
def auc(counted: Counted, code: int) -> Form:
    """Area under the ROC curve: how often a row of the class scores above another; ties half.

    With more than two classes: each class against the rest, then the mean.
    Undefined when the class has no rows, or all rows.

    >>> from heliast import Predictions, measures
    >>> measures.get("auc").of(Predictions.of([0, 1, 0, 1], score=[0.1, 0.4, 0.4, 0.8]))
    0.875
    """
    sampling = counted.rows.weight_kind == "sampling"
    return _undefined(counted, code) or Area(counted.sums(code), code, sampling)


@measure("average_precision", better="high", needs="score", classwise=True, panel=True)
def average_precision(counted: Counted, code: int) -> Form:
    """Precision averaged over the recall steps: sum over thresholds of (R_t - R_t-1) P_t.

    Few rows make it look too good: with 2 or 3 positives a fold, .47 where it is .335. So folds are
    pooled, their scores taken as they are (measured: docs/coverage.md).
    """
    if counted.rows.design == "classes":
        return Undefined(BEYOND_PREVALENCES)
    sums = counted.sums(code)
    if not sums.positive:
        return Undefined(_NO_ROW)

    def again(rows: Rows) -> float:
        return float(Ranking.of(rows, code).sums.average_precision)

    def influence(rows: Rows) -> Array:
        return precision_influence(rows.is_class(code), rows.score_of(code), rows.weight)

    value = float(sums.average_precision)
    return Statistic(value, again, influence, bounds=(0.0, 1.0), precision_of=code)


def precision_influence(own: Array, score: Array, weight: Array | None = None) -> Array:
    """The first-order influence of each row on average precision (mean zero), in row order.

    With T and D the weight of positives and of all rows at or above a score, AP is the mean of T/D
    over positives. A positive adds its own T/D - AP and lifts T/D of every positive at or below
    it by (D - T)/D^2; another row lowers those by T/D^2; all over the share of positives.
    """
    order = ascending(score)[::-1]
    mass = np.ones(score.size) if weight is None else weight[order]
    hit = mass * (own[order] == 1)
    run = np.cumsum(np.diff(score[order], prepend=np.inf) != 0) - 1
    gain = np.bincount(run, weights=hit)
    above, total = np.cumsum(gain), np.cumsum(np.bincount(run, weights=mass))
    total = np.where(total > 0, total, 1.0)  # rows of weight 0 above all others
    precision = above / total
    positives = above[-1]
    value = float((gain * precision).sum() / positives)

    def below(each: Array) -> Array:
        return np.cumsum((gain * each)[::-1])[::-1]

    lift = precision - value + below((total - above) / total**2)
    change = np.where(own[order] == 1, lift[run], -below(above / total**2)[run])
    influence = np.empty(score.size)
    influence[order] = change * (total[-1] / positives)
    return influence


@measure("partial_auc", better="high", needs="score", over="splits", classwise=True)
def partial_auc(counted: Counted, code: int, max_fpr: float = 0.1) -> Form:
    """Area under the ROC curve up to a false positive rate, put on a scale where chance is 0.5.

    (1 + (A - lo) / (hi - lo)) / 2 with lo = max_fpr^2 / 2, hi = max_fpr (McClish 1989).
    """
    if not 0 < max_fpr <= 1:
        raise InputError(f"partial_auc: max_fpr={max_fpr} must be above 0 and at most 1")
    nothing = _undefined(counted, code)
    if nothing is not None:
        return nothing
    ranking = counted.ranking(code)

    def again(rows: Rows) -> float:
        return _standard_partial_area(Ranking.of(rows, code), max_fpr)

    return Statistic(_standard_partial_area(ranking, max_fpr), again, bounds=(0.0, 1.0))


def _standard_partial_area(ranking: Ranking, max_fpr: float) -> float:
    positive, negative = ranking.weights
    if not positive or not negative:
        return float("nan")
    _, tp, fp = ranking.points
    x, y = fp / negative, tp / positive
    stop = int(np.searchsorted(x, max_fpr, side="right"))
    last = np.interp(max_fpr, x[stop - 1 : stop + 1], y[stop - 1 : stop + 1])
    x, y = np.append(x[:stop], max_fpr), np.append(y[:stop], last)
    area = float(np.trapezoid(y, x))
    low, high = max_fpr**2 / 2, max_fpr
    return (1 + (area - low) / (high - low)) / 2


@measure("hand_till", better="high", needs="score", over="splits")
def hand_till(counted: Counted) -> Form:
    """Mean over pairs of classes of (A(i|j) + A(j|i)) / 2, Hand and Till 2001.

    A(i|j) is the area for the score of class i among the rows of classes i and j only, so class
    shares do not matter. Undefined when a class has no rows.
    """
    k = len(counted.classes)
    for code, class_ in enumerate(counted.classes):
        if not counted.contingency.actual[code]:
            return Undefined(f"there is no row of class {class_!r}")

    def value(source: Counted) -> float:
        areas = [source.ranking(i, j).auc for i in range(k) for j in range(k) if i != j]
        return float(np.mean(areas))

    return Statistic(value(counted), lambda rows: value(Counted(rows)), bounds=(0.0, 1.0))
