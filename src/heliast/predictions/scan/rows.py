"""ScannedRows: the rows of one model where they lie, asked for sums instead of arrays."""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast.predictions.records import Design, Rows, ScoreKind, WeightKind
from heliast.tables.about import Task

if TYPE_CHECKING:
    from heliast.predictions.scan.prepared import Prepared

S = TypeVar("S")
Ordered = tuple[Array, Array, Array | None]
"""Whether each row is of the class (uint8), its score, its weight."""


class NeedsRows(InputError):  # noqa: N818 - it names the finding, not a fault
    """What was asked for needs every row in memory, and a scanned table is not read there."""


NEEDS = "needs every row in memory, and this table is scanned"


def refuse() -> NoReturn:
    raise NeedsRows(f"this {NEEDS}: read it with Predictions.read (command line: --no-scan)")


class ScannedRows(Rows):
    """Stands for the rows of one model in a scanned table: says how many, streams and sums them.

    Summaries are counted from `cells`, `chunks` and `ordered`; whoever asks for an array of all
    rows is refused.
    """

    def __init__(
        self,
        prepared: "Prepared",
        where: tuple[int, ...],
        score_kind: ScoreKind | None,
        design: Design,
    ) -> None:
        meta = prepared.meta
        positive = None if meta.positive is None else meta.classes.index(meta.positive)
        for name, value in {
            "prepared": prepared,
            "where": where,
            "task": meta.task,
            "score_kind": score_kind,
            "weight_kind": meta.weight_kind,
            "group": None,
            "classes": meta.classes,
            "positive": positive,
            "design": design,
            "ordinal": meta.ordinal,
        }.items():
            object.__setattr__(self, name, value)  # a frozen record

    prepared: "Prepared"
    where: tuple[int, ...]
    task: Task
    score_kind: ScoreKind | None
    weight_kind: WeightKind | None
    classes: tuple[Label, ...]
    positive: int | None
    design: Design

    @property
    def scanned(self) -> bool:
        return True

    @property
    def y_true(self) -> Array:
        refuse()

    @property
    def y_pred(self) -> Array:
        refuse()

    @property
    def scores(self) -> Array | None:
        return None if self.score_kind is None else refuse()

    @property
    def weight(self) -> Array | None:
        return None if self.weight_kind is None else refuse()

    def score_of(self, code: int) -> Array:
        refuse()

    def is_class(self, code: int) -> Array:
        refuse()

    def at(self, keep: Array) -> Rows:
        refuse()

    def by_design(self) -> "ScannedRows":
        return ScannedRows(self.prepared, self.where, self.score_kind, "classes")

    def once(self, key: Any, count: Callable[[], S]) -> S:
        """What was found from all rows, kept for the next who asks."""
        if key not in self.memo:
            self.memo[key] = count()
        found: S = self.memo[key]
        return found

    # --- how many --------------------------------------------------------------------------

    @cached_property
    def cells(self) -> tuple[Array, Array, Array, Array]:
        """The cells that occur, and in each the rows, their weights and squared weights."""
        return self.prepared.cells(self.where)

    @property
    def scored(self) -> bool:
        return self.score_kind is not None

    @property
    def n(self) -> int:
        return round(float(self.cells[1].sum()))

    @property
    def weight_sum(self) -> float:
        return float(self.cells[2].sum())

    @property
    def weight_squares(self) -> float:
        return float(self.cells[3].sum())

    def class_sizes(self, weighted: bool = False) -> Array:
        k = max(1, len(self.classes))
        return np.bincount(self.cells[0] // k, self.cells[2 if weighted else 1], k)

    # --- streams ---------------------------------------------------------------------------

    def chunks(self) -> Iterator[Rows]:
        """The rows, a part at a time, in no order."""
        for truth, label, scores, weight in self.prepared.chunks(self.where, self.score_kind):
            yield Rows(
                self.task, truth, label, scores, self.score_kind, weight, self.weight_kind, None,
                self.classes, self.positive, self.design, self.ordinal,
            )  # fmt: skip

    def ordered(self, code: int, rest: int | None = None) -> Iterator[Ordered]:
        """The scores for one class, highest first: own class or not, score, weight."""
        if self.score_kind is None:
            raise ValueError("these rows have no scores")
        return self.prepared.ordered(self.where, self.score_kind, code, rest)
