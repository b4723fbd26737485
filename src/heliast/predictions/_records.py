"""The records that tables are made of: splits of a plan, and the rows of one model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast._core.records import as_dict
from heliast.tables.about import Task

Array = npt.NDArray[Any]
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


Role = Literal["test", "validation", "full", "inner"]


@dataclass(frozen=True)
class Split:
    """One split of a plan: its role, where it stands in the plan, and what was varied."""

    split: int | str
    role: Role = "test"
    repeat: int = 0
    fold: int = 0
    outer: int | None = None
    n_train: int | None = None
    n_test: int | None = None
    train_share: float | None = None
    noise: float | None = None

    def to_dict(self) -> dict[str, object]:
        return as_dict(self)


@dataclass(frozen=True)
class Splits:
    """All splits of a table, in order.

    >>> Splits((Split(0), Split(1))).names
    (0, 1)
    """

    records: tuple[Split, ...] = (Split(0),)

    @cached_property
    def names(self) -> tuple[int | str, ...]:
        return tuple(record.split for record in self.records)

    @cached_property
    def places(self) -> dict[int | str, int]:
        """Where each split stands, by its name."""
        return {name: place for place, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[Split]:
        return iter(self.records)

    def __getitem__(self, name: int | str) -> Split:
        return self.records[self.places[name]]

    def of_role(self, role: Role) -> tuple[Split, ...]:
        return tuple(record for record in self.records if record.role == role)

    def to_dict(self) -> list[dict[str, object]]:  # one record a split
        return [record.to_dict() for record in self.records]


@dataclass(frozen=True, kw_only=True)
class Options:
    """What the caller says of a table, wherever it comes from; words are checked here."""

    classes: Sequence[Label] | None = None
    positive: Label | None = None
    task: Task | None = None
    scores: ScoreKind | None = None
    weights: WeightKind | None = None
    design: Design = "rows"
    missing: str = "refuse"

    def __post_init__(self) -> None:
        if self.missing not in ("refuse", "drop"):
            raise InputError(f"missing={self.missing!r}: choose 'refuse' or 'drop'")
        if self.task not in (None, "classes", "number"):
            raise InputError(f"task={self.task!r}: choose 'classes' or 'number'")
        if self.scores not in (None, *get_args(ScoreKind)):
            raise InputError(f"scores={self.scores!r}: choose 'probability', 'decision' or 'votes'")
        if self.weights not in (None, *get_args(WeightKind)):
            raise InputError(f"weights={self.weights!r}: choose 'frequency' (counts) or 'sampling'")
        if self.design not in get_args(Design):
            raise InputError(
                f"design={self.design!r}: choose 'rows' (rows drawn at random) or 'classes' "
                "(the number of rows per class was fixed)"
            )

    def refuse_fixed_classes(self) -> None:
        """Numbers have no classes whose rows could have been counted out."""
        if self.design == "classes":
            raise InputError(
                "design='classes' (command line: --fixed-classes) is for classes, but truth holds "
                "numbers; leave it out, or say task='classes'"
            )
