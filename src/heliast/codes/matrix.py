"""A code as an array, and what every code is checked for."""

from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.told import told

Code = npt.NDArray[np.int64]
"""(k, B) of 0 and 1: row i is the code word of class i, column j the j-th question."""


@told(
    {
        "code": "array-like: What should be a code: numbers or truths, (k, B).",
        "k": "int, optional: The number of rows that it must have; None takes any of at least 2.",
    },
    returns="array: The same as whole numbers, (k, B).",
    raises="If it has other values, fewer than two rows, no column, or not `k` rows.",
)
def as_code(code: npt.ArrayLike, k: int | None = None) -> Code:
    """The array as a code, or an error that says what is wrong with it.

    Refused: anything but 0 and 1, fewer than two classes, no column. Constant columns and equal
    rows are allowed (theorems 3 to 5 of the thesis assume that they may occur); `describe` says.

    Examples
    --------
    >>> as_code([[True, False], [False, True]])
    array([[1, 0],
           [0, 1]])
    """
    found = np.asarray(code)
    if found.ndim != 2 or found.shape[0] < 2 or found.shape[1] < 1:
        raise InputError(
            f"code has shape {found.shape}: give a row for each of two or more classes, "
            "and a column for each question"
        )
    if found.dtype.kind not in "biuf" or not ((found == 0) | (found == 1)).all():
        raise InputError(f"code holds {_strange(found)}: a code holds only 0 and 1")
    if k is not None and found.shape[0] != k:
        raise InputError(f"code has {found.shape[0]} rows for {k} classes: give a row for each")
    return found.astype(np.int64)


def _strange(found: npt.NDArray[Any]) -> str:
    odd = [value for value in found.ravel().tolist() if value not in (0, 1)]
    return repr(odd[0]) if odd else f"values of type {found.dtype}"


def check_k(k: int) -> int:
    """The number of classes, which is a whole number of at least 2."""
    if isinstance(k, bool) or k != int(k) or k < 2:
        raise InputError(f"k={k!r}: a code needs a whole number of classes, at least 2")
    return int(k)


def check_columns(columns: int) -> int:
    """The number of columns, which is a whole number of at least 1."""
    if isinstance(columns, bool) or columns != int(columns) or columns < 1:
        raise InputError(f"columns={columns!r}: a code needs a whole number of columns, at least 1")
    return int(columns)


def dichotomies(k: int) -> int:
    """How many ways there are to put k classes on two sides: 2^(k-1) - 1.

    >>> dichotomies(4)
    7
    """
    return (1 << (k - 1)) - 1


def tells_apart(k: int, columns: int) -> bool:
    """Whether so many columns can give each class a word of its own: columns >= log2 k."""
    return columns >= (k - 1).bit_length()


def too_few(name: str, k: int, columns: int) -> str:
    """What is said of a code with fewer than log2 k columns."""
    return (
        f"codes.{name}(k={k}, columns={columns}): {columns} columns make at most {2**columns} "
        f"words, so that some of the {k} classes share one and cannot be told apart; "
        f"{(k - 1).bit_length()} columns are needed"
    )


def equal_rows(code: npt.NDArray[Any]) -> bool:
    """Whether two classes have the same word."""
    words = {row.tobytes() for row in np.ascontiguousarray(code)}
    return len(words) < len(code)


def sides(code: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The columns with class 0 on side 0: complementary columns become equal."""
    return np.asarray(code ^ code[:1])


def wasted_columns(code: npt.NDArray[Any]) -> tuple[int, int]:
    """(constant columns, columns that repeat or complement another)."""
    columns = np.ascontiguousarray(sides(code).T)
    constant = int((~columns.any(axis=1)).sum())
    distinct = len({column.tobytes() for column in columns[columns.any(axis=1)]})
    return constant, columns.shape[0] - constant - distinct
