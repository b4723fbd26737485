"""Ranking: the scores of positives and negatives, each as a sorted stream."""

from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np

from heliast._core.kinds import Array
from heliast._kernels.ranking import Curve, MergeSums, StreamSums, curve, merge, split_sorted
from heliast._kernels.streamed_curve import stream_outline
from heliast._kernels.streaming import stream_sums
from heliast.predictions import Rows
from heliast.predictions.scan import ScannedRows, refuse


@dataclass(frozen=True, eq=False)
class Ranking:
    """Scores of one class's rows and of the rest's, ascending, with weights if there are any.

    Everything about order (ROC, AUC, average precision, lift) follows from one pass over the two.

    >>> rows = Rows("classification", np.array([1, 0, 1]), np.array([1, 0, 0]),
    ...             np.array([0.9, 0.2, 0.1]), classes=(0, 1), positive=1)
    >>> Ranking.of(rows).auc
    0.5
    """

    positive: Array
    negative: Array
    positive_weight: Array | None = None
    negative_weight: Array | None = None
    sampling: bool = False

    @classmethod
    def of(cls, rows: Rows, code: int | None = None, rest: int | None = None) -> "Ranking":
        """Sort the scores for one class (or the positive one), against all others or one other."""
        code = rows.positive if code is None else code
        if code is None:
            raise ValueError("several classes and none named positive: give code=")
        if rows.scanned:
            return ScannedRanking(cast(ScannedRows, rows), code, rest)
        if rest is not None:
            rows = rows.at((rows.y_true == code) | (rows.y_true == rest))
        streams = split_sorted(rows.is_class(code), rows.score_of(code), rows.weight)
        return cls(*streams, sampling=rows.weight_kind == "sampling")

    @cached_property
    def sums(self) -> MergeSums:
        """All sums over the merged streams that the rank measures need."""
        return merge(self.positive, self.negative, self.positive_weight, self.negative_weight)

    @cached_property
    def weights(self) -> tuple[float, float]:
        """Weight of the positives and of the negatives (counts, if there are no weights)."""
        return self.sums.positive, self.sums.negative

    @property
    def plain_rows(self) -> int:
        """How many rows there are, if they have no weights; else 0."""
        return self.positive.size + self.negative.size if self.positive_weight is None else 0

    @property
    def auc(self) -> float:
        """Share of (positive, negative) pairs in the right order, ties counted half."""
        positive, negative = self.weights
        return self.sums.wins / (positive * negative) if positive and negative else float("nan")

    @property
    def points(self) -> Curve:
        """Thresholds (descending, from infinity) with the true and false positives at or above."""
        return curve(self.positive, self.negative, self.positive_weight, self.negative_weight)

    @property
    def drawn(self) -> Curve:
        """Points enough for a plot: all, unless the rows are scanned."""
        return self.points


class ScannedRanking(Ranking):
    """The ranking of scores that are sorted elsewhere: sums over the stream, no arrays."""

    def __init__(self, rows: ScannedRows, code: int, rest: int | None = None) -> None:
        sampling = rows.weight_kind == "sampling"
        for name, value in (("rows", rows), ("classes", (code, rest)), ("sampling", sampling)):
            object.__setattr__(self, name, value)  # a frozen record

    rows: ScannedRows
    classes: tuple[int, int | None]

    @property
    def positive(self) -> Array:
        refuse()

    negative = positive_weight = negative_weight = points = positive  # type: ignore[assignment]

    @cached_property
    def weights(self) -> tuple[float, float]:
        sizes, (code, rest) = self.rows.class_sizes(weighted=True), self.classes
        own = float(sizes[code])
        return own, float(sizes.sum()) - own if rest is None else float(sizes[rest])

    @property
    def plain_rows(self) -> int:
        return 0 if self.rows.weight_kind is not None else int(sum(self.weights))

    @cached_property
    def streamed(self) -> StreamSums:
        """One pass over the sorted stream."""
        stream = self.rows.ordered(*self.classes)
        return stream_sums(stream, self.weights, self.rows.weight_kind is not None)

    @cached_property
    def sums(self) -> MergeSums:
        return self.streamed.merge

    @cached_property
    def outline(self) -> tuple[Curve, Curve, Curve]:
        """Vertices, corners of the upper hull and of the lower, from one pass over the stream."""
        return stream_outline(self.rows.ordered(*self.classes), self.weights)

    @property
    def drawn(self) -> Curve:
        parts = self.outline
        _, first = np.unique(-np.concatenate([part[0] for part in parts]), return_index=True)
        threshold, tp, fp = (np.concatenate(lines)[first] for lines in zip(*parts, strict=True))
        return threshold, tp, fp
