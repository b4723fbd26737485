"""Equidistant codes from Hadamard matrices."""

import numpy as np

from heliast.codes._matrix import Code, check_k


def hadamard(k: int) -> Code:
    """k rows of a Hadamard matrix of order n without its constant column: n - 1 columns.

    n is the smallest power of 2 that is at least k. All rows differ in n/2 columns, so that the
    code is Bayes consistent (theorem 1 of the thesis) with fewer than 2k columns.

    >>> hadamard(4)
    array([[1, 1, 1],
           [0, 1, 0],
           [1, 0, 0],
           [0, 0, 1]])
    >>> hadamard(26).shape
    (26, 31)

    Reference: Sylvester (1867), Philosophical Magazine 34, 461-475.
    """
    k = check_k(k)
    order = 1 << (k - 1).bit_length()
    # Rows 0, 1, 2, 4, ... are among the first k: so no column is constant and no two are equal.
    # Class 0 is on side 1 everywhere: a word of zeros would be invisible to least squares.
    return 1 - parity(np.arange(k)[:, None] & np.arange(1, order)[None, :])


def parity(numbers: Code) -> Code:
    """Whether a number has an odd count of ones in binary."""
    return np.bitwise_count(numbers).astype(np.int64) & 1
