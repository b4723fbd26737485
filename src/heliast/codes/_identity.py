"""One class against the rest."""

import numpy as np

from heliast.codes._matrix import Code, check_k


def identity(k: int) -> Code:
    """One column a class, that class against the rest: all rows differ in 2 columns.

    Bayes consistent, but with little redundancy: no wrong column can be corrected.

    >>> identity(3)
    array([[1, 0, 0],
           [0, 1, 0],
           [0, 0, 1]])
    """
    return np.eye(check_k(k), dtype=np.int64)
