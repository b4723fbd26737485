"""The difference of two estimates from the limits that each has by itself."""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

Pair = tuple[float, float]

LEAST_P = 1e-15
"""Levels nearer to 1 than this are 1."""


@dataclass(frozen=True)
class Mover:
    """Square-and-add: the distances of two values to their own limits, squared, added, rooted.

    With l and u the limits of each, low = a - b - sqrt((a - l_a)^2 + (u_b - b)^2
    - 2 r (a - l_a)(u_b - b)), and high with the other limits; r is how the two vary together. What
    the limits of each know of the ends of its range, their difference knows too (Zou and Donner
    2008, Construction of confidence limits about effect measures; Newcombe 1998 for rates).
    `own` gives the limits of the first (0) or second (1) at a level.

    >>> both = Mover((0.9, 0.7), lambda which, level: (0.8, 0.95) if which == 0 else (0.6, 0.8), 0)
    >>> [round(end, 3) for end in both.limits(0.95)]
    [0.059, 0.312]
    """

    values: Pair
    own: Callable[[int, float], Pair]
    together: float

    @property
    def value(self) -> float:
        """The first less the second."""
        return self.values[0] - self.values[1]

    def limits(self, level: float) -> Pair:
        """The limits of the difference."""
        (a, b), (low_a, high_a), (low_b, high_b) = (
            self.values,
            self.own(0, level),
            self.own(1, level),
        )
        down = added(a - low_a, high_b - b, self.together)
        return self.value - down, self.value + added(high_a - a, b - low_b, self.together)

    @property
    def p(self) -> float:
        """1 less the level at which the limits meet 0."""
        from scipy.optimize import brentq

        if self.value == 0:
            return 1.0
        side, sign = (0, 1.0) if self.value > 0 else (1, -1.0)

        def gap(logarithm: float) -> float:
            return sign * self.limits(1 - 10**logarithm)[side]

        # From the level at which limits are hardly any, to the last that is not 1.
        if gap(-15.0) > 0:
            return LEAST_P
        return float(10 ** brentq(gap, -15.0, -1e-9, xtol=1e-6)) if gap(-1e-9) > 0 else 1.0


def added(one: float, other: float, together: float) -> float:
    """Two distances that vary together: sqrt(x^2 + y^2 - 2 r x y).

    >>> added(3.0, 4.0, 0.0)
    5.0
    """
    return sqrt(max(0.0, one**2 + other**2 - 2 * together * one * other))
