"""Summaries of rows that lie elsewhere: the same numbers, from cells, chunks and sorted streams."""

import math
from functools import cached_property, reduce
from operator import add
from typing import NoReturn

import numpy as np

from heliast._core.kinds import Array
from heliast._kernels.ranking import Curve, MergeSums
from heliast._kernels.streamed_curve import stream_outline
from heliast._kernels.streaming import StreamSums, stream_sums
from heliast.measures.summaries._moments import Moments
from heliast.measures.summaries._ranking import Ranking
from heliast.measures.summaries._residuals import Residuals
from heliast.predictions import Rows
from heliast.predictions.scan import ScannedRows, refuse


class StreamedRanking(Ranking):
    """The ranking of scores that are sorted elsewhere: sums over the stream, no arrays.

    `code` is the class that is set against the rest, or against one other class (`rest`).
    """

    def __init__(self, rows: ScannedRows, code: int, rest: int | None = None) -> None:
        fields = {
            "rows": rows,
            "code": code,
            "rest": rest,
            "sampling": rows.weight_kind == "sampling",
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)  # a frozen record

    rows: ScannedRows
    code: int
    rest: int | None

    @property
    def positive(self) -> Array:
        refuse()

    @property
    def negative(self) -> Array:
        refuse()

    @property
    def positive_weight(self) -> Array | None:
        return None if self.rows.weight_kind is None else refuse()

    negative_weight = positive_weight

    def __add__(self, other: Ranking) -> NoReturn:
        refuse()

    @cached_property
    def weights(self) -> tuple[float, float]:
        sizes = self.rows.class_sizes(weighted=True)
        own = float(sizes[self.code])
        return own, float(sizes.sum()) - own if self.rest is None else float(sizes[self.rest])

    @property
    def plain_rows(self) -> int:
        return 0 if self.rows.weight_kind is not None else int(sum(self.weights))

    @cached_property
    def streamed(self) -> StreamSums:
        """One pass over the sorted stream."""
        stream = self.rows.ordered(self.code, self.rest)
        return stream_sums(stream, self.weights, self.rows.weight_kind is not None)

    @cached_property
    def sums(self) -> MergeSums:
        return self.streamed.merge

    @property
    def points(self) -> Curve:
        refuse()

    @property
    def drawn(self) -> Curve:
        """The points that a picture needs, and the corners of both hulls."""
        parts = self.outline
        _, first = np.unique(-np.concatenate([part[0] for part in parts]), return_index=True)
        threshold, tp, fp = (np.concatenate(lines)[first] for lines in zip(*parts, strict=True))
        return threshold, tp, fp

    @cached_property
    def outline(self) -> tuple[Curve, Curve, Curve]:
        """Vertices, corners of the upper hull and of the lower, from one pass over the stream."""
        return stream_outline(self.rows.ordered(self.code, self.rest), self.weights)


class StreamedResiduals(Residuals):
    """Errors of numbers that lie elsewhere: two passes over chunks, no arrays."""

    def __init__(self, rows: ScannedRows) -> None:
        sampling = rows.weight_kind == "sampling"
        absolute: list[Moments] = []
        squared: list[Moments] = []
        totals, low, high = [], np.inf, -np.inf
        for chunk in rows.chunks():
            error = chunk.label - chunk.truth
            absolute.append(Moments.of(np.abs(error), chunk.weight, None, sampling))
            squared.append(Moments.of(error**2, chunk.weight, None, sampling))
            truth, weight = _weighing(chunk)
            totals.append(float((truth * weight).sum()))
            low, high = truth.min(initial=low), truth.max(initial=high)
        fields = {
            "rows": rows,
            "absolute": reduce(add, absolute),
            "squared": reduce(add, squared),
            "mean_truth": math.fsum(totals) / rows.weight_sum,
            "constant": bool(low == high),
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)  # a frozen record

    rows: ScannedRows
    mean_truth: float
    constant: bool

    @property
    def truth(self) -> Array:
        refuse()

    @property
    def weight(self) -> Array | None:
        refuse()

    def __add__(self, other: Residuals) -> NoReturn:
        refuse()

    @cached_property
    def _spreads(self) -> tuple[float, float, float]:
        """Mean absolute and squared distance of the truths from their mean, and their tilt."""
        sums = []
        for chunk in self.rows.chunks():
            truth, weight = _weighing(chunk)
            away = truth - self.mean_truth
            parts = np.abs(away), away**2, np.sign(-away)
            sums.append([float((weight * part).sum()) for part in parts])
        first, second, tilt = (
            math.fsum(column) / self.rows.weight_sum for column in zip(*sums, strict=True)
        )
        return first, second, tilt

    @property
    def absolute_spread(self) -> float:
        return 0.0 if self.constant else self._spreads[0]

    @property
    def squared_spread(self) -> float:
        return 0.0 if self.constant else self._spreads[1]

    @property
    def tilt(self) -> float:
        return self._spreads[2]


def _weighing(chunk: Rows) -> tuple[Array, Array]:
    """The truths that weigh something, and their weights."""
    if chunk.weight is None:
        return chunk.truth, np.ones(chunk.n)
    there = chunk.weight > 0
    return chunk.truth[there], chunk.weight[there]
