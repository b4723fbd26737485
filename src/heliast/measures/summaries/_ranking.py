"""Ranking: the scores of positives and negatives, each as a sorted stream."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from heliast._core.kinds import Array
from heliast._kernels.ranking import MergeSums, curve, merge, split_sorted
from heliast.predictions import Rows
from heliast.predictions.scan import ScannedRows


@dataclass(frozen=True, eq=False)
class Ranking:
    """Scores of one class's rows and of the rest's, ascending, with weights if there are any.

    Two rankings add up: the streams are merged. Everything about order (ROC, AUC, average
    precision, lift) follows from one pass over the two streams.

    >>> rows = Rows("classes", np.array([1, 0, 1]), np.array([1, 0, 0]),
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
    def of(cls, rows: Rows, code: int | None = None) -> "Ranking":
        """Sort the scores for one class: the positive class unless `code` says another."""
        code = rows.positive if code is None else code
        if code is None:
            raise ValueError("several classes and none named positive: give code=")
        if isinstance(rows, ScannedRows):
            from heliast.measures.summaries._streamed import StreamedRanking

            return StreamedRanking(rows, code)
        streams = split_sorted(rows.is_class(code), rows.score_of(code), rows.weight)
        return cls(*streams, sampling=rows.weight_kind == "sampling")

    @classmethod
    def of_pair(cls, rows: Rows, code: int, rest: int) -> "Ranking":
        """Sort the scores for class `code` among the rows of that class and of class `rest`."""
        if isinstance(rows, ScannedRows):
            from heliast.measures.summaries._streamed import StreamedRanking

            return StreamedRanking(rows, code, rest)
        return cls.of(rows.at((rows.truth == code) | (rows.truth == rest)), code)

    def __add__(self, other: "Ranking") -> "Ranking":
        positive, positive_weight = _merged(
            (self.positive, self.positive_weight), (other.positive, other.positive_weight)
        )
        negative, negative_weight = _merged(
            (self.negative, self.negative_weight), (other.negative, other.negative_weight)
        )
        return Ranking(positive, negative, positive_weight, negative_weight, self.sampling)

    @cached_property
    def sums(self) -> MergeSums:
        """All sums over the merged streams that the rank measures need."""
        return merge(self.positive, self.negative, self.positive_weight, self.negative_weight)

    @cached_property
    def weights(self) -> tuple[float, float]:
        """Weight of the positives and of the negatives (counts, if there are no weights)."""
        return _total(self.positive, self.positive_weight), _total(
            self.negative, self.negative_weight
        )

    @property
    def plain_rows(self) -> int:
        """How many rows there are, if they have no weights; else 0."""
        weighted = self.positive_weight is not None or self.negative_weight is not None
        return 0 if weighted else int(self.positive.size + self.negative.size)

    @property
    def auc(self) -> float:
        """Share of (positive, negative) pairs in the right order, ties counted half."""
        positive, negative = self.weights
        return self.sums.wins / (positive * negative) if positive and negative else float("nan")

    @property
    def points(self) -> tuple[Array, Array, Array]:
        """Thresholds (descending, from infinity) with the true and false positives at or above."""
        return curve(self.positive, self.negative, self.positive_weight, self.negative_weight)

    @property
    def drawn(self) -> tuple[Array, Array, Array]:
        """Points enough for a picture: all, unless the scores lie elsewhere."""
        return self.points


def _total(values: Array, weight: Array | None) -> float:
    return float(values.size) if weight is None else float(weight.sum())


def _merged(
    one: tuple[Array, Array | None], other: tuple[Array, Array | None]
) -> tuple[Array, Array | None]:
    values = np.concatenate([one[0], other[0]])
    if one[1] is None and other[1] is None:
        values.sort()
        return values, None
    weights = np.concatenate([np.ones(v.size) if w is None else w for v, w in (one, other)])
    order = np.argsort(values, kind="stable")
    return values[order], weights[order]
