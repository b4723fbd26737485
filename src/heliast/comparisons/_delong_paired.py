"""DeLong's test of two areas under the ROC curve on the same rows, also near 1 with few rows."""

from dataclasses import dataclass, replace
from functools import cache
from math import isnan, nan, sqrt
from typing import Any, Literal

import numpy as np

from heliast._core.clusters import adjusted, equal_groups
from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike
from heliast._core.level import check_level, quantile
from heliast._kernels.ranking import placements
from heliast.comparisons._checks import Floats
from heliast.comparisons._mover import Mover
from heliast.comparisons._paired import Paired
from heliast.comparisons._record import SAME, UNVARYING, TestResult
from heliast.comparisons._registry import ONE, Answer, Asked, comparison
from heliast.estimates import plain_variance, score_limits
from heliast.measures.forms import Area

Pair = tuple[float, float]

SEEN = 10.0
"""So many rows' worth of placements weigh as much as the law that holds without any."""
Bools = np.ndarray[tuple[int], np.dtype[np.bool_]]
Scale = Literal["score", "plain"]
_TITLES: dict[Scale, str] = {"score": "; score interval", "plain": ""}


@dataclass(frozen=True)
class PairedAreas:
    """Two areas, their variances and covariance, and the rows that these are known from.

    `sizes` are positives and negatives; `seen` is, for each area, by how many rows its variance is
    decided: (sum u^2)^2 / sum u^4 over the influences u. `alike`: both order the rows alike.
    """

    areas: Pair
    variances: Pair
    covariance: float
    sizes: Pair
    seen: Pair
    df: float | None = None
    alike: bool = False

    @classmethod
    def of(
        cls, own: Array, scores: tuple[Array, Array], group: Array | None = None
    ) -> "PairedAreas":
        """From the truth (true: positive) and two scores of each row."""
        parts = [_influence(own, score) for score in scores]
        units, df = np.stack([part[1] for part in parts]), None
        if group is None:
            size = np.where(own, own.sum(), own.size - own.sum())
            # S^2 / (n - 1) in each class, as DeLong.
            units = units * np.sqrt(size / np.maximum(size - 1, 1e-300))
        else:
            place = np.unique(group, return_inverse=True)[1]
            rows = np.bincount(place)
            units = adjusted(np.stack([np.bincount(place, weights=unit) for unit in units]), rows)
            df = equal_groups(rows) - 1.0
        squares = units**2
        total, fourth = squares.sum(axis=1), (squares**2).sum(axis=1)
        seen = np.divide(total**2, fourth, out=np.zeros(2), where=fourth > 0)
        positive = float(own.sum())
        return cls(
            (parts[0][0], parts[1][0]), (float(total[0]), float(total[1])),
            float((units[0] * units[1]).sum()), (positive, own.size - positive),
            (float(seen[0]), float(seen[1])), df,
            bool((parts[0][1] == parts[1][1]).all()) and _alike(*scores),
        )  # fmt: skip

    @property
    def value(self) -> float:
        """The first area less the second."""
        return self.areas[0] - self.areas[1]

    @property
    def variance(self) -> float:
        """Of the difference; 0 where only rounding is left."""
        found = sum(self.variances) - 2 * self.covariance
        return found if found > 1e-12 * sum(self.variances) else 0.0

    def plain(self, level: float) -> Pair:
        """value +- q se, cut at -1 and 1."""
        half = quantile(level, self.df) * sqrt(self.variance)
        return max(-1.0, self.value - half), min(1.0, self.value + half)

    @property
    def mover(self) -> Mover:
        """From the score limits of each area."""
        va, vb = self.variances
        together = self.covariance / sqrt(va * vb) if va > 0 and vb > 0 else 0.0
        return Mover(self.areas, self._own, together)

    def _own(self, which: int, level: float) -> Pair:
        """The score limits of one area.

        Its variance is that of an area like it (`plain_variance`) times c, where c = V/plain when
        that is above 1. Below, few misplaced rows say little of how small V is, so c = (V/plain)^w
        with w = seen / (seen + 10).
        """
        area, variance, seen = self.areas[which], self.variances[which], self.seen[which]
        usual = plain_variance(area, self.sizes)
        factor = variance / usual if usual > 0 and variance > 0 else 1.0
        if factor < 1:
            factor **= seen / (seen + SEEN)
        return score_limits(area, nan, self.sizes, quantile(level, self.df) * sqrt(factor))

    def limits(self, level: float) -> Pair:
        """The outer ends of both, cut at -1 and 1: near 1 the plain ones cover far too little."""
        (low, high), (least, most) = self.plain(level), self.mover.limits(level)
        return max(-1.0, min(low, least)), min(1.0, max(high, most))

    @property
    def plain_p(self) -> float:
        """DeLong's: from value / se. NaN without spread."""
        from scipy.special import ndtr, stdtr

        if not self.variance:
            return nan
        z = abs(self.value) / sqrt(self.variance)
        return float(2 * (ndtr(-z) if self.df is None else stdtr(self.df, -z)))

    @property
    def p(self) -> float:
        """1 less the level at which `limits` meet 0."""
        return max(self.mover.p, self.plain_p) if self.variance else self.mover.p


def _influence(own: Array, score: Array) -> tuple[float, Array]:
    """The area, and what each row adds to it: its placement less the area, over its class size."""
    placed = placements(own.astype(np.int8), score, None)
    area = float(placed[own].mean()) if own.any() else nan
    size = np.where(own, own.sum(), own.size - own.sum())
    return area, (placed - area) / size


def _alike(a: Array, b: Array) -> bool:
    from scipy.stats import rankdata

    return bool(np.array_equal(rankdata(a), rankdata(b)))


