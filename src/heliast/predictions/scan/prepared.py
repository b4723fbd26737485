"""A checked table in the engine: rows counted by model, split, true and predicted class."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from heliast._core.kinds import Array
from heliast.predictions.records import Meta, ScoreKind, Splits
from heliast.tables.engine import Engine

Chunk = tuple[Array, Array, Array | None, Array | None]
"""True and predicted classes, scores, weights of some rows."""
VIEW = "prepared"
"""What the engine calls the table with our column names: y_true, y_pred, s0, s1, ..., weight."""


@dataclass(frozen=True, eq=False)
class Keys:
    """The different (model, split, in_train) that occur: as stored, and as coded."""

    stored: tuple[tuple[Any, ...], ...]
    model: Array
    split: Array
    in_train: Array


@dataclass(frozen=True, eq=False)
class Cells:
    """Rows counted by key, true and predicted class: (rows, weight, squared weight) of each."""

    key: Array
    y_true: Array
    y_pred: Array
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

    def cells(self, where: tuple[int, ...]) -> tuple[Array, Array, Array, Array]:
        """Cells that occur (true class times k plus predicted class, rising) over some keys, and
        in each the rows, weights and squared weights.
        """
        k = max(1, len(self.meta.classes))
        here = np.isin(self.counted.key, where)
        cell = (self.counted.y_true.astype(np.int64) * k + self.counted.y_pred)[here]
        flat, place = np.unique(cell, return_inverse=True)
        rows, weight, squares = (
            np.bincount(place, sums[here], flat.size) for sums in self.counted.sums
        )
        return flat, rows, weight, squares

    def chunks(self, where: tuple[int, ...], kind: ScoreKind | None) -> Iterator[Chunk]:
        """All rows of some keys, a batch at a time, in no order."""
        scores = [f"s{at}" for at in range(self.score_columns)] if kind is not None else []
        names = ["y_true", "y_pred", *scores, *(["weight"] if self.weighted else [])]
        condition, values = self._condition(where)
        sql = f"SELECT {', '.join(names)} FROM {VIEW}{condition}"
        for batch in self.engine.stream(sql, values):
            matrix = batch[2 : 2 + len(scores)]
            joined = np.column_stack(matrix) if len(matrix) > 1 else None
            yield (
                batch[0],
                batch[1],
                joined if len(matrix) != 1 else matrix[0],
                batch[-1] if self.weighted else None,
            )

    def ordered(
        self, where: tuple[int, ...], kind: ScoreKind, code: int, rest: int | None
    ) -> Iterator[tuple[Array, Array, Array | None]]:
        """Whether a row is of the class, its score for the class, its weight; highest first."""
        condition, values = self._condition(where)
        if rest is not None:
            condition += f" {'AND' if condition else 'WHERE'} y_true IN ({code:d}, {rest:d})"
        more = ", weight" if self.weighted else ""
        sql = (
            f"SELECT CAST(y_true = {code:d} AS UTINYINT) AS own, {self._score(kind, code)} AS score"
            f"{more} FROM {VIEW}{condition} ORDER BY score DESC"
        )
        for own, score, *weight in self.engine.stream(sql, values):
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
        if len(where) == len(self.keys.stored) or not self.key_columns:
            return "", []
        places = f"({', '.join('?' for _ in self.key_columns)})"
        values = [value for at in where for value in self.keys.stored[at]]
        names = ", ".join(self.key_columns)
        return f" WHERE ({names}) IN ({', '.join(places for _ in where)})", values
