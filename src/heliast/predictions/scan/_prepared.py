"""Prepared: a checked table in the engine, its columns coded, its cells counted."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast.predictions._rows import ScoreKind
from heliast.predictions._splits import Splits
from heliast.predictions._table import Meta
from heliast.predictions.scan._engine import Engine

Array = npt.NDArray[Any]
Chunk = tuple[Array, Array, Array | None, Array | None]
"""Truth, label, scores, weight of some rows."""

VIEW = "prepared"
"""What the engine calls the table with our column names: truth, label, s0, s1, ..., weight."""


@dataclass(frozen=True, eq=False)
class Keys:
    """The different (model, split, seen) that occur: as stored, and as coded."""

    stored: tuple[tuple[Any, ...], ...]
    model: Array
    split: Array
    seen: Array

    def __len__(self) -> int:
        return len(self.stored)


@dataclass(frozen=True, eq=False)
class Cells:
    """Rows counted by key, true class and label: (rows, weight, squared weight) of each."""

    key: Array
    truth: Array
    label: Array
    sums: Array


@dataclass(frozen=True, eq=False)
class Prepared:
    """The table as the engine serves it; every question about rows is a query on `VIEW`.

    A choice of rows is a tuple of places in `keys`.
    """

    engine: Engine
    meta: Meta
    models: tuple[str, ...]
    splits: Splits
    keys: Keys
    counted: Cells
    key_columns: tuple[str, ...]
    score_columns: int
    weighted: bool
    kept: dict[Any, Any] = field(default_factory=dict)

    def cells(self, where: tuple[int, ...]) -> tuple[Array, Array, Array]:
        """Rows, weights and squared weights by true class and label, over some keys."""
        k = max(1, len(self.meta.classes))
        here = np.isin(self.counted.key, where)
        place = (self.counted.truth.astype(np.int64) * k + self.counted.label)[here]
        rows, weight, squares = (
            np.bincount(place, weights=sums[here], minlength=k * k).reshape(k, k)
            for sums in self.counted.sums
        )
        return rows, weight, squares

    def chunks(self, where: tuple[int, ...], kind: ScoreKind | None) -> Iterator[Chunk]:
        """All rows of some keys, a batch at a time, in no order."""
        scores = [f"s{at}" for at in range(self.score_columns)] if kind is not None else []
        names = ["truth", "label", *scores, *(["weight"] if self.weighted else [])]
        condition, given = self._condition(where)
        for batch in self.engine.stream(f"SELECT {', '.join(names)} FROM {VIEW}{condition}", given):
            columns = {name: plain(batch.column(at)) for at, name in enumerate(names)}
            matrix = [columns[name] for name in scores]
            yield (
                columns["truth"],
                columns["label"],
                None if not matrix else matrix[0] if len(matrix) == 1 else np.column_stack(matrix),
                columns.get("weight"),
            )

    def ordered(
        self, where: tuple[int, ...], kind: ScoreKind, code: int, rest: int | None
    ) -> Iterator[tuple[Array, Array, Array | None]]:
        """Whether a row is of the class, its score for the class, its weight; highest first."""
        condition, given = self._condition(where)
        if rest is not None:
            condition += f" {'AND' if condition else 'WHERE'} truth IN ({code:d}, {rest:d})"
        more = ", weight" if self.weighted else ""
        sql = (
            f"SELECT CAST(truth = {code:d} AS UTINYINT) AS own, {self._score(kind, code)} AS score"
            f"{more} FROM {VIEW}{condition} ORDER BY score DESC"
        )
        for batch in self.engine.stream(sql, given):
            own, score, *weight = (plain(batch.column(at)) for at in range(batch.num_columns))
            yield own, score, weight[0] if weight else None

    def _score(self, kind: ScoreKind, code: int) -> str:
        """The score for one class; one column for two classes is turned round for the other."""
        if self.score_columns > 1:
            return f"s{code:d}"
        if self.meta.classes[code] == self.meta.positive:
            return "s0"
        return "1.0 - s0" if kind == "probability" else "-s0"

    def _condition(self, where: tuple[int, ...]) -> tuple[str, list[object]]:
        """Only rows of these keys, as SQL with places for the values and the values."""
        if len(where) == len(self.keys) or not self.key_columns:
            return "", []
        one = f"({', '.join('?' for _ in self.key_columns)})"
        given = [value for at in where for value in self.keys.stored[at]]
        names = ", ".join(self.key_columns)
        return f" WHERE ({names}) IN ({', '.join(one for _ in where)})", given


def plain(column: Any) -> Array:
    """A column of an Arrow batch without nulls as an array of its own layout."""
    array: Array = column.to_numpy(zero_copy_only=False)
    return np.ascontiguousarray(array)
