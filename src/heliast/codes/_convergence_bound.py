"""How fast more columns make the vote settle."""

from typing import Any

import numpy as np

from heliast._core.errors import InputError


def convergence_bound(k: int, gap: Any, columns: Any, printed: bool = False) -> Any:
    """How far the error with B columns can be from its limit: (k - 1) exp(-B gap^2 / 8), at most 1.

    For a code of independent fair bits. `gap` is the difference between the two largest limits
    of D-bar at the point in question. The bound is Hoeffding's: a difference of two D-bars is a
    mean of B terms in [-2, 2]. The thesis prints the exponent gap / 8, which does not hold;
    `printed=True` computes it (rows 0.2 and 0.5 of its table 2.2 follow gap^2, row 0.9 gap).

    >>> convergence_bound(10, 0.5, 100).round(3)
    np.float64(0.395)
    >>> convergence_bound(10, 0.9, [50, 100]).round(4)
    array([0.057 , 0.0004])

    References: James (1998), Majority Vote Classifiers, theorem 5; Hoeffding (1963), Journal of the
    American Statistical Association 58, 13-30.
    """
    gap, columns = np.asarray(gap, np.float64), np.asarray(columns, np.float64)
    if not ((gap >= 0) & (gap <= 2)).all():
        raise InputError(f"gap={gap!s}: a difference of two D-bars lies between 0 and 2")
    if k < 2 or not (columns >= 0).all():
        raise InputError(f"k={k!r}, columns={columns!s}: two or more classes, no negative columns")
    exponent = (gap if printed else gap**2) / 8
    return np.minimum(1.0, (k - 1) * np.exp(-exponent * columns))
