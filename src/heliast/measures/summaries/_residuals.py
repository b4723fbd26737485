"""Residuals: how far predicted numbers are from the truth."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from heliast._core.kinds import Array
from heliast.measures.summaries._moments import Moments
from heliast.predictions import Rows
from heliast.predictions.scan import ScannedRows


@dataclass(frozen=True, eq=False)
class Residuals:
    """Moments of the absolute and squared error, and the truths themselves; adds up.

    The truths are kept because the relative errors compare with the mean of all of them, which
    no piece of the table knows.

    >>> rows = Rows("number", np.array([1.0, 2.0]), np.array([1.5, 2.5]))
    >>> Residuals.of(rows).absolute.mean
    0.5
    """

    absolute: Moments
    squared: Moments
    truth: Array
    weight: Array | None = None

    @classmethod
    def of(cls, rows: Rows) -> "Residuals":
        if isinstance(rows, ScannedRows):
            from heliast.measures.summaries._streamed import StreamedResiduals

            return StreamedResiduals(rows)
        error = rows.label - rows.truth
        sampling = rows.weight_kind == "sampling"
        return cls(
            Moments.of(np.abs(error), rows.weight, rows.group, sampling),
            Moments.of(error**2, rows.weight, rows.group, sampling),
            rows.truth,
            rows.weight,
        )

    def __add__(self, other: "Residuals") -> "Residuals":
        weight = None
        if self.weight is not None or other.weight is not None:
            weight = np.concatenate([_ones(self), _ones(other)])
        return Residuals(
            self.absolute + other.absolute,
            self.squared + other.squared,
            np.concatenate([self.truth, other.truth]),
            weight,
        )

    @cached_property
    def mean_truth(self) -> float:
        return float(np.average(self.truth, weights=self.weight))

    @cached_property
    def constant(self) -> bool:
        """Whether all truths are equal (their mean may differ from them by rounding)."""
        truth = self.truth if self.weight is None else self.truth[self.weight > 0]
        return bool(truth.min() == truth.max())

    @cached_property
    def absolute_spread(self) -> float:
        """Mean absolute distance of the truths from their mean: what guessing the mean costs."""
        if self.constant:
            return 0.0
        return float(np.average(np.abs(self.truth - self.mean_truth), weights=self.weight))

    @cached_property
    def squared_spread(self) -> float:
        """Mean squared distance of the truths from their mean."""
        if self.constant:
            return 0.0
        return float(np.average((self.truth - self.mean_truth) ** 2, weights=self.weight))

    @cached_property
    def tilt(self) -> float:
        """Share of the truths below their mean less the share above."""
        return float(np.average(np.sign(self.mean_truth - self.truth), weights=self.weight))


def _ones(part: Residuals) -> Array:
    return np.ones(part.truth.size) if part.weight is None else part.weight
