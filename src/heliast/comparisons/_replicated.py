"""The law of a difference from replicates: their quantiles, with fitted tails beyond them."""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

DENSE = 0.01
"""Beyond this share of replicates on either side a normal tail, scaled to reach it, goes on."""


def replicated_at(values: Array, z: float) -> float:
    """The point that lies z normal standard deviations out: a quantile, or on the fitted tail.

    The tail of each side has the scale at which it meets the 1% quantile, so that limits at high
    levels are not the few most extreme replicates (Hall 1988, Theoretical comparison of bootstrap
    confidence intervals, on why each side needs its own).

    >>> values = np.arange(1001.0)
    >>> replicated_at(values, 0.0), round(replicated_at(values, -4.0), 1)
    (500.0, -342.5)
    """
    from scipy.special import ndtr

    if abs(z) <= _edge():
        return float(np.quantile(values, ndtr(z)))
    middle, scale = _side(values, z < 0)
    return middle + scale * z


def replicated_z(values: Array, point: float) -> float:
    """How many normal standard deviations out a point lies: the inverse of `replicated_at`.

    Replicates equal to the point count half.

    >>> round(replicated_z(np.arange(1001.0), -342.6), 2)
    -4.0
    """
    from scipy.special import ndtri

    for below in (True, False):
        end = float(np.quantile(values, DENSE if below else 1 - DENSE))
        if point < end if below else point > end:
            middle, scale = _side(values, below)
            return (point - middle) / scale
    share = (np.count_nonzero(values < point) + np.count_nonzero(values <= point)) / 2
    return float(ndtri(np.clip(share / values.size, DENSE, 1 - DENSE)))


def _side(values: Array, below: bool) -> tuple[float, float]:
    """The middle, and the scale of one side; where half of the values are one, their spread."""
    middle, end = np.quantile(values, [0.5, DENSE if below else 1 - DENSE]).tolist()
    return middle, abs(end - middle) / _edge() or float(values.std())


def _edge() -> float:
    from scipy.special import ndtri

    return float(-ndtri(DENSE))
