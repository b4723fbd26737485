"""Rows: the aligned arrays of one model on one split, which summaries are counted from."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from heliast._core.labels import Label

Array = npt.NDArray[Any]
Task = Literal["classes", "number"]
ScoreKind = Literal["probability", "decision", "votes"]
WeightKind = Literal["frequency", "sampling"]
Design = Literal["rows", "classes"]


@dataclass(frozen=True, eq=False)
class Rows:
    """Truth, label and scores of some rows; codes into `classes`, or numbers.

    `scores` has one column a class, or is one column for the positive class of two.
    `positive` is the position of the positive class when there are two classes.
    `design` is `classes` when the number of rows per class was fixed by whoever drew them.
    """

    task: Task
    truth: Array
    label: Array
    scores: Array | None = None
    score_kind: ScoreKind | None = None
    weight: Array | None = None
    weight_kind: WeightKind | None = None
    group: Array | None = None
    classes: tuple[Label, ...] = ()
    positive: int | None = None
    design: Design = "rows"

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """What was counted from these rows, kept for the next who asks."""
        return {}

    @property
    def n(self) -> int:
        return int(self.truth.size)

    @property
    def scored(self) -> bool:
        """Whether the rows have scores."""
        return self.scores is not None

    @property
    def weight_sum(self) -> float:
        """The weight of all rows: their number, without weights."""
        return float(self.n) if self.weight is None else float(self.weight.sum())

    @property
    def weight_squares(self) -> float:
        """The sum of squared weights."""
        return float(self.n) if self.weight is None else float((self.weight**2).sum())

    def class_sizes(self, weighted: bool = False) -> Array:
        """How many rows each class has, or their weight."""
        weight = self.weight if weighted else None
        return np.bincount(self.truth, weights=weight, minlength=len(self.classes))

    def by_design(self) -> "Rows":
        """The same rows, their numbers per class taken as fixed."""
        return replace(self, design="classes")

    def score_of(self, code: int) -> Array:
        """The scores for one class, contiguous."""
        if self.scores is None:
            raise ValueError("these rows have no scores")
        if self.scores.ndim == 1:
            if code == self.positive:
                return self.scores
            return 1.0 - self.scores if self.score_kind == "probability" else -self.scores
        return np.ascontiguousarray(self.scores[:, code])

    def is_class(self, code: int) -> Array:
        """1 where the true class has this code, as uint8."""
        if len(self.classes) == 2 and code == 1 and self.truth.dtype == np.uint8:
            return self.truth
        chosen: Array = self.truth == code
        return chosen.view(np.uint8)

    def at(self, keep: Array) -> "Rows":
        """Some of the rows, chosen by mask or positions."""

        def pick(array: Array | None) -> Array | None:
            return None if array is None else array[keep]

        return replace(
            self,
            truth=self.truth[keep],
            label=self.label[keep],
            scores=pick(self.scores),
            weight=pick(self.weight),
            group=pick(self.group),
        )
