"""Squared errors whose largest values may not have been seen: an upper limit that allows for them.

The mean of squares is decided by the few largest errors, and a sample that happens to hold none of
them looks steady: with errors of Student's t with 3 degrees of freedom the usual limits of 200 rows
cover 78 to 85%, and say least where they miss. What the largest quarter of the errors says of the
tail beyond is put into the upper limit instead.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import exp, inf, lgamma, pi

import numpy as np

from heliast._core.kinds import Array
from heliast._core.level import quantile
from heliast.estimates._registry import Case, Limits
from heliast.estimates._spread import spread
from heliast.measures.forms import Mean
from heliast.predictions import Rows
from heliast.predictions.scan import ScannedRows

FEWEST = 20
"""Errors from which on a quarter of them says anything."""
BODY = 0.75
"""The share of the smaller errors, of which only their number counts."""
DEGREES = np.array([3.0, 3.5, 4.0, 5.0, 6.0, 8.0, 11.0, 16.0, 30.0, 100.0, 1e4])
"""Degrees of freedom that are tried: tails no heavier than those of t with 3, to normal ones."""
STEPS = 32
"""Bins of an octave of squared errors: their means stand for them."""
WORDS = "upper limit from the tail of the errors"


def allow_for_tails(case: Case, limits: Limits) -> Limits:
    """The limits of a mean of squared errors, the upper one at least as high as tails allow.

    Errors beyond the 75% quantile of their size are taken to follow Student's t with an unknown
    scale and at least 3 degrees of freedom; of the others only the number counts. The upper limit
    is where the likelihood of the mean square, the largest over all degrees of freedom, falls below
    that of its maximum by q^2/2 (Wilks 1938; the t for errors: Lange, Little and Taylor 1989). With
    groups, weights or several splits the rows count as many as they are worth.
    """
    form = case.formed(Mean)
    if not form.squared or limits.reason or form.losses is None:
        return limits
    tail = Tail.of(_squares(form, case.rows))
    found = spread(case)
    variance = found.variance * case.wider**2
    if tail is None or not variance > 0:
        return limits
    worth = tail.variance / variance
    fall = quantile(case.level, found.df) ** 2 / 2 * tail.n / worth
    high = tail.upper(fall)
    if not limits.high < high < inf:
        return limits
    return replace(limits, high=high, method=f"{limits.method}, {WORDS}")


def _squares(form: Mean, rows: Rows) -> Iterator[tuple[Array, Array | None]]:
    assert form.losses is not None
    for chunk in rows.chunks() if isinstance(rows, ScannedRows) else (rows,):
        yield form.losses(chunk), chunk.weight


@dataclass(frozen=True)
class Tail:
    """The largest squared errors: their means and numbers in bins, and what lies below them."""

    n: float
    mean: float
    variance: float
    squares: Array
    numbers: Array
    below: float
    """The square below which the others are, and how many they are."""
    rest: float

    @classmethod
    def of(cls, parts: Iterator[tuple[Array, Array | None]]) -> "Tail | None":
        """From squared errors and their weights; None where they are too few or all alike."""
        numbers: dict[float, float] = {}
        sums: dict[float, float] = {}
        total = np.zeros(3)
        for squares, weight in parts:
            weight = np.ones(squares.size) if weight is None else np.asarray(weight, np.float64)
            total += weight.sum(), weight @ squares, weight @ squares**2
            some = (squares > 0) & (weight > 0)
            code, place = np.unique(np.floor(STEPS * np.log2(squares[some])), return_inverse=True)
            for into, values in ((numbers, weight[some]), (sums, (weight * squares)[some])):
                for at, value in zip(code, np.bincount(place, values, code.size), strict=True):
                    into[at] = into.get(at, 0.0) + value
        n = float(total[0])
        if n < FEWEST or not numbers:
            return None
        mean = float(total[1]) / n
        codes = np.array(sorted(numbers))
        counts = np.array([numbers[at] for at in codes])
        above = np.cumsum(counts[::-1])[::-1]
        first = max(0, int(np.sum(above >= (1 - BODY) * n)) - 1)
        means = np.array([sums[at] for at in codes[first:]]) / counts[first:]
        below = float(2.0 ** (codes[first] / STEPS))
        variance = float(total[2]) / n - mean**2
        rest = n - float(counts[first:].sum())
        return cls(n, mean, variance, means, counts[first:], below, rest)

    def upper(self, fall: float) -> float:
        """The largest mean square whose likelihood is below the best by no more than `fall`."""
        best, at = self._highest()
        step, most = 0.1, at
        while self.likelihood(most) >= best - fall and most - at < 8:
            most += step
            step *= 1.5
        least = at
        for _ in range(40):
            middle = (least + most) / 2
            if self.likelihood(middle) >= best - fall:
                least = middle
            else:
                most = middle
        return exp(most) * self.mean

    def _highest(self) -> tuple[float, float]:
        """The largest likelihood and where it is, by golden sections around the mean."""
        low, high, ratio = -2.0, 3.0, (5**0.5 - 1) / 2
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        of_a, of_b = self.likelihood(a), self.likelihood(b)
        for _ in range(40):
            if of_a >= of_b:
                high, b, of_b = b, a, of_a
                a = high - ratio * (high - low)
                of_a = self.likelihood(a)
            else:
                low, a, of_a = a, b, of_b
                b = low + ratio * (high - low)
                of_b = self.likelihood(b)
        return max((of_a, a), (of_b, b))

    def likelihood(self, size: float) -> float:
        """The log likelihood of the mean square exp(size) times the mean, of the best degrees."""
        from scipy.special import stdtr

        scale = exp(size) * self.mean * (DEGREES - 2) / DEGREES
        constant = np.array([lgamma((v + 1) / 2) - lgamma(v / 2) for v in DEGREES])
        constant -= (np.log(DEGREES * pi) + np.log(scale)) / 2
        far = np.log1p(self.squares[:, None] / (DEGREES * scale)) * (DEGREES + 1) / 2
        found = self.numbers.sum() * constant - self.numbers @ far
        if self.rest > 0:
            inside = 2 * stdtr(DEGREES, np.sqrt(self.below / scale)) - 1
            found += self.rest * np.log(np.maximum(inside, 1e-300))
        return float(found.max())
