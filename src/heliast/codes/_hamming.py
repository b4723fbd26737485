"""Distances between the words of a code."""

from typing import Any

import numpy as np

from heliast.codes._matrix import Code, as_code


def hamming(code: Any) -> Code:
    """In how many columns two classes differ: the (k, k) distances between the rows.

    D_il = sum over j of |Z_ij - Z_lj|. The smallest says how many wrong columns can be corrected;
    `hamming(code.T)` gives the distances between columns, where k means the same question asked
    the other way round.

    >>> hamming([[0, 1, 1], [0, 0, 0], [1, 1, 0], [1, 0, 0]])
    array([[0, 2, 2, 3],
           [2, 0, 2, 1],
           [2, 2, 0, 1],
           [3, 1, 1, 0]])

    Reference: Hamming (1950), Bell System Technical Journal 29, 147-160.
    """
    words = np.atleast_2d(np.asarray(code))
    return between_rows(as_code(words) if words.shape[0] > 1 else words)


def between_rows(code: Any) -> Code:
    """The same, unchecked."""
    signs = 1.0 - 2.0 * np.asarray(code, np.float64)  # in floats: a product of BLAS, exact
    found: Code = np.rint((signs.shape[1] - signs @ signs.T) / 2).astype(np.int64)
    return found


def between_columns(code: Any) -> Code:
    """(B, B): how far two columns are from asking the same question, min(d, k - d)."""
    distances = between_rows(np.asarray(code).T)
    found: Code = np.minimum(distances, np.asarray(code).shape[0] - distances)
    return found


def smallest(distances: Code) -> int:
    """The smallest distance between two different words; of a single word, 0."""
    n = distances.shape[0]
    return int(distances[~np.eye(n, dtype=bool)].min()) if n > 1 else 0
