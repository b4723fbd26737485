"""Measures of scores: of their order, of probabilities, of calibration."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.notes import Note
from heliast._kernels.ranking import order as ascending
from heliast.measures.forms import Area, Form, Mean, Statistic, Undefined
from heliast.measures.labels import NO_OTHER, NO_ROW
from heliast.measures.registry import measure
from heliast.measures.summaries import Counted, Ranking, Reliability, row_losses
from heliast.measures.summaries.losses import positive_code
from heliast.predictions import Rows
from heliast.predictions.scan import refuse

Bins = Literal["width", "spread"]
TOO_HIGH = (
    "the plug-in value is biased up, and no interval around it covers a calibrated model: "
    "leave out debias=False"
)
TOO_LOW = (
    "isotonic regression fits noise too, so the value is biased down and a bootstrap interval "
    "covers too little: ask for brier and brier_calibration"
)


# --- order ---------------------------------------------------------------------------------------


def _one_kind(counted: Counted, code: int) -> Undefined | None:
    sums = counted.sums(code)
    if sums.positive and sums.negative:
        return None
    return Undefined(NO_OTHER if sums.positive else NO_ROW)


@measure(
    "auc", better="high", needs="score", over="splits", classwise=True, panel=True,
    mixture="beyond of more",
)  # fmt: skip
def auc(counted: Counted, code: int) -> Form:
    """Area under the ROC curve: how often a row of the class scores above another; ties half.

    With more than two classes: each class against the rest, then the mean.
    Undefined when the class has no rows, or all rows.

    >>> from heliast import Predictions, measures
    >>> measures.get("auc").of(Predictions.of([0, 1, 0, 1], y_score=[0.1, 0.4, 0.4, 0.8]))
    0.875
    """
    sampling = counted.rows.weight_kind == "sampling"
    return _one_kind(counted, code) or Area(counted.sums(code), code, sampling)


@measure(
    "average_precision", better="high", needs="score", classwise=True, panel=True, mixture="beyond"
)
def average_precision(counted: Counted, code: int) -> Form:
    """Precision averaged over the recall steps: sum over thresholds of (R_t - R_t-1) P_t.

    Few rows make it look too good: with 2 or 3 positives a fold, .47 where it is .335. So folds are
    pooled, their scores taken as they are (measured: docs/coverage.md).
    """
    sums = counted.sums(code)
    if not sums.positive:
        return Undefined(NO_ROW)

    def again(rows: Rows) -> float:
        return float(Ranking.of(rows, code).sums.average_precision)

    def psi(rows: Rows) -> Array:
        return precision_influence(rows.is_class(code), rows.score_of(code), rows.weight)

    value = float(sums.average_precision)
    return Statistic(value, again, psi, bounds=(0.0, 1.0), precision_of=code)


def precision_influence(own: Array, score: Array, weight: Array | None = None) -> Array:
    """The influence of each row on average precision, without its weight.

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

    def below(change: Array) -> Array:
        return np.cumsum((gain * change)[::-1])[::-1]

    lift = precision - value + below((total - above) / total**2)
    change = np.where(own[order] == 1, lift[run], -below(above / total**2)[run])
    influence = np.empty(score.size)
    influence[order] = change * (total[-1] / positives)
    return influence


@measure(
    "partial_auc", better="high", needs="score", over="splits", classwise=True,
    mixture="beyond of more",
)  # fmt: skip
def partial_auc(counted: Counted, code: int, max_fpr: float = 0.1) -> Form:
    """Area under the ROC curve up to a false positive rate, put on a scale where chance is 0.5.

    (1 + (A - lo) / (hi - lo)) / 2 with lo = max_fpr^2 / 2, hi = max_fpr (McClish 1989).
    """
    if not 0 < max_fpr <= 1:
        raise InputError(f"partial_auc: max_fpr={max_fpr} must be above 0 and at most 1")

    def value(ranking: Ranking) -> float:
        positive, negative = ranking.weights
        if not positive or not negative:
            return float("nan")
        _, tp, fp = ranking.points
        x, y = fp / negative, tp / positive
        stop = int(np.searchsorted(x, max_fpr, side="right"))
        last = np.interp(max_fpr, x[stop - 1 : stop + 1], y[stop - 1 : stop + 1])
        area = float(np.trapezoid(np.append(y[:stop], last), np.append(x[:stop], max_fpr)))
        low, high = max_fpr**2 / 2, max_fpr
        return (1 + (area - low) / (high - low)) / 2

    undefined = _one_kind(counted, code)
    if undefined is not None:
        return undefined
    again = lambda rows: value(Ranking.of(rows, code))  # noqa: E731
    return Statistic(value(counted.ranking(code)), again, bounds=(0.0, 1.0))


