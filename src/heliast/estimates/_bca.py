"""From replicates to limits: percentile, basic, and bias-corrected and accelerated."""

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Kind = Literal["bca", "percentile", "basic"]
DOMINATED = 0.35
TITLES: dict[Kind, str] = {
    "bca": "BCa bootstrap",
    "percentile": "percentile bootstrap",
    "basic": "basic bootstrap",
}


def ends(
    values: Array, point: float, level: float, kind: Kind, acceleration: float = 0.0
) -> tuple[float, float]:
    """The limits from replicate values.

    `percentile` takes their quantiles, `basic` mirrors those at the point, `bca` moves the levels
    by the median bias z0 and the acceleration (Efron 1987). NaN when BCa has every replicate on
    one side of the point.

    >>> low, high = ends(np.arange(101.0), 50.0, 0.9, "percentile")
    >>> round(low, 9), round(high, 9)
    (5.0, 95.0)
    """
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    if kind == "bca":
        tails = corrected_tails(values, point, tails, acceleration)
        if np.isnan(tails).any():
            return float("nan"), float("nan")
    low, high = np.quantile(values, tails)
    if kind == "basic":
        low, high = 2 * point - high, 2 * point - low
    return float(low), float(high)


def corrected_tails(values: Array, point: float, tails: Array, acceleration: float) -> Array:
    """Phi(z0 + (z0 + z) / (1 - a (z0 + z))): where BCa reads the quantiles."""
    from scipy.special import ndtr, ndtri

    # Replicates equal to the point (discrete measures have many) count half.
    below = (np.count_nonzero(values < point) + np.count_nonzero(values <= point)) / 2
    share = below / values.size
    if not 0 < share < 1:
        return np.full(2, np.nan)
    bias = ndtri(share)
    moved = bias + ndtri(tails)
    scale = 1 - acceleration * moved
    # Where the correction would turn over, the end of the replicates is the limit.
    level: Array = np.where(
        scale > 0, ndtr(bias + moved / np.where(scale > 0, scale, 1.0)), np.where(moved > 0, 1, 0)
    )
    return level


def acceleration(nudges: Array, times: Array | None = None) -> float:
    """Skewness of the influences over 6: sum d^3 / (6 (sum d^2)^1.5), each counted `times`.

    `nudges` are influence values, or the mean of the leave-one-out values less each of them.
    """
    times = np.ones(nudges.size) if times is None else times
    known = np.isfinite(nudges) & (times > 0)
    d, m = nudges[known], times[known]
    square = float((m * d**2).sum())
    return float((m * d**3).sum()) / (6 * square**1.5) if square > 0 else 0.0


def dominated(lean: float) -> tuple[str, ...]:
    """What to say when few rows (or groups) decide a value: r alone make its lean 1/sqrt(r).

    The lean is the skewness of the value itself, six times the acceleration.
    """
    if abs(lean) <= DOMINATED:
        return ()
    return ("a few rows decide most of this value: the interval may be too short",)
