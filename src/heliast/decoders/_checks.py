"""What every decoder checks of the answers that it is given."""

from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast.codes import as_code

Array = npt.NDArray[np.float64]
SLACK = 1e-9
"""Probabilities may be so far outside of 0 to 1 by rounding."""


def answers(p: Any, code: Any) -> tuple[Array, npt.NDArray[np.int64]]:
    """The answers as float64 in 0 to 1, and the code, which has a column for each."""
    matrix = as_code(code)
    return probabilities_of(p, matrix.shape[1]), matrix


def probabilities_of(p: Any, columns: int) -> Array:
    """The answers as float64 in 0 to 1, one for each of so many columns."""
    found = np.asarray(p, np.float64)
    if found.ndim not in (1, 2) or found.shape[-1] != columns:
        raise InputError(
            f"p has shape {found.shape} for a code of {columns} columns: give one answer a column"
        )
    if found.size and not (found.min() >= -SLACK and found.max() <= 1 + SLACK):
        raise InputError(f"p holds {_strange(found)}: answers are probabilities, 0 to 1")
    return found


def _strange(found: Array) -> float:
    return float(found[~((found >= -SLACK) & (found <= 1 + SLACK))].flat[0])


def signs(code: npt.NDArray[Any]) -> Array:
    """M = 2 Z - 1 in floats."""
    found: Array = 2.0 * code - 1.0
    return found
