"""Measures of probability forecasts: log loss, Brier score and its parts, calibration error."""

from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast.measures._registry import measure
from heliast.measures.forms import BEYOND_PREVALENCES, FIXED, Form, Mean, Statistic, Undefined
from heliast.predictions import Rows
from heliast.summaries import Counted, Moments, Ranking, row_losses

Array = npt.NDArray[Any]


@measure("log_loss", better="low", bounds=(0.0, np.inf), needs="probability", panel=True)
def log_loss(counted: Counted) -> Form:
    """Mean of -log(probability given to the true class), natural logarithm.

    Infinite, and said so, when a true class was given probability 0.

    >>> from heliast import Predictions, measures
    >>> round(measures.get("log_loss").of(Predictions.of([0, 1], score=[0.5, 0.5])), 4)
    0.6931
    """
    found = counted.probabilities
    if found.zeros:
        count = f"{found.zeros:g} {'row' if found.zeros == 1 else 'rows'}"
        return Undefined(
            f"infinite: the true class was given probability 0 in {count}", float("inf")
        )
    return _mean(counted, found.log_loss, [part.log_loss for part in found.strata], 0)


@measure("brier", better="low", bounds=(0.0, 2.0), needs="probability", panel=True)
def brier(counted: Counted) -> Form:
    """Mean squared error of the probabilities: (p - y)^2; summed over classes if more than two."""
    found = counted.probabilities
    return _mean(counted, found.brier, [part.brier for part in found.strata], 1)


def _mean(counted: Counted, whole: Moments, strata: list[Moments], which: int) -> Form:
    def losses(rows: Rows) -> Array:
        return row_losses(rows)[which]

    if strata:
        shares = counted.contingency.prevalence
        return Undefined(FIXED) if shares is None else Mean.of_strata(shares, strata, losses)
    return Mean.of(whole, losses)


@measure(
    "brier_calibration", better="low", bounds=(0.0, 1.0), needs="probability", two_classes=True
)
def brier_calibration(counted: Counted) -> Form:
    """The part of the Brier score that recalibration would remove.

    Brier = calibration + refinement, where refinement is the Brier score after the best monotone
    recalibration (isotonic regression; Dimitriadis, Gneiting and Jordan 2021).
    """
    return _brier_part(counted, 0)


@measure("brier_refinement", better="low", bounds=(0.0, 1.0), needs="probability", two_classes=True)
def brier_refinement(counted: Counted) -> Form:
    """The part of the Brier score that stays after the best monotone recalibration."""
    return _brier_part(counted, 1)


def _brier_part(counted: Counted, which: int) -> Form:
    code = 1 if counted.positive is None else counted.positive
    if counted.rows.design == "classes":
        return Undefined(BEYOND_PREVALENCES)

    def again(rows: Rows) -> float:
        return brier_parts(Ranking.of(rows, code))[which]

    parts = brier_parts(counted.ranking(code))
    return Statistic(parts[which], again, bounds=(0.0, 1.0))


def brier_parts(ranking: Ranking) -> tuple[float, float]:
    """Calibration and refinement of the forecasts in a ranking; they add up to the Brier score."""
    from scipy.optimize import isotonic_regression

    thresholds, tp, fp = ranking.points
    hits, misses = np.diff(tp)[::-1], np.diff(fp)[::-1]
    there = hits + misses > 0
    hits, misses, forecast = hits[there], misses[there], thresholds[1:][::-1][there]
    weight = hits + misses
    share = hits / weight
    fitted = isotonic_regression(share, weights=weight).x

    def score(probability: object) -> float:
        p = np.asarray(probability)
        return float((hits * (1 - p) ** 2 + misses * p**2).sum() / weight.sum())

    refinement = score(fitted)
    return max(0.0, score(forecast) - refinement), refinement


@measure("ece", better="low", bounds=(0.0, 1.0), needs="probability")
def ece(counted: Counted, bins: int = 10) -> Form:
    """Expected calibration error: mean over bins of |forecast - outcome|, weighted by rows.

    Bins of equal width. Two classes: the positive class; more: the largest probability. It grows
    with the number of bins and shrinks with rows, so compare only at equal size.
    """
    if bins != int(bins) or bins < 1:
        raise InputError(f"ece: bins={bins} must be a whole number, at least 1")
    if counted.rows.design == "classes":
        return Undefined(BEYOND_PREVALENCES)

    def value(source: Counted) -> float:
        found = source.reliability(bins)
        return float(np.abs(found.forecast - found.outcome).sum() / found.weight.sum())

    return Statistic(value(counted), lambda rows: value(Counted(rows)), bounds=(0.0, 1.0))
