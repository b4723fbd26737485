"""Inputs as the tree reads them: numbers, and the numbers of nominal values."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array


def as_numbers(X: Array) -> Array:
    """Rows of float64; those of float32, which may lie in a file, stay as they are."""
    X = np.asarray(X)
    return np.ascontiguousarray(X, dtype=np.float32 if X.dtype == np.float32 else np.float64)


class Inputs:
    """Which columns are nominal, and the texts that their numbers stand for.

    Columns of numbers stay as they are, nominal or not. A column that holds text is nominal, its
    values are numbered in sorted order; a text that was not there when fitting gets a number that
    no split knows.
    """

    def __init__(self, X: Array, nominal: Any, names: Sequence[str] | None) -> None:
        flags = nominal_flags(nominal, X.shape[1], names)
        self.texts: dict[int, list[str]] = {}
        if X.dtype.kind in "OUST":
            for f in range(X.shape[1]):
                known = [value for value in X[:, f].tolist() if not _is_missing(value)]
                if any(isinstance(value, str) for value in known):
                    self.texts[f] = sorted(set(map(str, known)))
                    flags[f] = True
        self.nominal = flags

    def matrix(self, X: Array) -> Array:
        """The inputs as numbers."""
        if X.dtype.kind not in "OUST":
            return as_numbers(X)
        columns = [self._column(X[:, f], f) for f in range(X.shape[1])]
        return np.ascontiguousarray(np.array(columns, dtype=np.float64).T)

    def _column(self, values: Array, f: int) -> Array:
        if f not in self.texts:
            try:
                return np.array([np.nan if _is_missing(v) else float(v) for v in values.tolist()])
            except ValueError:
                raise InputError(
                    f"column {f} holds text, but numbers when the tree was fitted"
                ) from None
        number = {text: float(code) for code, text in enumerate(self.texts[f])}
        unseen = float(len(number))
        return np.array(
            [np.nan if _is_missing(v) else number.get(str(v), unseen) for v in values.tolist()]
        )

    def written(self, f: int, value: float) -> str:
        """A nominal value as the user wrote it."""
        return self.texts[f][int(value)] if f in self.texts else f"{value:g}"


def _is_missing(value: Any) -> bool:
    return value is None or bool(value != value)


def nominal_flags(nominal: Any, d: int, names: Sequence[str] | None = None) -> Array:
    """Which of d columns are nominal: from column numbers, names or a mask.

    >>> nominal_flags([0, -1], 3)
    array([ True, False,  True])
    """
    flags = np.zeros(d, bool)
    if nominal is None:
        return flags
    columns = np.asarray(nominal)
    if columns.dtype == bool and columns.shape == (d,):
        return columns.copy()
    known = [] if names is None else list(names)
    for column in columns.tolist():
        if column in known:
            column = known.index(column)
        if not isinstance(column, int) or not -d <= column < d:
            raise InputError(f"nominal: {column!r} is no column; there are {d}")
        flags[column] = True
    return flags
