"""Least squares: the answers as sums of the classes' probabilities."""

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast.decoders._checks import Array, answers


def regression(p: Any, code: Any) -> Array:
    """Least-squares estimates of the classes' probabilities: q = (Z Z')^-1 Z p.

    If the base is right, p = Z'q, and q is recovered exactly whenever Z Z' is invertible
    (theorem 6 of the thesis). Below full rank, as always with fewer columns than classes, q is the
    solution of minimum norm, and a warning says so. Estimates may lie outside of 0 to 1.

    >>> code = [[0, 1, 1, 0, 0], [0, 0, 0, 1, 1], [1, 1, 0, 0, 1], [1, 0, 0, 0, 0]]
    >>> regression([0.5, 0.7, 0.4, 0.1, 0.4], code).round(6)
    array([0.4, 0.1, 0.3, 0.2])

    Reference: James (1998), Majority Vote Classifiers, section 2.3.1.
    """
    p, code = answers(p, code)
    say_if_deficient(code)
    found: Array = p @ regression_weights(code)
    return found


def regression_weights(code: npt.NDArray[Any]) -> Array:
    """(B, k): the weights W of scores p W."""
    found: Array = np.linalg.pinv(code.astype(np.float64))
    return found


def say_if_deficient(code: npt.NDArray[Any], stacklevel: int = 3) -> None:
    """Warn if least squares has no unique solution for this code."""
    k, columns = code.shape
    rank = int(np.linalg.matrix_rank(code.astype(np.float64)))
    if rank < k:
        warnings.warn(
            f"least squares with {columns} columns of rank {rank} for {k} classes: the scores are "
            "those of minimum norm; take more columns, or decoder 'ridge' or 'l1'",
            stacklevel=stacklevel,
        )
