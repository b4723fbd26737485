"""Cuts: the rows of a table divided into slices by the values of kept columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from heliast._core.columns import Column
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.predictions import Predictions, Splits
from heliast.predictions.scan import Scanned
from heliast.tables.about import OF_ANSWERS
from heliast.verbs.sliced_by import PARTS, parted

# Values of a column that are slices of their own; the rarest of more are one slice together.
MOST = 40
MISSING, OTHERS = "(missing)", "(all others)"


@dataclass(frozen=True, eq=False)
class Cut:
    """A table cut into slices: the name of each slice, and the slice of each row."""

    column: str
    names: tuple[str, ...]
    codes: Array
    notes: tuple[str, ...] = ()
    quantiles: bool = False

    def __iter__(self) -> Iterator[tuple[str, Array]]:
        """The name and the rows of each slice."""
        return ((name, self.codes == code) for code, name in enumerate(self.names))


def cuts(table: Predictions, by: Sequence[Sequence[str]]) -> list[Cut]:
    """The table cut by each of these; crossed columns give a slice for each pair that occurs."""
    if isinstance(table, Scanned):
        raise InputError(
            "by: a scanned table cannot be sliced; read it into memory (command line: --no-scan)"
        )
    if table.meta.design == "time":
        raise InputError("by: slices of a time series have no interval; leave out by= or time=")
    return [_cross([_cut(table, word) for word in words]) for words in by]


def _cut(table: Predictions, word: str) -> Cut:
    name, parts = (word, PARTS) if word in table.columns else parted(word)
    column = table.columns.get(name) or _own_column(table, name)
    if name in averaged_columns(table):
        raise InputError(
            f"by={word!r}: it belongs to each attempt at an item and was averaged; slice by a "
            "column of the item"
        )
    if parts < 2:
        raise InputError(f"by={word!r}: cut numbers into 2 parts or more")
    if column.is_number and len(column.distinct()) > max(PARTS, parts):
        return _at_quantiles(name, column, parts)
    return _by_value(name, column)


def averaged_columns(table: Predictions) -> tuple[str, ...]:
    """The kept columns that hold means over the attempts at an item."""
    averaged = table.task == "graded" and table.scores is not None
    return tuple(name for name in table.columns if averaged and name in OF_ANSWERS)


def _own_column(table: Predictions, name: str) -> Column:
    """What every table can be sliced by: true and predicted class, group, split."""
    if name in ("y_true", "y_pred") and table.task == "classification":
        names, codes = table.classes, getattr(table, name)
    elif name == "group" and table.group is not None:
        known, codes = np.unique(table.group, return_inverse=True)
        names = tuple(known.tolist())
    elif name == "split":
        names, codes = table.splits.names, table.codes("split")
    else:
        kept = ", ".join(map(repr, table.columns)) or "none"
        raise InputError(
            f"by={name!r}: no such column was kept; there are: {kept}. Keep it when the table is "
            f"made: columns={{{name!r}: ...}}, or keep={name!r} when it is read or run"
        )
    texts = tuple(map(str, names))
    return Column(name, codes.astype(np.int32), "text", np.empty(0, np.int64), texts)


def _by_value(name: str, column: Column) -> Cut:
    values, codes = column.coded() if column.kind != "number" else _number_codes(column)
    codes = codes.astype(np.int64, copy=True)
    codes[column.missing] = -1
    names = [str(value) if column.kind == "text" else f"{value:g}" for value in values]
    notes: tuple[str, ...] = ()
    if len(names) > MOST:
        size = np.bincount(codes[codes >= 0], minlength=len(names))
        kept = np.sort(np.argsort(-size, kind="stable")[: MOST - 1])
        place = np.full(len(names) + 1, kept.size, np.int64)
        place[kept], place[-1] = np.arange(kept.size), -1
        notes = (f"{name}: {len(names)} values, of which all but {kept.size} are one slice",)
        codes, names = place[codes], [*(names[at] for at in kept), OTHERS]
    if column.missing.size:
        codes[column.missing] = len(names)
        names = [*names, MISSING]
    return Cut(name, tuple(names), codes, notes)


def _number_codes(column: Column) -> tuple[Sequence[float], Array]:
    known = ~np.isnan(column.values)
    values, place = np.unique(column.values[known], return_inverse=True)
    codes = np.full(len(column), -1, np.int64)
    codes[known] = place
    return values.tolist(), codes


def _at_quantiles(name: str, column: Column, parts: int) -> Cut:
    """Parts of about as many rows each; equal numbers are in one part."""
    values = column.values.astype(np.float64)
    known = ~np.isnan(values)
    shares = np.arange(1, parts) / parts
    edges = np.unique(np.quantile(values[known], shares, method="inverted_cdf"))
    edges = edges[edges < values[known].max()]
    texts = [f"{edge:.4g}" for edge in edges]
    if len(set(texts)) < len(texts):
        texts = [repr(float(edge)) for edge in edges]
    names = [f"{name} <= {texts[0]}"]
    names += [f"{low} < {name} <= {high}" for low, high in pairwise(texts)]
    names += [f"{name} > {texts[-1]}"]
    codes = np.searchsorted(edges, values, side="left")
    if not known.all():
        codes[~known] = len(names)
        names = [*names, MISSING]
    shown = ", ".join(f"{edge:g}" for edge in edges)
    note = f"{name} is cut at its quantiles into {parts} parts: {shown}"
    return Cut(name, tuple(names), codes, (note,), True)


def _cross(parts: list[Cut]) -> Cut:
    if len(parts) == 1:
        return parts[0]
    key = np.zeros(parts[0].codes.size, np.int64)
    for cut in parts:
        key = key * len(cut.names) + cut.codes
    present, codes = np.unique(key, return_inverse=True)
    names = []
    for code in present.tolist():
        words = []
        for cut in reversed(parts):
            code, at = divmod(code, len(cut.names))
            words.append(cut.names[at])
        names.append(", ".join(reversed(words)))
    notes = tuple(note for cut in parts for note in cut.notes)
    column = " * ".join(cut.column for cut in parts)
    return Cut(column, tuple(names), codes, notes, any(cut.quantiles for cut in parts))


def rows_of(table: Predictions, keep: Array) -> Predictions:
    """These rows of a table, and of its splits those that hold some of them."""
    chosen = table.where(keep)
    if len(chosen.splits) == 1:
        return chosen
    sizes = np.bincount(chosen.codes("split"), minlength=len(chosen.splits))
    present = np.flatnonzero(sizes).tolist()
    chosen = chosen.only(split=[chosen.splits.names[at] for at in present])
    models = max(1, len(chosen.models))
    records = [
        record if record.n_test is None else replace(record, n_test=int(size) // models)
        for record, size in zip(chosen.splits, sizes[sizes > 0], strict=True)
    ]
    return replace(chosen, splits=Splits(tuple(records)))