def delong_paired(
    y_true: ArrayLike,
    score_a: ArrayLike,
    score_b: ArrayLike,
    level: float = 0.95,
    scale: Scale = "score",
    *,
    group: ArrayLike | None = None,
) -> TestResult:
    """The difference of two AUCs.

    z = (AUC_a - AUC_b) / sqrt(Var_a + Var_b - 2 Cov), variances and covariance those of the rows'
    placements among the other class. DeLong's own interval (`scale="plain"`) is
    AUC_a - AUC_b +- z se, cut at -1 and 1: near AUC 1 with few rows of a class it covers .8 where
    .95 is promised, as the rows that will be misplaced have not been seen yet. The default reaches
    at least as far as the distances of each area to its own score limits, squared and added
    (MOVER; see `PairedAreas`). Scores that order the rows alike: p = 1. Undefined (with a reason)
    if a class has fewer than two rows.

    Parameters
    ----------
    y_true : array of bool
        True for the positive class.
    score_a, score_b : array of float
        The scores of two models for the same rows; larger speaks for the positive class.
    level : float
        The level of the interval.
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
        If truth, scores or groups do not fit each other, or scale is unknown.

    Examples
    --------
    >>> truth = [0, 0, 1, 0, 1, 1, 0, 1]
    >>> a, b = [1, 2, 3, 4, 5, 6, 7, 8], [2, 1, 3, 6, 4, 5, 8, 7]
    >>> delong_paired(truth, a, b, scale="plain")
    TestResult(0.1875 [-0.07713, 0.4521], p = 0.165, paired DeLong)

    References
    ----------
    E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson (1988), Comparing the areas under two or
    more correlated receiver operating characteristic curves: a nonparametric approach, Biometrics
    44; G. Y. Zou and A. Donner (2008), Construction of confidence limits about effect measures: a
    general approach, Statistics in Medicine 27.
    """
    check_level(level)
    if scale not in _TITLES:
        raise InputError(f"scale={scale!r}: choose 'score' or 'plain'")
    own = _truth(y_true)
    scores = _score(score_a, "score_a", own.size), _score(score_b, "score_b", own.size)
    names = None if group is None else np.asarray(group)
    if names is not None and (names.shape != own.shape or np.unique(names).size < 2):
        raise InputError(f"group: give one of at least two groups for each of the {own.size} rows")
    return of_areas(PairedAreas.of(own, scores, names), level, scale)


def of_areas(areas: PairedAreas, level: float, scale: Scale) -> TestResult:
    """The test of two areas that were found already."""
    words = "paired DeLong" + ("" if areas.df is None else " by group") + _TITLES[scale]
    value, n, least = areas.value, sum(areas.sizes), int(min(areas.sizes))
    said: dict[str, Any] = {"level": level, "method": words, "n": n, "test": "delong_paired"}
    if least < 2:
        which = "positive" if least == areas.sizes[0] else "negative"
        reason = f"{least or 'no'} {which} row{'' if least == 1 else 's'}: DeLong needs two a class"
        return TestResult(nan, value, reason=reason, **said)
    if areas.alike:
        return TestResult(
            1.0, 0.0, statistic=0.0, n_effective=n, flags=(SAME,), reason=UNVARYING, **said
        )
    low, high = areas.limits(level)
    if scale == "plain":
        low, high = areas.plain(level) if areas.variance else (nan, nan)
    p, z = areas.plain_p, value / sqrt(areas.variance) if areas.variance else nan
    df, why = nan if areas.df is None else areas.df, UNVARYING if isnan(p) else ""
    return TestResult(p, value, low, high, z, df, n_effective=n, reason=why, **said)


def _truth(truth: ArrayLike) -> Bools:
    own = np.asarray(truth)
    if own.ndim != 1 or not own.size:
        raise InputError(f"y_true: expected one value a row, got shape {own.shape}")
    if own.dtype != np.bool_ and not np.isin(own, (0, 1)).all():
        raise InputError("y_true: expected true (1) for the positive class and false (0) else")
    return own.astype(np.bool_)


def _score(score: ArrayLike, name: str, rows: int) -> Floats:
    try:
        found = np.asarray(score, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}: expected one number a row") from error
    if found.shape != (rows,):
        raise InputError(f"{name}: shape {found.shape}, but y_true has {rows} rows")
    if np.isnan(found).any():
        raise InputError(f"{name}: row {int(np.isnan(found).argmax())} is NaN; score every row")
    return found


# --- as compare asks for it --------------------------------------------------------------------


def _no_area(field: Paired) -> str:
    forms = (case.form(*case.parts.alone) for case in field.cases.values())
    if all(isinstance(form, Area) for form in forms):
        return ""
    return f"compares the auc of two classes, not {field.measure.title}"


@comparison("delong_paired", (ONE,), auto=2, refuses=_no_area)
def _delong(field: Paired, asked: Asked) -> Answer:
    form, first = field.first.form(*field.first.parts.alone), field.rows[field.models[0]]
    code = form.code if isinstance(form, Area) else 0
    own = first.is_class(code) == 1

    @cache
    def areas(a: str, b: str) -> PairedAreas:
        scores = field.rows[a].score_of(code), field.rows[b].score_of(code)
        return PairedAreas.of(own, scores, field.group)

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        result = of_areas(areas(a, b), level, "score")
        if again or isnan(result.value) or areas(a, b).alike:
            return result
        return replace(result, p=areas(a, b).p)  # of the interval: near AUC 1 above DeLong's

    return Answer(pair, "areas under the ROC curve: DeLong's test on the same rows")
