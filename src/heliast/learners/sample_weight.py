"""Sample weights as scikit-learn passes them."""

from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array


def checked_weights(sample_weight: Any, n: int) -> Array:
    """One finite weight of at least 0 a row, float64; all 1 when none are given.

    >>> checked_weights([1, 2], 2)
    array([1., 2.])
    """
    if sample_weight is None:
        return np.ones(n)
    weight = np.asarray(sample_weight, float)
    if weight.ndim == 0:
        return np.full(n, float(weight))
    if weight.ndim != 1:
        raise InputError("Sample weights must be 1D array or scalar")
    if weight.shape != (n,):
        raise InputError(f"sample_weight.shape == {weight.shape}, expected {(n,)}")
    if not np.isfinite(weight).all() or (weight < 0).any():
        raise InputError("argument sample_weight: weights must be finite, none below 0")
    if not weight.any():
        raise InputError("argument sample_weight: every weight is zero, so no row counts")
    return weight
