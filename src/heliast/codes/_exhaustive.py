"""Every question once."""

import numpy as np

from heliast._core.errors import InputError
from heliast.codes._matrix import Code, check_k, dichotomies

LARGEST = 12
"""The most classes: 13 would already need 4,095 columns."""


def exhaustive(k: int) -> Code:
    """Every way to put k classes on two sides, once: 2^(k-1) - 1 columns.

    All rows differ in 2^(k-2) columns, so that the code is Bayes consistent. The first class is
    always on side 1. Refused beyond 12 classes.

    >>> exhaustive(3)
    array([[1, 1, 1],
           [0, 0, 1],
           [0, 1, 0]])

    Reference: Dietterich and Bakiri (1995), Journal of Artificial Intelligence Research 2, 263-286.
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
