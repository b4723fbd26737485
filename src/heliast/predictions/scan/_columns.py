"""The columns of a table in the engine: role, kind and SQL; what is missing, and weights."""

import numpy as np

from heliast._core.columns import MULTI, Kind
from heliast._core.errors import InputError
from heliast._core.places import Places
from heliast.predictions._names import Found
from heliast.predictions.records import WeightKind
from heliast.predictions.scan._engine import Engine, quoted
from heliast.predictions.scan._sources import SOURCE

_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT")


def kind_of(stored: str, name: str) -> Kind:
    """Text, truth values, whole numbers or numbers; anything else cannot be a label.

    >>> kind_of("UTINYINT", "truth"), kind_of("DECIMAL(18,3)", "truth")
    ('whole', 'number')
    """
    if stored == "VARCHAR" or stored.startswith("ENUM"):
        return "text"
    if stored == "BOOLEAN":
        return "bool"
    if stored.removeprefix("U") in _WHOLE:
        return "whole"
    if stored in ("FLOAT", "DOUBLE", "HUGEINT", "UHUGEINT") or stored.startswith("DECIMAL"):
        return "number"
    listed = stored.endswith("]") or stored.startswith(("STRUCT", "MAP"))
    hint = MULTI if listed else "convert to text"
    raise InputError(f"{name}: values of type {stored} are not labels; {hint}")


class Columns:
    """Which column has which role; `source` is the view they are read from.

    `bare` lists the models that have labels but no scores, while others have.
    """

    def __init__(self, engine: Engine, found: Found, types: dict[str, str]) -> None:
        self.engine, self.found, self.source = engine, found, SOURCE
        self.bare: list[object] = []
        self.kinds = {
            role: kind_of(types[name], self.title(role)) for role, name in found.columns.items()
        }
        for name in found.score_columns():
            if kind_of(types[name], f"score (column {name!r})") == "text":
                raise InputError(f"score (column {name!r}): expected numbers, got text")

    def has(self, role: str) -> bool:
        return role in self.found.columns

    def title(self, role: str) -> str:
        """The role, and the column's own name if that is another."""
        name = self.found.columns[role]
        return role if name == role else f"{role} (column {name!r})"

    def sql(self, role: str) -> str:
        """The values of a role's column."""
        name = quoted(self.found.columns[role])
        kind = self.kinds[role]
        if kind == "text":
            return f"CAST({name} AS VARCHAR)"
        return f"CAST({name} AS DOUBLE)" if kind == "number" else name

    def scores(self) -> list[str]:
        """The values of the score columns."""
        return [f"CAST({quoted(name)} AS DOUBLE)" for name in self.found.score_columns()]

    def absent(self, role: str) -> str:
        """Whether a role's value is missing."""
        return absent(self.sql(role), self.kinds[role])

    def count(self, condition: str) -> int:
        """The rows that satisfy a condition."""
        sql = f"SELECT count(*) FROM {self.source} WHERE {condition}"
        return int(self.engine.rows(sql)[0][0])

    @property
    def scored(self) -> str:
        """The source without the rows of models that have no scores."""
        if not self.bare:
            return self.source
        return f"{self.source} WHERE {self.sql('model')} NOT IN (SELECT model FROM bare)"


def absent(sql: str, kind: Kind) -> str:
    """Whether a value is missing; NaN is."""
    return f"({sql} IS NULL OR isnan({sql}))" if kind == "number" else f"({sql} IS NULL)"


def rows_said(count: int) -> str:
    """A number of rows in words."""
    return f"{count:,} {'row' if count == 1 else 'rows'}"


class _Somewhere(Places):
    """A row of a scanned table has no number to name it by."""

    def some(self, positions: object, most: int = 5) -> str:
        return "some rows"


SOME = _Somewhere()
COMPLETE = "complete"
"""The view without the rows that lack something."""


def complete(columns: Columns, rows: int, missing: str, notes: list[str]) -> None:
    """Refuse missing values, or leave the rows out and say how many."""
    for role in ("model", "split", "row", "in_train", "weight"):
        count = columns.count(columns.absent(role)) if columns.has(role) else 0
        if count:
            raise InputError(
                f"{columns.title(role)} is missing in {rows_said(count)}; every row needs a "
                f"{role}: fill it in or leave the column out"
            )
    lacking = {
        columns.title(role): columns.absent(role)
        for role in ("y_true", "y_pred")
        if columns.has(role)
    }
    if columns.scores():
        lacking["y_score"] = _without_score(columns)
    counts = {name: columns.count(sql) for name, sql in lacking.items()}
    if not any(counts.values()):
        return
    said = "; ".join(f"{name} is missing in {rows_said(n)}" for name, n in counts.items() if n)
    if missing == "refuse":
        raise InputError(
            f"{said}. Complete them, or drop these rows with missing='drop' "
            "(command line: --drop-missing)"
        )
    condition = " OR ".join(lacking.values())
    dropped = columns.count(condition)
    if dropped == rows:
        raise InputError(f"{said}: no complete row is left; check the columns")
    columns.engine.run(f"CREATE VIEW {COMPLETE} AS SELECT * FROM {SOURCE} WHERE NOT ({condition})")
    columns.source = COMPLETE
    notes.append(f"dropped {rows_said(dropped)} of {rows} with missing values ({said})")


def _without_score(columns: Columns) -> str:
    """Whether a row lacks a score that its model has."""
    gone = " OR ".join(absent(sql, "number") for sql in columns.scores())
    columns.bare = _bare(columns)
    if not columns.bare:
        return f"({gone})"
    import pyarrow as pa

    columns.engine.keep(pa.table({"model": pa.array(columns.bare)}), "bare")
    return f"(({gone}) AND {columns.sql('model')} NOT IN (SELECT model FROM bare))"


def _bare(columns: Columns) -> list[object]:
    """The models that have labels but no score in any row, while others have."""
    if not columns.has("model") or not columns.has("y_pred"):
        return []
    there = " OR ".join(f"NOT {absent(sql, 'number')}" for sql in columns.scores())
    found = columns.engine.rows(
        f"SELECT {columns.sql('model')} AS model, bool_or({there}) FROM {columns.source} "
        "GROUP BY ALL"
    )
    bare = [model for model, any_there in found if not any_there]
    return [] if len(bare) == len(found) else bare


def weight_kind(columns: Columns, kind: WeightKind | None, notes: list[str]) -> WeightKind | None:
    """What the weights mean: as said, or counts if all are whole; refuses what cannot be one."""
    if not columns.has("weight"):
        return None
    title = columns.title("weight")
    if columns.kinds["weight"] == "text":
        raise InputError(f"{title}: expected numbers, got text")
    w = f"CAST({columns.sql('weight')} AS DOUBLE)"
    low, high, broken = columns.engine.rows(
        f"SELECT min({w}), max({w}), count(*) FILTER ({w} <> floor({w})) FROM {columns.source}"
    )[0]
    if low < 0 or not np.isfinite(high):
        worst = low if low < 0 else high
        raise InputError(f"{title}: {worst:g}; weights are finite and not negative")
    if high == 0:
        raise InputError("weight: all weights are 0, so there is nothing to count")
    if kind is None:
        kind = "sampling" if broken else "frequency"
        notes.append(f"weights read as {kind} weights (say weights= otherwise)")
    if kind == "frequency" and broken:
        raise InputError(
            f"{title}: no whole number in {rows_said(broken)}, so it cannot be a count; say "
            "weights='sampling'"
        )
    return kind
