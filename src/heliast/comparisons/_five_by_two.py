"""What the two 5x2 tests share."""

import numpy as np

from heliast._core.errors import InputError
from heliast.comparisons._checks import Floats, numbers, snapped

NO_INTERVAL = "this test has no interval: its spread is not that of the mean difference"


def halves(a: object, b: object) -> tuple[Floats, Floats]:
    """(differences 5 by 2, the five variances s_i^2 = sum over halves of (d - mean)^2)."""
    first, second = _five(a, "a"), _five(b, "b")
    size = float(max(np.abs(first).max(), np.abs(second).max()))
    difference = snapped(first - second, size)
    gap = snapped(difference[:, 0] - difference[:, 1], size)
    return difference, gap**2 / 2


def _five(values: object, name: str) -> Floats:
    found = numbers(values, name)
    if found.shape not in ((5, 2), (10,)):
        raise InputError(
            f"{name}: expected five repeats of two halves, shape (5, 2), got {found.shape}"
        )
    return found.reshape(5, 2)
