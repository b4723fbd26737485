"""The documents' rules: mean and variance over folds, z and t as if folds were independent."""

from dataclasses import dataclass, replace
from math import sqrt
from typing import Literal

import numpy as np

from heliast._core.errors import InputError
from heliast.estimates._proportion import check_level, quantile
from heliast.estimates._record import Estimate
from heliast.estimates.resampled._case import Case, Refused, need_splits, resampled
from heliast.estimates.resampled._groups import by_group

Divisor = Literal["K-1", "K"]
NOTE = (
    "documents' rule: takes splits as independent, which they are not; t over 5 x 10 folds covered "
    "38 to 69% where it says 95%"
)


@dataclass(frozen=True)
class FoldMean:
    """Mean and variance of a measure over K folds."""

    value: float
    variance: float
    folds: int


def fold_mean(values: object, divisor: Divisor = "K-1") -> FoldMean:
    """The mean over K folds (or resamples) and their variance, which divides by K - 1 or by K.

    The chapter prints K and computes with K - 1; its t interval needs K - 1.

    >>> found = fold_mean([8 / 30, 4 / 30, 7 / 30, 11 / 30, 5 / 30])
    >>> round(found.value, 4), round(found.variance, 5)
    (0.2333, 0.00833)
    """
    array = np.asarray(values, np.float64)
    if array.ndim != 1 or array.size < 2 or not np.isfinite(array).all():
        raise InputError("values: expected a finite number for each of at least 2 folds")
    if divisor not in ("K-1", "K"):
        raise InputError(f"divisor={divisor!r}: choose 'K-1' or 'K'")
    ddof = 1 if divisor == "K-1" else 0
    return FoldMean(float(array.mean()), float(array.var(ddof=ddof)), int(array.size))


def fold_z(values: object, level: float = 0.95, divisor: Divisor = "K-1") -> Estimate:
    """Mean over K folds +- z s / sqrt(K): the documents' large-sample rule.

    Kept because it is taught. It takes folds as independent, which they are not, and z instead of
    t is too short for few folds besides: over repeated folds the like rule with t covered 38 to
    69% where it says 95% (5 x 10 folds). Use `auto`, or `corrected_t`.

    >>> fold_z([8 / 30, 4 / 30, 7 / 30, 11 / 30, 5 / 30])
    Estimate(0.2333 [0.1533, 0.3133], z over 5 splits, documents' rule)
    """
    return _over_folds(values, level, divisor, student=False)


def fold_t(values: object, level: float = 0.95, divisor: Divisor = "K-1") -> Estimate:
    """Mean over K folds +- t_{K-1} s / sqrt(K): the documents' small-sample rule.

    Kept because it is taught. It takes folds as independent, which they are not: over 5 x 10 folds
    it covered 38 to 69% where it says 95%. Use `auto`, or `corrected_t`.

    >>> fold_t([8 / 30, 4 / 30, 7 / 30, 11 / 30, 5 / 30])
    Estimate(0.2333 [0.12, 0.3467], t over 5 splits, documents' rule)
    """
    return _over_folds(values, level, divisor, student=True)


def _over_folds(values: object, level: float, divisor: Divisor, student: bool) -> Estimate:
    check_level(level)
    found = fold_mean(values, divisor)
    se = sqrt(found.variance / found.folds)
    half = quantile(level, found.folds - 1 if student else None) * se
    title = f"{'t' if student else 'z'} over {found.folds} splits, documents' rule"
    low, high = found.value - half, found.value + half
    return Estimate(found.value, low, high, se, level, title, "procedure", notes=(NOTE,))


@resampled("fold_z")
def _fold_z(case: Case) -> Estimate:
    return _of_case("fold_z", case)


@resampled("fold_t")
def _fold_t(case: Case) -> Estimate:
    return _of_case("fold_t", case)


def _of_case(name: str, case: Case) -> Estimate:
    need_splits(name, case)
    if case.parts.one_row_each:
        raise Refused(f"{name} needs several rows in a split: leave-one-out has none to average")
    few = by_group(case)
    values = case.values()
    defined = values[np.isfinite(values)]
    if defined.size < 2:
        raise Refused(f"{name}: {case.measure.title} is defined in {defined.size} split only")
    one = _over_folds(defined, case.level, "K-1", student=name == "fold_t")
    missing = values.size - defined.size
    notes = (f"undefined in {missing} of {values.size} splits",) if missing else ()
    said = case.found(one.value, one.method, notes=(*one.notes, *few, *notes))
    return replace(said, low=one.low, high=one.high, se=one.se)
