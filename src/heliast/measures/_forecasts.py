"""Measures of probability forecasts: log loss, Brier score, and calibration errors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.notes import Note
from heliast.measures._registry import measure
from heliast.measures.forms import (
    BEYOND_PREVALENCES,
    FIXED,
    Form,
    Mean,
    Statistic,
    Undefined,
)
from heliast.measures.summaries import Counted, Moments, Ranking, Reliability, row_losses
from heliast.predictions import Rows
from heliast.predictions.scan import NEEDS, NeedsRows, ScannedRows

Bins = Literal["width", "spread"]
TOO_HIGH = (
    "the plug-in value is biased up, and no interval around it covers a calibrated model: "
    "leave out debias=False"
)
TOO_LOW = (
    "isotonic regression fits noise too, so the value is biased down and a bootstrap interval "
    "covers too little: ask for brier and brier_calibration"
)


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
        said = f"infinite: the true class was given probability 0 in {count}"
        return Undefined(Note(said, "infinite"), float("inf"))
    return _mean(counted, found.log_loss, [part.log_loss for part in found.strata], 0)


def _between_briers(classes: Sequence[Label]) -> tuple[float, float]:
    """Of two classes one stands for both."""
    return 0.0, 1.0 if len(classes) == 2 else 2.0


@measure(
    "brier",
    better="low",
    bounds=(0.0, 2.0),
    within=_between_briers,
    needs="probability",
    panel=True,
)
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


# --- calibration errors -------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class CalibrationError(Statistic):
    """The size of the gaps between forecast and outcome: sum over bins of share * |gap|^power.

    `binned` says how many bins rows are put in, and which kind. Without `reliability` this is a
    plug-in value, and `why` says why it has no interval.

    Parameters
    ----------
    value : float
        The error, 0 to 1.
    again : callable
        The value from other rows.
    influence : callable, optional
        First-order influence of each row, mean zero.
    bounds : tuple[float, float]
        Least and largest value.
    parts : callable, optional
        Columns (n, m) whose means the value is a function of.
    of_parts : callable, optional
        That function of the means, (..., m).
    precision_of : int, optional
        Code of the class whose average precision this is, if it is that.
    mix : tuple
        Weights and forms of the classes that this is the mean of, if it is one.
    of_mean : CurvedMean, optional
        The mean that this is an increasing function of, if it is one.
    power : int, default 1
        1 takes the gap itself, 2 its square.
    reliability : Reliability, optional
        Bins with forecasts and outcomes, from which the noise is known.
    binned : callable
        Number and kind of bins for some rows.
    why : str, default ''
        Why there is no interval.

    Examples
    --------
    >>> from heliast import Predictions, measures
    >>> table = Predictions.of([0, 1, 1, 0], score=[0.2, 0.8, 0.6, 0.4], scores="probability")
    >>> measures.get("ece").of(table) >= 0
    True
    """

    power: int = 1
    reliability: Reliability | None = None
    binned: Callable[[Rows], tuple[int, Bins]] = lambda _: (10, "width")
    why: str = ""

    @classmethod
    def of(
        cls, rows: Rows, power: int, binned: Callable[[Rows], tuple[int, Bins]]
    ) -> "CalibrationError":
        """The error with its expected noise taken out.

        Parameters
        ----------
        rows : Rows
            Rows of one model, with probabilities.
        power : int
            1 takes the gap itself, 2 its square.
        binned : callable
            Number and kind of bins for some rows.

        Returns
        -------
        CalibrationError
            The form, from which intervals are made.
        """

        def again(rows: Rows) -> float:
            return debiased(Reliability.of(rows, *binned(rows)).filled, power)

        found = Reliability.of(rows, *binned(rows)).filled
        value = debiased(found, power)
        return cls(value, again, bounds=(0.0, 1.0), power=power, reliability=found, binned=binned)


def debiased(found: Reliability, power: int) -> float:
    """The size of the gaps without what noise adds to it on average; 0 if noise explains it all.

    Squares: the sum of squares less the variances. Absolute gaps: all gaps are shrunk by the one
    factor with which the size, noise added, would be expected to be the one seen; the mean of
    |g + s Z| is s (x (2 Phi(x) - 1) + 2 phi(x)), x = g/s.
    """
    total = float(found.size(power))
    if power == 2:
        return max(0.0, total - float((found.spread / found.share).sum()))
    from scipy.optimize import brentq
    from scipy.special import ndtr

    gap, noise = np.abs(found.gap), np.sqrt(found.noise)
    noisy = noise > 0

    def excess(factor: float) -> float:
        shrunk = factor * gap
        x = np.divide(shrunk, noise, out=np.zeros(gap.size), where=noisy)
        folded = noise * (x * (2 * ndtr(x) - 1) + np.sqrt(2 / np.pi) * np.exp(-(x**2) / 2))
        return float(np.where(noisy, folded, shrunk).sum()) - total

    if excess(0.0) >= 0:
        return 0.0
    if excess(1.0) <= 0:  # no noise but that of rounding
        return total
    return total * float(brentq(excess, 0.0, 1.0, xtol=1e-13))


@measure("ece", better="low", needs="probability")
def ece(counted: Counted, bins: int = 10, debias: bool = True) -> Form:
    """Expected calibration error: mean over bins of |forecast - outcome|, weighted by rows.

    Bins of equal width. Two classes: the positive class; more: the largest probability. Means of
    few rows differ from their forecasts by chance, so the plug-in value (`debias=False`) exceeds 0
    even for perfect forecasts, the more so the fewer the rows; what noise adds on average is taken
    out (Bröcker 2012, Estimating reliability and resolution of probability forecasts; Kumar, Liang
    and Ma 2019, Verified uncertainty calibration). It grows with the number of bins: compare at
    equal bins only.

    >>> from heliast import Predictions, measures
    >>> table = Predictions.of([0, 1, 1, 1], score=[0.1, 0.3, 0.5, 1.0])
    >>> [round(measures.get("ece", bins=2, debias=which).of(table), 4) for which in (False, True)]
    [0.275, 0.1125]
    """
    if bins != int(bins) or bins < 1:
        raise InputError(f"ece: bins={bins} must be a whole number, at least 1")
    if counted.rows.design == "classes":
        return Undefined(BEYOND_PREVALENCES)
    if debias:
        return CalibrationError.of(counted.rows, 1, lambda _: (int(bins), "width"))

    def plain(rows: Rows) -> float:
        return float(Counted(rows).reliability(int(bins)).filled.size(1))

    return CalibrationError(plain(counted.rows), plain, bounds=(0.0, 1.0), why=TOO_HIGH)


@measure("brier_calibration", better="low", needs="probability", two_classes=True)
def brier_calibration(counted: Counted, debias: bool = True) -> Form:
    """The part of the Brier score that recalibration would remove: mean squared calibration error.

    Mean over bins of (forecast - outcome)² less its variance, which noise would add (Bröcker
    2012, Estimating reliability and resolution of probability forecasts); 2 n^(1/3) bins of equal
    summed spread sqrt(p (1 - p)). A jump of the true curve inside a bin is not seen.
    `debias=False` is the plug-in by isotonic regression (Dimitriadis, Gneiting and Jordan 2021,
    Stable reliability diagrams for probabilistic classifiers): it and `brier_refinement` add up to
    the Brier score, but it exceeds 0 even for perfect forecasts.

    >>> from heliast import Predictions, measures
    >>> table = Predictions.of([0, 0, 0, 1] * 9, score=[0.75] * 36)
    >>> round(measures.get("brier_calibration").of(table), 4)
    0.2446
    """
    rows = counted.rows
    if rows.design == "classes":
        return Undefined(BEYOND_PREVALENCES)
    if debias:
        return CalibrationError.of(rows, 2, lambda rows: (_rice(rows), "spread"))
    code = 1 if counted.positive is None else counted.positive

    def plain(rows: Rows) -> float:
        return brier_parts(Ranking.of(rows, code))[0]

    value = brier_parts(counted.ranking(code))[0]
    return CalibrationError(value, plain, bounds=(0.0, 1.0), why=TOO_HIGH)


@measure("brier_refinement", better="low", needs="probability", two_classes=True)
def brier_refinement(counted: Counted) -> Form:
    """The part of the Brier score that stays after the best monotone recalibration.

    The mean of (iso(p) - y)², iso the isotonic regression of outcomes on forecasts (Dimitriadis,
    Gneiting and Jordan 2021, Stable reliability diagrams for probabilistic classifiers).
    """
    code = 1 if counted.positive is None else counted.positive
    if counted.rows.design == "classes":
        return Undefined(BEYOND_PREVALENCES)

    def again(rows: Rows) -> float:
        return brier_parts(Ranking.of(rows, code))[1]

    value = brier_parts(counted.ranking(code))[1]
    return CalibrationError(value, again, bounds=(0.0, 1.0), why=TOO_LOW)


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


def _rice(rows: Rows) -> int:
    """How many bins: twice the cube root of the independent rows (Rice's rule of histograms)."""
    if isinstance(rows, ScannedRows):
        raise NeedsRows(f"brier_calibration {NEEDS}")
    sampling = rows.weight_kind == "sampling"
    worth = rows.weight_sum**2 / rows.weight_squares if sampling else rows.weight_sum
    return max(1, round(2 * float(np.cbrt(worth))))
