"""Reliability: forecasts and outcomes per bin of the forecast."""

from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add
from typing import Literal

import numpy as np

from heliast._core.kinds import Array
from heliast.measures.summaries.losses import positive_code
from heliast.predictions import Rows

Bins = Literal["width", "spread"]


@dataclass(frozen=True, eq=False)
class Reliability:
    """Per bin of the forecast: weight of rows, sum of forecasts, sum of outcomes; adds up.

    With two classes the forecast is the probability of the positive class and the outcome whether
    it occurred; with more it is the largest probability and whether that class occurred. `moments`
    are the sums per bin of v, v x, v x² and v p (1 - p), where x is forecast less outcome, p the
    forecast and v the weight (squared, for sampling weights).

    >>> rows = Rows("classification", np.array([1, 0]), np.array([1, 0]), np.array([0.9, 0.3]),
    ...             "probability", classes=(0, 1), positive=1)
    >>> Reliability.of(rows, bins=2).outcome
    array([0., 1.])
    """

    weight: Array
    forecast: Array
    outcome: Array
    moments: Array

    @classmethod
    def of(cls, rows: Rows, bins: int = 10, by: Bins = "width") -> "Reliability":
        """Bins of equal width, or of equal summed spread."""
        if by == "width":
            return reduce(add, (cls._of_part(part, bins, by) for part in rows.chunks()))
        return cls._of_part(rows, bins, by)

    @classmethod
    def _of_part(cls, rows: Rows, bins: int, by: Bins) -> "Reliability":
        place = cls.places(rows, bins, by)
        forecast, outcome = forecasts(rows)
        weight = np.ones(rows.n) if rows.weight is None else rows.weight
        heavy = weight**2 if rows.weight_kind == "sampling" else weight
        gap = forecast - outcome
        plain = weight, weight * forecast, weight * outcome
        moments = heavy, heavy * gap, heavy * gap**2, heavy * forecast * (1 - forecast)
        sums = np.stack([np.bincount(place, value, bins) for value in (*plain, *moments)])
        return cls(sums[0], sums[1], sums[2], sums[3:])

    @staticmethod
    def places(rows: Rows, bins: int = 10, by: Bins = "width") -> Array:
        """The bin of each row: of equal width, or of equal summed spread, ties kept together.

        The spread of a row is sqrt(p (1 - p)): bins are as narrow where forecasts are rare but
        outcomes vary as where forecasts are many and all near 0.
        """
        forecast, _ = forecasts(rows)
        if by == "width":
            return np.minimum((forecast * bins).astype(np.intp), bins - 1)
        value, which = np.unique(forecast, return_inverse=True)
        weight = np.bincount(which, weights=rows.weight, minlength=value.size)
        spread = weight * np.sqrt(value * (1 - value) + 1e-4)  # certain forecasts count a little
        middle = (np.cumsum(spread) - spread / 2) / spread.sum()
        # A middle on the border must not change sides with the rounding of its weights.
        place: Array = np.minimum((middle * bins + 1e-9).astype(np.intp), bins - 1)[which]
        return place

    def __add__(self, other: "Reliability") -> "Reliability":
        return Reliability(
            self.weight + other.weight, self.forecast + other.forecast,
            self.outcome + other.outcome, self.moments + other.moments,
        )  # fmt: skip

    @property
    def filled(self) -> "Reliability":
        """The bins that hold rows."""
        some = self.weight > 0
        return Reliability(
            self.weight[some], self.forecast[some], self.outcome[some], self.moments[:, some]
        )

    @cached_property
    def share(self) -> Array:
        """The share of the weight in each bin."""
        part: Array = self.weight / self.weight.sum()
        return part

    @cached_property
    def gap(self) -> Array:
        """Mean forecast less mean outcome of each bin, times the bin's share of the weight."""
        part: Array = (self.forecast - self.outcome) / self.weight.sum()
        return part

    def size(self, power: int, gap: Array | None = None) -> Array:
        """The sum over bins of share * |mean gap|^power, for these gaps or others (..., bins)."""
        away = np.abs(self.gap if gap is None else gap)
        total: Array = (away**power / self.share ** (power - 1)).sum(axis=-1)
        return total

    @cached_property
    def spread(self) -> Array:
        """The variance of each gap, unbiased given the bins; of a bin of one row by its forecast.

        With x = p - y and its mean m in the bin, sum of v (x - m)² / n², times n/(n - 1) of the
        bin's own rows; one row has no spread, and p (1 - p) stands in.
        """
        count, first, second, chance = self.moments
        mean = self.gap / self.share
        around = np.maximum(second - 2 * mean * first + mean**2 * count, 0.0)
        own = self.weight**2 / count
        factor = np.divide(own, own - 1, out=np.zeros(own.size), where=own > 1 + 1e-9)
        variance: Array = np.where(factor > 0, around * factor, chance) / self.weight.sum() ** 2
        return variance

    @cached_property
    def noise(self) -> Array:
        """The same, but no less than calibrated forecasts would show.

        A bin in which nothing has happened yet does not look certain.
        """
        least: Array = np.maximum(self.spread, self.moments[3] / self.weight.sum() ** 2)
        return least


def forecasts(rows: Rows) -> tuple[Array, Array]:
    """The forecast of each row and whether it came true."""
    if rows.scores is None:
        raise ValueError("these rows have no scores")
    if len(rows.classes) == 2:
        code = positive_code(rows)
        return rows.score_of(code), rows.is_class(code).astype(np.float64)
    best = rows.scores.argmax(axis=1)
    return rows.scores.max(axis=1), (best == rows.y_true).astype(np.float64)
