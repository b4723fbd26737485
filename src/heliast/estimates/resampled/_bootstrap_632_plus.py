"""The .632+ bootstrap."""

from math import isfinite
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.labels import Label
from heliast.estimates._record import Estimate
from heliast.estimates.resampled._bootstrap_632 import IN, OUT, two_errors, weighed
from heliast.estimates.resampled._case import Case, Refused, alone, resampled
from heliast.estimates.resampled._losses import Losses, row_losses
from heliast.measures import Measure
from heliast.predictions import Predictions, Rows

Array = npt.NDArray[Any]


def bootstrap_632_plus(
    predictions: Predictions,
    measure: str | Measure = "error",
    level: float = 0.95,
    *,
    class_: Label | None = None,
) -> Estimate:
    """.632 that leans to the left-out error the more a model overfits.

    e: loss of the model fitted to all rows on those rows; E1: left-out loss; g: the loss if labels
    and rows had nothing to do with each other, for the error sum_l p_l (1 - q_l) with class shares
    p and shares q of the labels given. With E1' = min(E1, g) and R = (E1' - e)/(g - e), which is 0
    unless both exceed e: .368 e + .632 E1 + (E1' - e) .368 .632 R / (1 - .368 R). R lies between 0
    and 1; programs that leave it unclipped agree while E1 <= g. Needs a table of resamples with
    their `full` split (the plan `Bootstrap`). For classes. No interval.

    >>> round(plus(0.0, 0.55, 0.5), 4)
    0.5316

    Reference: B. Efron and R. Tibshirani (1997), Improvements on cross-validation: the .632+
    bootstrap method, Journal of the American Statistical Association 92.
    """
    return alone("bootstrap_632_plus", predictions, measure, level, class_)


@resampled("bootstrap_632_plus")
def of_case(case: Case) -> Estimate:
    if case.table.task != "classes":
        raise Refused("bootstrap_632_plus: the no-information rate is that of classes, not numbers")
    own, left, rows = two_errors("bootstrap_632_plus", case)
    none = no_information(rows, row_losses(case, "bootstrap_632_plus"))
    if not isfinite(none):
        raise Refused("bootstrap_632_plus: the loss without information is infinite")
    return weighed(case, left, plus_of(case, own, left.value, none), ".632+ bootstrap")


def plus_of(case: Case, own: float, out: float, none: float) -> float:
    """.632+ of a measure, which may be a loss or a gain."""
    # What is better when high is turned round: the loss is its distance from the best.
    best = case.measure.bounds[1] if case.measure.better == "high" else 0.0
    sign = -1.0 if case.measure.better == "high" else 1.0
    e, left, g = (sign * (value - best) for value in (own, out, none))
    return best + sign * plus(e, left, g)


def plus(own: float, out: float, none: float) -> float:
    """The .632+ value from training loss e, left-out loss E1 and no-information loss g."""
    capped = min(out, none)
    overfit = (capped - own) / (none - own) if capped > own and none > own else 0.0
    extra = (capped - own) * IN * OUT * overfit / (1 - IN * overfit)
    return IN * own + OUT * out + extra


def no_information(rows: Rows, losses: Losses) -> float:
    """The mean loss over all pairs of one row's class and another row's prediction, in O(n k)."""
    from dataclasses import replace

    k = len(rows.classes)
    share = np.bincount(rows.truth, weights=rows.weight, minlength=k)
    total = 0.0
    for code in np.flatnonzero(share):
        truth = np.full(rows.n, code, rows.truth.dtype)
        mean = np.average(losses(replace(rows, truth=truth)), weights=rows.weight)
        total += float(share[code] / share.sum() * mean)
    return total