@measure("hand_till", better="high", needs="score", over="splits")
def hand_till(counted: Counted) -> Form:
    """Mean over pairs of classes of (A(i|j) + A(j|i)) / 2, Hand and Till 2001.

    A(i|j) is the area for the score of class i among the rows of classes i and j only, so class
    shares do not matter. Undefined when a class has no rows.
    """
    k = len(counted.classes)
    for code, class_ in enumerate(counted.classes):
        if not counted.contingency.actual[code]:
            return Undefined(NO_ROW.format(class_=repr(class_)))

    def value(source: Counted) -> float:
        areas = [source.ranking(i, j).auc for i in range(k) for j in range(k) if i != j]
        return float(np.mean(areas))

    return Statistic(value(counted), lambda rows: value(Counted(rows)), bounds=(0.0, 1.0))


# --- probabilities -------------------------------------------------------------------------------


@measure("log_loss", better="low", bounds=(0.0, np.inf), needs="probability", panel=True)
def log_loss(counted: Counted) -> Form:
    """Mean of -log(probability given to the true class), natural logarithm.

    Infinite, and said so, when a true class was given probability 0.

    >>> from heliast import Predictions, measures
    >>> round(measures.get("log_loss").of(Predictions.of([0, 1], y_score=[0.5, 0.5])), 4)
    0.6931
    """
    sums = counted.probabilities
    if sums.zeros:
        rows = f"{sums.zeros:g} {'row' if sums.zeros == 1 else 'rows'}"
        words = f"infinite: the true class was given probability 0 in {rows}"
        return Undefined(Note(words, "infinite"), float("inf"))
    return Mean.of(counted, lambda rows: row_losses(rows)[0], sums.log_loss)


@measure(
    "brier", better="low", bounds=(0.0, 2.0), needs="probability", panel=True,
    # Of two classes one stands for both.
    within=lambda classes: (0.0, 1.0 if len(classes) == 2 else 2.0),
)  # fmt: skip
def brier(counted: Counted) -> Form:
    """Mean squared error of the probabilities: (p - y)^2; summed over classes if more than two."""
    return Mean.of(counted, lambda rows: row_losses(rows)[1], counted.probabilities.brier)


