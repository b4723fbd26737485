"""The pessimistic error of a leaf: the upper end of what its error may be. Arrays only."""

from collections.abc import Callable
from typing import Literal

import numpy as np

from heliast._core.kinds import Array

Form = Literal["c4.5", "binomial", "wilson"]


def pessimistic_errors(
    errors: Array, n: Array, confidence: float = 0.25, form: Form = "c4.5"
) -> Array:
    """The number of errors that n rows would have at the upper limit of their error rate.

    The limit is one-sided: with probability `confidence` the count is this low or lower although
    the rate is the limit. Forms: `binomial`, the exact limit (Clopper-Pearson); `wilson`, the
    upper end of Wilson's interval; `c4.5`, what C4.5 computes: exact at 0 errors, a straight line
    from 0 to 1, and from 1 error on Wilson's end with half an error added. Counts may be weighted.
    0 rows have 0 errors.

    >>> pessimistic_errors(np.array([0, 1, 1]), np.array([6, 9, 16])).round(3)
    array([1.238, 2.394, 2.476])
    >>> float(pessimistic_errors(np.array([0]), np.array([6]), form="binomial")[0].round(3))
    1.238

    Reference: J. R. Quinlan (1993). C4.5: programs for machine learning, section 4.2.
    """
    errors, n = np.broadcast_arrays(np.asarray(errors, float), np.asarray(n, float))
    limit = np.zeros(n.shape)
    some = n > 0
    limit[some] = FORMS[form](errors[some], n[some], confidence)
    return limit


def _binomial(errors: Array, n: Array, confidence: float) -> Array:
    """The rate p with P(at most `errors` of n | p) = confidence, times n."""
    from scipy.special import betaincinv

    limit = n.copy()
    short = errors < n
    limit[short] *= betaincinv(errors[short] + 1, n[short] - errors[short], 1 - confidence)
    return limit


def _wilson(errors: Array, n: Array, confidence: float) -> Array:
    from scipy.special import ndtri

    z2 = float(ndtri(1 - confidence)) ** 2
    share = errors / n
    half = np.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n**2)))
    limit: Array = n * (share + z2 / (2 * n) + half) / (1 + z2 / n)
    return np.clip(limit, errors, n)  # rounding must not leave these ends


def _c45(errors: Array, n: Array, confidence: float) -> Array:
    none = n * (1 - confidence ** (1 / n))
    one = _c45_from_one(np.ones(n.shape), n, confidence)
    below = none + errors * (one - none)
    limit: Array = np.where(errors < 1, below, _c45_from_one(errors, n, confidence))
    return limit


def _c45_from_one(errors: Array, n: Array, confidence: float) -> Array:
    """From one error on; where half an error more would be all rows, all rows."""
    full = errors + 0.5 >= n
    limit = np.where(full, np.maximum(errors, n), 0.0)
    limit[~full] = _wilson(errors[~full] + 0.5, n[~full], confidence)
    return limit


FORMS: dict[str, Callable[[Array, Array, float], Array]] = {
    "c4.5": _c45,
    "binomial": _binomial,
    "wilson": _wilson,
}
