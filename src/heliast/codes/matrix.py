"""Codes as arrays: what makes a code, distances between its rows, and columns that are wasted."""

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.kinds import ArrayLike

# (k, B) of 0 and 1: row i is the code word of class i, column j the sides of binary problem j.
Code = npt.NDArray[np.int64]
Rng = np.random.Generator


def as_code(code: ArrayLike, k: int | None = None) -> Code:
    """Return `code` as an integer array after checking that it is a code.

    Constant columns and equal rows are allowed (theorems 3 to 5 of the thesis assume that they may
    occur); `describe` reports them.

    Parameters
    ----------
    code : array-like
        Matrix of 0 and 1 (or booleans), (k, B), with two rows and one column at least.
    k : int, optional
        Number of classes that it must be for.

    Returns
    -------
    array
        The code, (k, B).

    Raises
    ------
    InputError
        If it has other values, fewer than two rows, no column, or not `k` rows.

    Examples
    --------
    >>> as_code([[True, False], [False, True]])
    array([[1, 0],
           [0, 1]])
    """
    array = np.asarray(code)
    if array.ndim != 2 or array.shape[0] < 2 or array.shape[1] < 1:
        raise InputError(
            f"code has shape {array.shape}: give a row for each of two or more classes, "
            "and a column for each binary problem"
        )
    if k is not None and len(array) != k:
        raise InputError(f"code has {len(array)} rows for {k} classes: give one row per class")
    return as_bits(array)


def as_bits(values: npt.NDArray[Any]) -> Code:
    """Return the array as integers if it holds only 0 and 1."""
    other = values[(values != 0) & (values != 1)]
    if other.size:
        raise InputError(f"code holds {other.tolist()[0]!r}: a code holds only 0 and 1")
    return values.astype(np.int64)


def check_count(name: str, value: int, least: int) -> int:
    """Return a number of classes or columns as an integer of at least `least`."""
    if isinstance(value, bool) or value != int(value) or value < least:
        raise InputError(f"{name}={value!r}: give a whole number, {least} or more")
    return int(value)


def warn_if_short(name: str, k: int, columns: int) -> None:
    """Warn that fewer than log2 k columns cannot give each class its own code word."""
    needed = (k - 1).bit_length()
    if columns < needed:
        warnings.warn(
            f"codes.{name}(k={k}, columns={columns}): {columns} columns make at most {2**columns} "
            f"words, so some of the {k} classes share one; {needed} columns are needed",
            stacklevel=3,
        )


def dichotomies(k: int) -> int:
    """Number of ways to put k classes on two sides: 2^(k-1) - 1.

    >>> dichotomies(4)
    7
    """
    return (1 << (k - 1)) - 1


def bits(numbers: Code, size: int) -> Code:
    """Return the lowest binary digits of the numbers, (size, n).

    >>> bits(np.array([1, 6]), 3)
    array([[1, 0],
           [0, 1],
           [0, 1]])
    """
    return numbers >> np.arange(size)[:, None] & 1


def row_distances(code: Code) -> Code:
    """Return the Hamming distances between the rows, (k, k)."""
    signs = 1.0 - 2.0 * code  # in floats, for BLAS; the products are exact
    return np.asarray((signs.shape[1] - signs @ signs.T) / 2, np.int64)


def without_waste(code: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Drop constant columns and those that repeat or complement an earlier one."""
    sides = code ^ code[:1]  # with class 0 on side 0: complements become equal
    first = np.sort(np.unique(np.packbits(sides, axis=0), axis=1, return_index=True)[1])
    return code[:, first[sides[:, first].any(axis=0)]]


def wasted_columns(code: Code) -> tuple[int, int]:
    """Return the numbers of constant columns, and of columns that repeat or complement another."""
    constant = int((code == code[:1]).all(axis=0).sum())
    return constant, code.shape[1] - constant - without_waste(code).shape[1]
