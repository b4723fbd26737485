"""DeLong's test of two areas under the ROC curve on the same rows."""

from dataclasses import dataclass, replace
from functools import cache
from math import isnan, nan, sqrt
from typing import Any, Literal

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike
from heliast._core.level import check_level, quantile
from heliast._kernels.ranking import placements
from heliast.comparisons._mover import Mover
from heliast.comparisons._paired import Paired
from heliast.comparisons._record import UNVARYING, TestResult, no_difference
from heliast.comparisons._registry import ONE, Answer, Asked, comparison
from heliast.comparisons._row_losses import independent_units
from heliast.estimates import plain_variance, score_limits
from heliast.measures.forms import Area

Pair = tuple[float, float]
Scale = Literal["score", "plain"]
# The variance of an area of the same value weighs as much as this many rows.
PRIOR_ROWS = 10.0


@dataclass(frozen=True)
class PairedAreas:
    """Two areas, their covariance matrix, and the rows that these are known from.

    `sizes` are positives and negatives; `effective` is, for each area, by how many rows its
    variance is decided: (sum u^2)^2 / sum u^4 over the influences u. `alike`: both scores order
    the rows alike.
    """

    areas: Pair
    covariance: Array
    sizes: Pair
    effective: Array
    df: float | None = None
    alike: bool = False

    @classmethod
    def of(
        cls, positive: Array, scores: tuple[Array, Array], group: Array | None = None
    ) -> "PairedAreas":
        """From whether each row is positive, and two scores of each row."""
        from scipy.stats import rankdata

        places = [placements(positive.astype(np.int8), score, None) for score in scores]
        a, b = (float(place[positive].mean()) if positive.any() else nan for place in places)
        size = np.where(positive, positive.sum(), positive.size - positive.sum())
        psi = np.stack([(places[0] - a) / size, (places[1] - b) / size])
        units, df = independent_units(psi, group, positive)
        squares = units**2
        total, fourth = squares.sum(axis=1), (squares**2).sum(axis=1)
        effective = np.divide(total**2, fourth, out=np.zeros(2), where=fourth > 0)
        same_order = np.array_equal(*map(rankdata, scores)) and np.array_equal(*psi)
        n1 = float(positive.sum())
        return cls(
            (a, b), units @ units.T, (n1, positive.size - n1), effective,
            None if group is None else df, same_order,
        )  # fmt: skip

    @property
    def value(self) -> float:
        """The first area less the second."""
        return self.areas[0] - self.areas[1]

    @property
    def variance(self) -> float:
        """The variance of the difference; 0 where only rounding is left."""
        total = float(np.trace(self.covariance))
        variance = total - 2 * float(self.covariance[0, 1])
        return variance if variance > 1e-12 * total else 0.0

    def plain(self, level: float) -> Pair:
        """value +- q se, cut at -1 and 1."""
        half = quantile(level, self.df) * sqrt(self.variance)
        return max(-1.0, self.value - half), min(1.0, self.value + half)

    @property
    def mover(self) -> Mover:
        """Square-and-add of the score limits of each area."""
        both = sqrt(float(self.covariance[0, 0] * self.covariance[1, 1]))
        correlation = float(self.covariance[0, 1]) / both if both > 0 else 0.0
        return Mover(self.areas, self._own_limits, correlation)

    def _own_limits(self, which: int, level: float) -> Pair:
        """The score limits of one area.

        Its variance is that of an area of the same value (`plain_variance`) times c, where
        c = V/plain when that is above 1. Below, few misplaced rows say little of how small V is,
        so c = (V/plain)^w with w = effective / (effective + 10).
        """
        area, variance = self.areas[which], float(self.covariance[which, which])
        usual, effective = plain_variance(area, self.sizes), float(self.effective[which])
        factor = variance / usual if usual > 0 and variance > 0 else 1.0
        if factor < 1:
            factor **= effective / (effective + PRIOR_ROWS)
        return score_limits(area, nan, self.sizes, quantile(level, self.df) * sqrt(factor))

    def limits(self, level: float) -> Pair:
        """The outer limits of both: near AUC 1 the plain ones cover far too little."""
        plain, mover = self.plain(level), self.mover.limits(level)
        return max(-1.0, min(plain[0], mover[0])), min(1.0, max(plain[1], mover[1]))

    @property
    def plain_p(self) -> float:
        """DeLong's, from value / se; NaN without spread."""
        from scipy.special import ndtr, stdtr

        if not self.variance:
            return nan
        z = abs(self.value) / sqrt(self.variance)
        return float(2 * (ndtr(-z) if self.df is None else stdtr(self.df, -z)))

    @property
    def p(self) -> float:
        """1 less the level at which `limits` meet 0."""
        return float(np.fmax(self.mover.p, self.plain_p))

    def result(self, level: float, scale: Scale) -> TestResult:
        """DeLong's test, with the interval on a scale."""
        by = "" if self.df is None else " by group"
        words = f"paired DeLong{by}{'; score interval' if scale == 'score' else ''}"
        n, least = sum(self.sizes), int(min(self.sizes))
        fields: dict[str, Any] = {"level": level, "method": words, "n": n, "test": "delong_paired"}
        if least < 2:
            which = "positive" if least == self.sizes[0] else "negative"
            rows = f"{least or 'no'} {which} row{'' if least == 1 else 's'}"
            reason = f"{rows}: DeLong needs two in each class"
            return TestResult(value=self.value, reason=reason, **fields)
        if self.alike:
            return no_difference(n_effective=n, **fields)
        low, high = self.limits(level) if scale == "score" else self.plain(level)
        z, reason = nan, UNVARYING
        if self.variance:
            z, reason = self.value / sqrt(self.variance), ""
        elif scale == "plain":
            low = high = nan
        return TestResult(
            self.plain_p, self.value, low, high, z, nan if self.df is None else self.df,
            n_effective=n, reason=reason, **fields,
        )  # fmt: skip


