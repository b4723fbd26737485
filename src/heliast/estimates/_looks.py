"""Planned looks: the boundary of each, so that all together err no more than one look would."""

from functools import cache
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.level import check_level

Array = npt.NDArray[Any]
MOST_LOOKS = 50
CERTAIN = 1 - 1e-15
"""No level is handed on that is 1 but for rounding."""


@cache
def look_boundaries(looks: int, level: float = 0.95) -> tuple[float, ...]:
    """How many standard errors off the bar decide at each of some equally spaced looks.

    Each side may spend a(t) = 2 - 2 Phi(z / sqrt(t)) of a = (1 - level) / 2 up to the share t of
    the rows, z the normal quantile at 1 - a/2: little early, as O'Brien and Fleming do. Boundary k
    solves P(beyond it at look k, and inside all before) = a(k / K) - a((k - 1) / K). The sum of
    rows seen is a random walk; its density inside the boundaries is integrated from look to look.

    Parameters
    ----------
    looks : int
        How many looks are planned, the last one with all rows.
    level : float
        The confidence level of all looks together, two-sided.

    Returns
    -------
    tuple of float
        The boundary of each look, in standard errors.

    Raises
    ------
    InputError
        If `looks` is not a whole number from 1 to 50.

    Examples
    --------
    >>> [round(z, 3) for z in look_boundaries(5)]
    [4.877, 3.357, 2.68, 2.29, 2.031]

    References
    ----------
    K. K. G. Lan and D. L. DeMets (1983), Discrete sequential boundaries for clinical trials.
    P. Armitage, C. K. McPherson and B. C. Rowe (1969), Repeated significance tests on
    accumulating data.
    """
    from scipy.optimize import brentq
    from scipy.special import ndtr, ndtri

    check_level(level)
    if not (isinstance(looks, int) and 1 <= looks <= MOST_LOOKS):
        raise InputError(f"looks={looks!r}: plan 1 to {MOST_LOOKS} looks")
    share = np.arange(1, looks + 1) / looks
    spent = 2 * ndtr(ndtri((1 - level) / 4) / np.sqrt(share))
    spend = np.diff(spent, prepend=0.0)
    nodes, weights = np.polynomial.legendre.leggauss(200)
    step = sqrt(1 / looks)
    at, mass = np.zeros(1), np.ones(1)  # where the walk is, and with what probability
    found = []
    for now, use in zip(share, spend, strict=True):

        def excess(bar: float, at: Array = at, mass: Array = mass, use: float = use) -> float:
            return float(mass @ ndtr((at - bar) / step) - use)

        bar = float(brentq(excess, 0.0, 20.0, xtol=1e-12))
        inside = bar * nodes
        moved = np.exp(-(((inside[:, None] - at) / step) ** 2) / 2) / (step * sqrt(2 * np.pi))
        at, mass = inside, bar * weights * (moved @ mass)
        found.append(bar / sqrt(now))
    return tuple(found)


def look_level(look: int, looks: int, level: float = 0.95) -> float:
    """The level at which look number `look` of `looks` planned ones is to be judged.

    A look is a level: 2 Phi(z) - 1 of its boundary z, handed to any interval. See
    `look_boundaries`.

    Parameters
    ----------
    look : int
        Which look this is, from 1.
    looks : int
        How many looks are planned.
    level : float
        The confidence level of all looks together.

    Returns
    -------
    float
        The level of this look.

    Raises
    ------
    InputError
        If there is no such look.

    Examples
    --------
    >>> round(look_level(2, 5), 5), round(look_level(5, 5), 4)
    (0.99921, 0.9577)
    """
    from scipy.special import ndtr

    boundaries = look_boundaries(looks, level)
    if not 1 <= look <= looks:
        raise InputError(f"look {look} of {looks}: looks are counted from 1 to {looks}")
    return min(CERTAIN, float(1 - 2 * ndtr(-boundaries[look - 1])))
