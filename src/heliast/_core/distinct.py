"""How many different values there are."""

import numpy as np

from heliast._core.kinds import Array

ROOM = 4
"""Whole numbers spread over no more than this times their count are ticked off in a list."""


def distinct(values: Array) -> int:
    """The number of different values: one pass, without sorting, for the numbers of rows.

    >>> distinct(np.array([7, 3, 7])), distinct(np.array(["b", "a"])), distinct(np.array([], int))
    (2, 2, 0)
    """
    if not compact(values):
        return int(np.unique(values).size)
    least, most = int(values.min()), int(values.max())
    there = np.zeros(most - least + 1, bool)
    there[values.astype(np.int64) - least if least else values] = True
    return int(np.count_nonzero(there))


def compact(values: Array) -> bool:
    """Whether these are whole numbers that lie close together, as numbers of rows do.

    >>> compact(np.arange(5)), compact(np.array([0, 10**12])), compact(np.array([0.5]))
    (True, False, False)
    """
    if values.dtype.kind not in "iu" or not values.size:
        return False
    return int(values.max()) - int(values.min()) < ROOM * values.size + 1024
