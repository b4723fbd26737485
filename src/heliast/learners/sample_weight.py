"""Sample weights as scikit-learn passes them."""

from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array


def checked_weights(sample_weight: Any, n: int) -> Array:
    """Return the weight of each of n rows as float64; 1 each for None.

    >>> checked_weights([1, 2], 2)
    array([1., 2.])
    """
    weight = np.asarray(1.0 if sample_weight is None else sample_weight, float)
    if weight.ndim == 0:
        weight = np.full(n, weight)
    if weight.shape != (n,):
        raise InputError(
            f"sample_weight has shape {weight.shape}: give one weight for each of {n} rows"
        )
    if not (np.isfinite(weight) & (weight >= 0)).all() or not weight.any():
        raise InputError("sample_weight: weights must be finite, none below 0 and not all zero")
    return weight
