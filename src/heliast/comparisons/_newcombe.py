"""Intervals for the difference of two proportions seen on the same rows."""

from math import sqrt
from typing import NamedTuple

from heliast._core.level import quantile
from heliast._core.proportions import wilson_limits
from heliast.comparisons._mover import added


class Limits(NamedTuple):
    """The ends and how the method is called."""

    low: float
    high: float
    words: str


def newcombe(both: float, only_a: float, only_b: float, none: float, level: float) -> Limits:
    """Square-and-add with the correlation of the two rates (Newcombe 1998, method 10).

    The distances of each rate to its Wilson limits are added as squares, less twice their product
    times phi. Where phi is positive its numerator is made n/2 smaller, but not negative, as few
    discordant rows make it look too large.

    >>> limits = newcombe(36, 12, 2, 0, 0.95)
    >>> round(limits.low, 4), round(limits.high, 4)
    (0.0569, 0.3404)
    """
    n = both + only_a + only_b + none
    rate_a, rate_b = (both + only_a) / n, (both + only_b) / n
    low_a, high_a = wilson_limits(rate_a, n, level)
    low_b, high_b = wilson_limits(rate_b, n, level)
    phi = _phi(both, only_a, only_b, none)
    value = (only_a - only_b) / n
    down = added(rate_a - low_a, high_b - rate_b, phi)
    up = added(high_a - rate_a, rate_b - low_b, phi)
    return Limits(max(-1.0, value - down), min(1.0, value + up), "; Newcombe interval")


def _phi(both: float, only_a: float, only_b: float, none: float) -> float:
    product = (both + only_a) * (only_b + none) * (both + only_b) * (only_a + none)
    if product == 0:
        return 0.0
    cross = both * none - only_a * only_b
    if cross > 0:
        cross = max(0.0, cross - (both + only_a + only_b + none) / 2)
    return cross / sqrt(product)


def bonett_price(only_a: float, only_b: float, n: float, level: float) -> Limits:
    """Wald with one row added to each discordant cell (Bonett and Price 2012).

    It needs the discordant rows and n alone.
    """
    p, q = (only_a + 1) / (n + 2), (only_b + 1) / (n + 2)
    half = quantile(level) * sqrt((p + q - (p - q) ** 2) / (n + 2))
    return Limits(max(-1.0, p - q - half), min(1.0, p - q + half), "; Bonett-Price interval")
