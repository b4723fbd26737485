"""Rows counted by model, split, true class and label; models compared by what they predict."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.columns import Column, column
from heliast._core.errors import InputError
from heliast.predictions._sides import coded_models, coded_splits
from heliast.predictions._splits import Split, Splits
from heliast.predictions.scan._columns import Columns
from heliast.predictions.scan._prepared import VIEW, Cells, Keys

Array = npt.NDArray[Any]

KEYS = ("model", "split", "seen")


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
    splits, split_code, seen = coded_splits(parts.get("split"), _seen(parts.get("seen")), notes)
    nothing = np.zeros(len(unique), np.int64)
    keys = Keys(
        unique,
        nothing if model_code is None else model_code,
        nothing if split_code is None else split_code,
        nothing if seen is None else seen.astype(np.int64),
    )
    return keys, models, splits


def _seen(one: Column | None) -> Array | None:
    if one is None:
        return None
    values = one.values
    if one.kind == "text" or (values < 0).any() or (values != np.floor(values)).any():
        raise InputError(
            f"{one.name}: {one.first()!r}; expected whole numbers >= 0 "
            "(0 = the row was not trained on)"
        )
    return values.astype(np.int64)


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
        f"sum(CAST(hash(row_name, truth) AS HUGEINT)), CAST(model AS VARCHAR) FROM {VIEW} "
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
