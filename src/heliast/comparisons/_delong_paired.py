"""DeLong's test of two areas under the ROC curve on the same rows."""

from dataclasses import replace
from functools import cache
from math import isnan, nan, sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from heliast._core.errors import InputError
from heliast._core.level import check_level
from heliast.comparisons._checks import Floats
from heliast.comparisons._paired import Paired
from heliast.comparisons._paired_areas import PairedAreas
from heliast.comparisons._record import SAME, UNVARYING, TestResult
from heliast.comparisons._registry import ONE, Answer, Asked, comparison
from heliast.measures.forms import Area

Bools = np.ndarray[tuple[int], np.dtype[np.bool_]]
Scale = Literal["score", "plain"]
_TITLES: dict[Scale, str] = {"score": "; score interval", "plain": ""}


def delong_paired(
    truth: ArrayLike,
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
    truth : array of bool
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
    more correlated receiver operating characteristic curves, Biometrics 44; G. Y. Zou and
    A. Donner (2008), Construction of confidence limits about effect measures.
    """
    check_level(level)
    if scale not in _TITLES:
        raise InputError(f"scale={scale!r}: choose 'score' or 'plain'")
    own = _truth(truth)
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
        raise InputError(f"truth: expected one value a row, got shape {own.shape}")
    if own.dtype != np.bool_ and not np.isin(own, (0, 1)).all():
        raise InputError("truth: expected true (1) for the positive class and false (0) else")
    return own.astype(np.bool_)


def _score(score: ArrayLike, name: str, rows: int) -> Floats:
    try:
        found = np.asarray(score, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}: expected one number a row") from error
    if found.shape != (rows,):
        raise InputError(f"{name}: shape {found.shape}, but truth has {rows} rows")
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
