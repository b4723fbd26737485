"""Reliability: forecasts and outcomes per bin of the forecast."""

from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast.predictions import Rows
from heliast.predictions.scan import ScannedRows

Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Reliability:
    """Per bin of equal width: weight of rows, sum of forecasts, sum of outcomes; adds up.

    With two classes the forecast is the probability of the positive class and the outcome whether
    it occurred; with more it is the largest probability and whether that class occurred.

    >>> rows = Rows("classes", np.array([1, 0]), np.array([1, 0]), np.array([0.9, 0.3]),
    ...             "probability", classes=(0, 1), positive=1)
    >>> Reliability.of(rows, bins=2).outcome
    array([0., 1.])
    """

    weight: Array
    forecast: Array
    outcome: Array

    @classmethod
    def of(cls, rows: Rows, bins: int = 10) -> "Reliability":
        if isinstance(rows, ScannedRows):
            return reduce(add, (cls.of(chunk, bins) for chunk in rows.chunks()))
        forecast, outcome = forecasts(rows)
        place = np.minimum((forecast * bins).astype(np.intp), bins - 1)
        weight = np.ones(rows.n) if rows.weight is None else rows.weight

        def per_bin(value: Array) -> Array:
            return np.bincount(place, weights=value, minlength=bins)

        return cls(per_bin(weight), per_bin(weight * forecast), per_bin(weight * outcome))

    def __add__(self, other: "Reliability") -> "Reliability":
        return Reliability(
            self.weight + other.weight, self.forecast + other.forecast, self.outcome + other.outcome
        )


def forecasts(rows: Rows) -> tuple[Array, Array]:
    """The forecast of each row and whether it came true."""
    if rows.scores is None:
        raise ValueError("these rows have no scores")
    if len(rows.classes) == 2:
        code = 1 if rows.positive is None else rows.positive
        return rows.score_of(code), rows.is_class(code).astype(np.float64)
    best = rows.scores.argmax(axis=1)
    return rows.scores.max(axis=1), (best == rows.truth).astype(np.float64)
