"""Missing values and weights, judged by counts over the whole table."""

import numpy as np

from heliast._core.errors import InputError
from heliast.predictions._rows import WeightKind
from heliast.predictions.scan._columns import Columns, absent, rows_said
from heliast.predictions.scan._located import SOURCE

COMPLETE = "complete"
"""The view without the rows that lack something."""


def complete(columns: Columns, rows: int, missing: str, notes: list[str]) -> None:
    """Refuse missing values, or leave the rows out and say how many."""
    for role in ("model", "split", "row", "seen", "weight"):
        count = columns.count(columns.absent(role)) if columns.has(role) else 0
        if count:
            raise InputError(
                f"{columns.title(role)} is missing in {rows_said(count)}; every row needs a "
                f"{role}: fill it in or leave the column out"
            )
    lacking = {
        columns.title(role): columns.absent(role)
        for role in ("truth", "label")
        if columns.has(role)
    }
    if columns.scores():
        lacking["score"] = _without_score(columns)
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
    if not columns.has("model") or not columns.has("label"):
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
    if kind not in (None, "frequency", "sampling"):
        raise InputError(f"weights={kind!r}: choose 'frequency' (counts) or 'sampling'")
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