# --- calibration ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class CalibrationError(Statistic):
    """The size of the gaps between forecast and outcome: sum over bins of share * |gap|^power.

    `binned` says how many bins rows are put in, and which kind. Without `reliability` this is a
    plug-in value, and `why` says why it has no interval. Other fields are those of every statistic.

    Parameters
    ----------
    value : float
        The error, 0 to 1.
    again : callable
        The value from other rows.
    psi, bounds, parts, of_parts, precision_of, mix, of_mean
        As every statistic has them.
    power : int
        1 takes the gap itself, 2 its square.
    reliability : Reliability, optional
        Bins with forecasts and outcomes, from which the noise is known.
    binned : callable
        Number and kind of bins for some rows.
    why : str
        Why there is no interval.

    Examples
    --------
    >>> from heliast import Predictions, measures
    >>> table = Predictions.of([0, 1, 1, 0], y_score=[0.2, 0.8, 0.6, 0.4], scores="probability")
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

        bins = Reliability.of(rows, *binned(rows)).filled
        value = debiased(bins, power)
        return cls(value, again, bounds=(0.0, 1.0), power=power, reliability=bins, binned=binned)


def debiased(bins: Reliability, power: int) -> float:
    """The size of the gaps without what noise adds to it on average; 0 if noise explains it all.

    Squares: the sum of squares less the variances. Absolute gaps: all gaps are shrunk by the one
    factor with which the size, noise added, would be expected to be the one observed; the mean of
    |g + s Z| is s (x (2 Phi(x) - 1) + 2 phi(x)), x = g/s.
    """
    total = float(bins.size(power))
    if power == 2:
        return max(0.0, total - float((bins.spread / bins.share).sum()))
    from scipy.optimize import brentq
    from scipy.special import ndtr

    gap, noise = np.abs(bins.gap), np.sqrt(bins.noise)
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


@measure("ece", better="low", needs="probability", mixture="beyond")
def ece(counted: Counted, bins: int = 10, debias: bool = True) -> Form:
    """Expected calibration error: mean over bins of |forecast - outcome|, weighted by rows.

    Bins of equal width. Two classes: the positive class; more: the largest probability. Means of
    few rows differ from their forecasts by chance, so the plug-in value (`debias=False`) exceeds 0
    even for perfect forecasts, the more so the fewer the rows; what noise adds on average is taken
    out (Bröcker 2012, Estimating reliability and resolution of probability forecasts; Kumar, Liang
    and Ma 2019, Verified uncertainty calibration). It grows with the number of bins: compare at
    equal bins only.

    >>> from heliast import Predictions, measures
    >>> table = Predictions.of([0, 1, 1, 1], y_score=[0.1, 0.3, 0.5, 1.0])
    >>> [round(measures.get("ece", bins=2, debias=which).of(table), 4) for which in (False, True)]
    [0.275, 0.1125]
    """
    if bins != int(bins) or bins < 1:
        raise InputError(f"ece: bins={bins} must be a whole number, at least 1")
    if debias:
        return CalibrationError.of(counted.rows, 1, lambda _: (int(bins), "width"))

    def plain(rows: Rows) -> float:
        return float(Counted(rows).reliability(int(bins)).filled.size(1))

    return CalibrationError(plain(counted.rows), plain, bounds=(0.0, 1.0), why=TOO_HIGH)


@measure("brier_calibration", better="low", needs="probability", two_classes=True, mixture="beyond")
def brier_calibration(counted: Counted, debias: bool = True) -> Form:
    """The part of the Brier score that recalibration would remove: mean squared calibration error.

    Mean over bins of (forecast - outcome)² less its variance, which noise would add (Bröcker
    2012, Estimating reliability and resolution of probability forecasts); 2 n^(1/3) bins of equal
    summed spread sqrt(p (1 - p)). A jump of the true curve inside a bin is not seen.
    `debias=False` is the plug-in by isotonic regression (Dimitriadis, Gneiting and Jordan 2021,
    Stable reliability diagrams for probabilistic classifiers): it and `brier_refinement` add up to
    the Brier score, but it exceeds 0 even for perfect forecasts.

    >>> from heliast import Predictions, measures
    >>> table = Predictions.of([0, 0, 0, 1] * 9, y_score=[0.75] * 36)
    >>> round(measures.get("brier_calibration").of(table), 4)
    0.2446
    """
    if debias:
        return CalibrationError.of(counted.rows, 2, lambda rows: (_rice(rows), "spread"))
    return _part_of_brier(counted, 0, TOO_HIGH)


@measure("brier_refinement", better="low", needs="probability", two_classes=True, mixture="beyond")
def brier_refinement(counted: Counted) -> Form:
    """The part of the Brier score that stays after the best monotone recalibration.

    The mean of (iso(p) - y)², iso the isotonic regression of outcomes on forecasts (Dimitriadis,
    Gneiting and Jordan 2021, Stable reliability diagrams for probabilistic classifiers).
    """
    return _part_of_brier(counted, 1, TOO_LOW)


def _part_of_brier(counted: Counted, which: int, why: str) -> Form:
    code = positive_code(counted.rows)
    value = brier_parts(counted.ranking(code))[which]
    again = lambda rows: brier_parts(Ranking.of(rows, code))[which]  # noqa: E731
    return CalibrationError(value, again, bounds=(0.0, 1.0), why=why)


def brier_parts(ranking: Ranking) -> tuple[float, float]:
    """Calibration and refinement of the forecasts in a ranking; they add up to the Brier score."""
    from scipy.optimize import isotonic_regression

    thresholds, tp, fp = ranking.points
    hits, misses = np.diff(tp)[::-1], np.diff(fp)[::-1]
    some = hits + misses > 0
    hits, misses, forecast = hits[some], misses[some], thresholds[1:][::-1][some]
    weight = hits + misses
    fitted = isotonic_regression(hits / weight, weights=weight).x

    def score(p: Array) -> float:
        return float((hits * (1 - p) ** 2 + misses * p**2).sum() / weight.sum())

    refinement = score(fitted)
    return max(0.0, score(forecast) - refinement), refinement


def _rice(rows: Rows) -> int:
    """How many bins: twice the cube root of the independent rows (Rice's rule of histograms)."""
    if rows.scanned:
        refuse()
    sampling = rows.weight_kind == "sampling"
    effective = rows.weight_sum**2 / rows.weight_squares if sampling else rows.weight_sum
    return max(1, round(2 * float(np.cbrt(effective))))
