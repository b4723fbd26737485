"""Codes whose size follows from the number of classes."""

import numpy as np

from heliast._core.errors import InputError
from heliast._core.told import told
from heliast.codes._random import random
from heliast.codes.matrix import Code, check_k, dichotomies


@told(random, returns="array: The code, (k, k).", raises="If `k` is below 2.")
def identity(k: int) -> Code:
    """One column a class, that class against the rest: all rows differ in 2 columns.

    Bayes consistent, but with little redundancy: no wrong column can be corrected.

    Examples
    --------
    >>> identity(3)
    array([[1, 0, 0],
           [0, 1, 0],
           [0, 0, 1]])
    """
    return np.eye(check_k(k), dtype=np.int64)


LARGEST = 12
"""The most classes: 13 would already need 4,095 columns."""


@told(returns="array: The code, (k, 2^(k-1) - 1).", raises="If `k` is outside 2 to 12.")
def exhaustive(k: int) -> Code:
    """Every way to put k classes on two sides, once: 2^(k-1) - 1 columns.

    All rows differ in 2^(k-2) columns, so that the code is Bayes consistent. The first class is
    always on side 1. Refused beyond 12 classes.

    Parameters
    ----------
    k : int
        Number of classes, 2 to 12.

    Examples
    --------
    >>> exhaustive(3)
    array([[1, 1, 1],
           [0, 0, 1],
           [0, 1, 0]])

    References
    ----------
    Dietterich and Bakiri (1995), Journal of Artificial Intelligence Research 2, 263-286.
    """
    k = check_k(k)
    if k > LARGEST:
        raise InputError(
            f"codes.exhaustive(k={k}) would need {dichotomies(k):,} columns; it stops at "
            f"k={LARGEST}. Take codes.hadamard, codes.designed or codes.random"
        )
    others = np.arange(dichotomies(k))  # the other classes on side 1, as bits; never all of them
    places = np.arange(k - 2, -1, -1)[:, None]
    return np.vstack([np.ones_like(others), others[None, :] >> places & 1])


@told(random, returns="array: The code, (k, n - 1).", raises="If `k` is below 2.")
def hadamard(k: int) -> Code:
    """k rows of a Hadamard matrix of order n without its constant column: n - 1 columns.

    n is the smallest power of 2 that is at least k. All rows differ in n/2 columns, so that the
    code is Bayes consistent (theorem 1 of the thesis) with fewer than 2k columns.

    Examples
    --------
    >>> hadamard(4)
    array([[1, 1, 1],
           [0, 1, 0],
           [1, 0, 0],
           [0, 0, 1]])
    >>> hadamard(26).shape
    (26, 31)

    References
    ----------
    Sylvester (1867), Philosophical Magazine 34, 461-475.
    """
    k = check_k(k)
    order = 1 << (k - 1).bit_length()
    # Rows 0, 1, 2, 4, ... are among the first k: so no column is constant and no two are equal.
    # Class 0 is on side 1 everywhere: a word of zeros would be invisible to least squares.
    return 1 - parity(np.arange(k)[:, None] & np.arange(1, order)[None, :])


def parity(numbers: Code) -> Code:
    """Whether a number has an odd count of ones in binary."""
    return np.bitwise_count(numbers).astype(np.int64) & 1
