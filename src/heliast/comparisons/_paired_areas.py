"""Two areas under the ROC curve on the same rows: how they vary, also near 1 with few rows."""

from dataclasses import dataclass
from math import nan, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.clusters import adjusted, equal_groups
from heliast._core.level import quantile
from heliast._kernels.ranking import placements
from heliast.comparisons._mover import Mover
from heliast.estimates import plain_variance, score_limits

Array = npt.NDArray[Any]
Pair = tuple[float, float]

SEEN = 10.0
"""So many rows' worth of placements weigh as much as the law that holds without any."""


@dataclass(frozen=True)
class PairedAreas:
    """Two areas, their variances and covariance, and the rows that these are known from.

    `sizes` are positives and negatives; `seen` is, for each area, by how many rows its variance is
    decided: (sum u^2)^2 / sum u^4 over the influences u. `alike`: both order the rows alike.
    """

    areas: Pair
    variances: Pair
    covariance: float
    sizes: Pair
    seen: Pair
    df: float | None = None
    alike: bool = False

    @classmethod
    def of(
        cls, own: Array, scores: tuple[Array, Array], group: Array | None = None
    ) -> "PairedAreas":
        """From the truth (true: positive) and two scores of each row."""
        parts = [_influence(own, score) for score in scores]
        units, df = np.stack([part[1] for part in parts]), None
        if group is None:
            size = np.where(own, own.sum(), own.size - own.sum())
            # S^2 / (n - 1) in each class, as DeLong.
            units = units * np.sqrt(size / np.maximum(size - 1, 1e-300))
        else:
            place = np.unique(group, return_inverse=True)[1]
            rows = np.bincount(place)
            units = adjusted(np.stack([np.bincount(place, weights=unit) for unit in units]), rows)
            df = equal_groups(rows) - 1.0
        squares = units**2
        total, fourth = squares.sum(axis=1), (squares**2).sum(axis=1)
        seen = np.divide(total**2, fourth, out=np.zeros(2), where=fourth > 0)
        positive = float(own.sum())
        return cls(
            (parts[0][0], parts[1][0]), (float(total[0]), float(total[1])),
            float((units[0] * units[1]).sum()), (positive, own.size - positive),
            (float(seen[0]), float(seen[1])), df,
            bool((parts[0][1] == parts[1][1]).all()) and _alike(*scores),
        )  # fmt: skip

    @property
    def value(self) -> float:
        """The first area less the second."""
        return self.areas[0] - self.areas[1]

    @property
    def variance(self) -> float:
        """Of the difference; 0 where only rounding is left."""
        found = sum(self.variances) - 2 * self.covariance
        return found if found > 1e-12 * sum(self.variances) else 0.0

    def plain(self, level: float) -> Pair:
        """value +- q se, cut at -1 and 1."""
        half = quantile(level, self.df) * sqrt(self.variance)
        return max(-1.0, self.value - half), min(1.0, self.value + half)

    @property
    def mover(self) -> Mover:
        """From the score limits of each area."""
        va, vb = self.variances
        together = self.covariance / sqrt(va * vb) if va > 0 and vb > 0 else 0.0
        return Mover(self.areas, self._own, together)

    def _own(self, which: int, level: float) -> Pair:
        """The score limits of one area.

        Its variance is that of an area like it (`plain_variance`) times c, where c = V/plain when
        that is above 1. Below, few misplaced rows say little of how small V is, so c = (V/plain)^w
        with w = seen / (seen + 10).
        """
        area, variance, seen = self.areas[which], self.variances[which], self.seen[which]
        usual = plain_variance(area, self.sizes)
        factor = variance / usual if usual > 0 and variance > 0 else 1.0
        if factor < 1:
            factor **= seen / (seen + SEEN)
        return score_limits(area, nan, self.sizes, quantile(level, self.df) * sqrt(factor))

    def limits(self, level: float) -> Pair:
        """The outer ends of both, cut at -1 and 1: near 1 the plain ones cover far too little."""
        (low, high), (least, most) = self.plain(level), self.mover.limits(level)
        return max(-1.0, min(low, least)), min(1.0, max(high, most))

    @property
    def plain_p(self) -> float:
        """DeLong's: from value / se. NaN without spread."""
        from scipy.special import ndtr, stdtr

        if not self.variance:
            return nan
        z = abs(self.value) / sqrt(self.variance)
        return float(2 * (ndtr(-z) if self.df is None else stdtr(self.df, -z)))

    @property
    def p(self) -> float:
        """1 less the level at which `limits` meet 0."""
        return max(self.mover.p, self.plain_p) if self.variance else self.mover.p


def _influence(own: Array, score: Array) -> tuple[float, Array]:
    """The area, and what each row adds to it: its placement less the area, over its class size."""
    placed = placements(own.astype(np.int8), score, None)
    area = float(placed[own].mean()) if own.any() else nan
    size = np.where(own, own.sum(), own.size - own.sum())
    return area, (placed - area) / size


def _alike(a: Array, b: Array) -> bool:
    from scipy.stats import rankdata

    return bool(np.array_equal(rankdata(a), rankdata(b)))
