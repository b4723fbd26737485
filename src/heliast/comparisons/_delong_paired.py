"""DeLong's test of two areas under the ROC curve on the same rows."""

from math import isnan, nan, sqrt

import numpy as np

from heliast._core.errors import InputError
from heliast._kernels.ranking import paired_delong
from heliast.comparisons._checks import Floats
from heliast.comparisons._record import IDENTICAL, UNVARYING, TestResult
from heliast.estimates._proportion import check_level, quantile

_METHOD = "paired DeLong"


def delong_paired(
    truth: object, score_a: object, score_b: object, level: float = 0.95
) -> TestResult:
    """The difference of two AUCs (DeLong, DeLong and Clarke-Pearson 1988).

    z = (AUC_a - AUC_b) / sqrt(Var_a + Var_b - 2 Cov), variances and covariance those of the rows'
    placements among the other class. The interval is AUC_a - AUC_b +- z se, cut at -1 and 1.
    `truth` is true for the positive class. Scores that order the rows alike: p = 1. Undefined
    (with a reason) if a class has fewer than two rows.

    >>> truth = [0, 0, 1, 0, 1, 1, 0, 1]
    >>> a, b = [1, 2, 3, 4, 5, 6, 7, 8], [2, 1, 3, 6, 4, 5, 8, 7]
    >>> delong_paired(truth, a, b)
    TestResult(0.1875 [-0.07713, 0.4521], p = 0.165, paired DeLong)
    """
    from scipy.special import ndtr

    check_level(level)
    own = _truth(truth)
    first, second = _score(score_a, "score_a", own.size), _score(score_b, "score_b", own.size)
    n, positive = float(own.size), int(own.sum())
    area_a, area_b, var_a, var_b, covariance = paired_delong(own, first, second)
    value, least = area_a - area_b, min(positive, own.size - positive)
    if isnan(value) or least < 2:
        which = "positive" if least == positive else "negative"
        reason = f"{least or 'no'} {which} row{'' if least == 1 else 's'}: DeLong needs two a class"
        return TestResult(nan, value, level=level, method=_METHOD, n=n, reason=reason)
    variance = var_a + var_b - 2 * covariance
    if not variance > 1e-12 * (var_a + var_b):
        same = abs(value) < 1e-12
        return TestResult(
            1.0 if same else nan, 0.0 if same else value, statistic=0.0 if same else nan,
            level=level, method=_METHOD, n=n, n_effective=n, notes=(IDENTICAL,) if same else (),
            reason=UNVARYING,
        )  # fmt: skip
    z, half = value / sqrt(variance), quantile(level) * sqrt(variance)
    low, high = max(-1.0, value - half), min(1.0, value + half)
    p = float(2 * ndtr(-abs(z)))
    return TestResult(p, value, low, high, z, level=level, method=_METHOD, n=n, n_effective=n)


def _truth(truth: object) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    own = np.asarray(truth)
    if own.ndim != 1 or not own.size:
        raise InputError(f"truth: expected one value a row, got shape {own.shape}")
    if own.dtype != np.bool_ and not np.isin(own, (0, 1)).all():
        raise InputError("truth: expected true (1) for the positive class and false (0) else")
    return own.astype(np.bool_)


def _score(score: object, name: str, rows: int) -> Floats:
    try:
        found = np.asarray(score, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}: expected one number a row") from error
    if found.shape != (rows,):
        raise InputError(f"{name}: shape {found.shape}, but truth has {rows} rows")
    if np.isnan(found).any():
        raise InputError(f"{name}: row {int(np.isnan(found).argmax())} is NaN; score every row")
    return found
