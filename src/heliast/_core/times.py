"""Rows in order of time: how much a sum varies where neighbours are alike."""

import numpy as np

from heliast._core.kinds import Array

FEWEST = 10
"""Below this many times neither an interval nor a test is given."""
STRONGEST = 0.97
"""Stronger dependence of neighbours than this is taken as this: no row would tell anything."""


def long_run(sums: Array) -> tuple[Array, float]:
    """Units whose squares add up to the variance of a sum over time, and its degrees of freedom.

    `sums` holds in m lines what each time adds to m estimates, mean zero. An autoregression of
    order one takes off what a time owes to the one before (Andrews and Monahan 1992, An improved
    heteroskedasticity and autocorrelation consistent covariance matrix estimator). The long-run
    variance of the rest is the mean square of its first B cosines (Phillips 2005; Lazarus, Lewis,
    Stock and Watson 2018, HAR inference: recommendations for practice, with B = 0.41 T^(2/3)); it
    is divided by (1 - r)^2 to give back what was taken off. B cosines have B degrees of freedom;
    r varies by (1 - r^2) / T, so the log of the variance varies by 2/B + 4 (1 + r) / ((1 - r) T),
    and twice the inverse of this is the number that Student's t is given (fixed-b, Kiefer and
    Vogelsang 2005; measured in docs/coverage.md).

    >>> units, df = long_run(np.array([[1.0, -1.0, 2.0, -2.0] * 25]))
    >>> units.shape, round(df, 1)
    ((1, 8), 6.9)
    """
    from scipy.fft import dct

    away = sums - sums.mean(axis=1, keepdims=True)
    total = float((away**2).sum())
    times = sums.shape[1]
    follows = float((away[:, 1:] * away[:, :-1]).sum()) / total if total > 0 else 0.0
    r = min(max(follows, 0.0), STRONGEST)
    rest = away[:, 1:] - r * away[:, :-1]
    left = times - 1
    cosines = max(1, int(0.41 * left ** (2 / 3)))
    waves = dct(rest, type=2, axis=1)[:, 1 : cosines + 1] / np.sqrt(2 * left)
    units: Array = waves * (np.sqrt(times / cosines) / (1 - r))
    return units, 2 / (2 / cosines + 4 * (1 + r) / ((1 - r) * left))
