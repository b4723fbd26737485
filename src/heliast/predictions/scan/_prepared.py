"""A checked table in the engine: columns coded, rows counted by model, split, truth and label."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from heliast._core.columns import column
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.predictions.beside import coded_models, coded_splits, counts
from heliast.predictions.records import Meta, ScoreKind, Split, Splits
from heliast.predictions.scan._columns import SOME, Columns
from heliast.predictions.scan._engine import Engine

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
    in_train: Array

    def __len__(self) -> int:
        return len(self.stored)


@dataclass(frozen=True, eq=False)
class Cells:
    """Rows counted by key, true class and label: (rows, weight, squared weight) of each."""

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
        """Cells that occur (true class times k plus label, rising) over some keys, and in each
        the rows, weights and squared weights.
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
        condition, given = self._condition(where)
        for batch in self.engine.stream(f"SELECT {', '.join(names)} FROM {VIEW}{condition}", given):
            columns = {name: plain(batch.column(at)) for at, name in enumerate(names)}
            matrix = [columns[name] for name in scores]
            yield (
                columns["y_true"],
                columns["y_pred"],
                None if not matrix else matrix[0] if len(matrix) == 1 else np.column_stack(matrix),
                columns.get("weight"),
            )

    def ordered(
        self, where: tuple[int, ...], kind: ScoreKind, code: int, rest: int | None
    ) -> Iterator[tuple[Array, Array, Array | None]]:
        """Whether a row is of the class, its score for the class, its weight; highest first."""
        condition, given = self._condition(where)
        if rest is not None:
            condition += f" {'AND' if condition else 'WHERE'} y_true IN ({code:d}, {rest:d})"
        more = ", weight" if self.weighted else ""
        sql = (
            f"SELECT CAST(y_true = {code:d} AS UTINYINT) AS own, {self._score(kind, code)} AS score"
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


KEYS = ("model", "split", "in_train")


def serve(columns: Columns, chosen: list[str], joins: list[str]) -> None:
    """Serve the chosen columns, the keys and the weight under our names, as `VIEW`."""
    more = [f"{columns.sql(role)} AS {role}" for role in KEYS if columns.has(role)]
    if columns.has("weight"):
        more.append(f"CAST({columns.sql('weight')} AS DOUBLE) AS weight")
    if columns.has("row"):
        more.append(f"{columns.sql('row')} AS row_name")
    joined = " ".join([columns.source, *joins])
    columns.engine.run(f"CREATE VIEW {VIEW} AS SELECT {', '.join([*chosen, *more])} FROM {joined}")


def counted(
    columns: Columns,
    cell: tuple[str, str],
    name: str,
    stored: Mapping[str, Any] | None,
    notes: list[str],
) -> tuple[Keys, tuple[str, ...], Splits, Cells]:
    """One group-by: the keys that occur, and the rows of each key, truth and label.

    `name` is that of the model if no column names it; `stored` what our own file says of splits.
    """
    names = [role for role in KEYS if columns.has(role)]
    weight = "fsum(weight), fsum(weight * weight)" if columns.has("weight") else "NULL, NULL"
    chosen = ", ".join([*names, f"{cell[0]} AS t", f"{cell[1]} AS l"])
    table = columns.engine.table(
        f"SELECT {chosen}, count(*) AS n, {weight} FROM {VIEW} GROUP BY ALL ORDER BY ALL"
    )
    found = [table[at] for at in range(table.num_columns)]
    each = list(zip(*(one.to_pylist() for one in found[: len(names)]), strict=True))
    unique = tuple(dict.fromkeys(each)) if names else ((),)
    place = {key: at for at, key in enumerate(unique)}
    keyed = np.zeros(table.num_rows, np.int64)
    if names:
        keyed[:] = [place[key] for key in each]
    rows = found[-3].to_numpy().astype(np.float64)
    sums = [rows] + [rows if one.null_count else one.to_numpy() for one in found[-2:]]
    keys, models, splits = _coded(columns, names, unique, name, notes)
    cells = Cells(keyed, found[-5].to_numpy(), found[-4].to_numpy(), np.stack(sums))
    return keys, models, _as_written(splits, stored), cells


def _coded(
    columns: Columns,
    names: list[str],
    unique: tuple[tuple[Any, ...], ...],
    name: str,
    notes: list[str],
) -> tuple[Keys, tuple[str, ...], Splits]:
    parts = {
        role: column([key[at] for key in unique], columns.title(role))
        for at, role in enumerate(names)
    }
    models, model_code = coded_models(parts.get("model") or name)
    times = None if "in_train" not in parts else counts(parts["in_train"], SOME).values
    splits, split_code, seen = coded_splits(parts.get("split"), times, notes)
    nothing = np.zeros(len(unique), np.int64)
    keys = Keys(
        unique,
        nothing if model_code is None else model_code,
        nothing if split_code is None else split_code,
        nothing if seen is None else seen.astype(np.int64),
    )
    return keys, models, splits


def _as_written(splits: Splits, stored: Mapping[str, Any] | None) -> Splits:
    """The splits as the file that we wrote describes them."""
    if stored is None:
        return splits
    written = {str(record["split"]): Split(**record) for record in stored["splits"]}
    return Splits(tuple(written.get(str(one.split), one) for one in splits))


def refuse_other_rows(columns: Columns, models: tuple[str, ...]) -> None:
    """Refuse models that have equally many rows in a split, but not the same, or other truths.

    Rows are compared by sums of 64-bit hashes: that different ones agree by chance is out of reach.
    """
    if not columns.has("row") or len(models) < 2:
        return
    split = "split" if columns.has("split") else "0"
    found = columns.engine.rows(
        f"SELECT {split} AS split, count(*), sum(CAST(hash(row_name) AS HUGEINT)), "
        f"sum(CAST(hash(row_name, y_true) AS HUGEINT)), CAST(model AS VARCHAR) FROM {VIEW} "
        "GROUP BY split, model ORDER BY ALL"
    )
    first: dict[tuple[Any, int], tuple[Any, ...]] = {}
    for split_name, count, rows, truths, model in found:
        other = first.setdefault((split_name, count), (rows, truths, model))
        if other[0] != rows:
            raise InputError(
                f"models {other[2]!r} and {model!r} have {count:,} rows each in a split, but not "
                f"the same ({columns.title('row')}): check what names a row, or read the table "
                "into memory (command line: --no-scan), which says which are missing"
            )
        if other[1] != truths:
            raise InputError(
                f"models {other[2]!r} and {model!r} have different truths for the same rows: all "
                "models predict the same data, so check that row names the same thing for each"
            )
