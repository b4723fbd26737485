"""Least squares with a penalty, in signs: between regression and L1."""

from math import inf
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast.decoders._checks import Array, answers, signs
from heliast.decoders._l1 import d_bar


def ridge(p: Any, code: Any, lam: float) -> Array:
    """Penalised least squares in signs: q = (M M' + lam I)^-1 M f, M = 2Z - 1, f = 2p - 1.

    `lam=inf` is L1 exactly (lam q tends to M f); with lam = 0 it is least squares in signs, of
    minimum norm where M M' is singular. In 0 and 1 instead of signs, a large penalty would favour
    words with many ones. `choose_lam` chooses the penalty from honest answers.

    >>> ridge([0.9, 0.2], [[1, 0], [0, 1]], lam=2.0).round(3)
    array([ 0.233, -0.233])

    References: Hoerl and Kennard (1970), Technometrics 12, 55-67; James (1998), Majority Vote
    Classifiers, section 2.3.1, which leaves the choice of lam open.
    """
    p, code = answers(p, code)
    check_lam(lam)
    signed = signs(code)
    return d_bar(p, signed) if lam == inf else linear(p, ridge_weights(signed, lam))


def linear(p: Array, weights: Array) -> Array:
    """(2p - 1) W without a copy of p."""
    found: Array = p @ weights
    found *= 2.0
    found -= weights.sum(axis=0)
    return found


def ridge_weights(signed: Array, lam: float) -> Array:
    """(B, k): the weights W of scores (2p - 1) W."""
    left, size, right = np.linalg.svd(signed, full_matrices=False)
    # Directions that the code lacks get no weight, however small the penalty: minimum norm.
    there = size > size[0] * max(signed.shape) * np.finfo(np.float64).eps
    scale = np.where(there, size, 0.0) / np.where(there, size**2 + lam, 1.0)
    return np.asarray((right.T * scale) @ left.T, np.float64)


def check_lam(lam: Any) -> float:
    """The penalty: a number, 0 to infinity."""
    if isinstance(lam, (str, bool)) or not np.isscalar(lam) or not lam >= 0:  # type: ignore[operator]
        raise InputError(f"lam={lam!r}: the penalty is a number, 0 to infinity")
    return float(lam)  # type: ignore[arg-type]