def delong_paired(
    y_true: ArrayLike,
    score_a: ArrayLike,
    score_b: ArrayLike,
    level: float = 0.95,
    scale: Scale = "score",
    *,
    group: ArrayLike | None = None,
) -> TestResult:
    """DeLong's test of the difference of two AUCs.

    z = (AUC_a - AUC_b) / sqrt(Var_a + Var_b - 2 Cov), variances and covariance those of the rows'
    placements among the other class. DeLong's own interval (`scale="plain"`) is
    AUC_a - AUC_b +- z se, cut at -1 and 1: near AUC 1 with few rows of a class it covers .8 where
    .95 is promised, as the rows that will be misplaced have not been observed yet. The default
    reaches at least as far as square-and-add (MOVER) of the score limits of each area. Scores that
    order the rows alike: p = 1. Undefined (with a reason) if a class has fewer than two rows.

    Parameters
    ----------
    y_true : array of bool
        True for the positive class.
    score_a, score_b : array of float
        The scores of two models for the same rows, larger for the positive class.
    level : float
        Confidence level of the interval.
    scale : {"score", "plain"}
        Which interval.
    group : array, optional
        The group of each row, if rows of a group vary together: then sums over groups vary, and z
        is Student's t with one degree of freedom less than there are equal groups.

    Returns
    -------
    TestResult
        The difference a - b, its interval and DeLong's p.

    Raises
    ------
    InputError
        If classes, scores or groups do not fit each other, or scale is unknown.

    Examples
    --------
    >>> y_true = [0, 0, 1, 0, 1, 1, 0, 1]
    >>> a, b = [1, 2, 3, 4, 5, 6, 7, 8], [2, 1, 3, 6, 4, 5, 8, 7]
    >>> delong_paired(y_true, a, b, scale="plain")
    TestResult(0.1875 [-0.07713, 0.4521], p = 0.165, paired DeLong)

    References
    ----------
    E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson (1988), Comparing the areas under two or
    more correlated receiver operating characteristic curves: a nonparametric approach, Biometrics
    44; G. Y. Zou and A. Donner (2008), Construction of confidence limits about effect measures: a
    general approach, Statistics in Medicine 27.
    """
    check_level(level)
    if scale not in ("score", "plain"):
        raise InputError(f"scale={scale!r}: choose 'score' or 'plain'")
    positive = np.asarray(y_true)
    if positive.ndim != 1 or not positive.size:
        raise InputError(f"y_true: expected one value for each row, got shape {positive.shape}")
    if positive.dtype != np.bool_ and not np.isin(positive, (0, 1)).all():
        raise InputError("y_true: expected true (1) for the positive class, else false (0)")
    a, b = (_scores(score, f"score_{name}", positive.size) for score, name in
            ((score_a, "a"), (score_b, "b")))  # fmt: skip
    names = None if group is None else np.asarray(group)
    if names is not None and (names.shape != positive.shape or np.unique(names).size < 2):
        raise InputError(f"group: give one of at least two groups for each of {positive.size} rows")
    return PairedAreas.of(positive.astype(np.bool_), (a, b), names).result(level, scale)


def _scores(score: ArrayLike, name: str, rows: int) -> Array:
    try:
        scores = np.asarray(score, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}: expected one number for each row") from error
    if scores.shape != (rows,):
        raise InputError(f"{name}: shape {scores.shape}, but y_true has {rows} rows")
    if np.isnan(scores).any():
        raise InputError(f"{name}: row {int(np.isnan(scores).argmax())} is NaN; score every row")
    return scores


# --- for compare -------------------------------------------------------------------------------


def _no_area(field: Paired) -> str:
    if all(isinstance(form, Area) for form in field.forms.values()):
        return ""
    return f"compares the auc of two classes, not {field.measure.title}"


@comparison("delong_paired", (ONE,), auto=2, refuses=_no_area)
def _delong(field: Paired, asked: Asked) -> Answer:
    form = field.forms[field.models[0]]
    code = form.code if isinstance(form, Area) else 0
    positive = field.shared.is_class(code) == 1

    @cache
    def areas(a: str, b: str) -> PairedAreas:
        scores = field.rows[a].score_of(code), field.rows[b].score_of(code)
        return PairedAreas.of(positive, scores, field.group)

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        both = areas(a, b)
        result = both.result(level, "score")
        if again or both.alike or isnan(result.low):
            return result
        return replace(result, p=both.p)  # of the interval: near AUC 1 above DeLong's

    return Answer(pair, "areas under the ROC curve: DeLong's test on the same rows")
