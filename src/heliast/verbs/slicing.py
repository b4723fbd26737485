"""Slices: the rows of a table by the values of kept columns, each a selection of its own."""

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

MOST = 40
"""Values of a column that are slices of their own; the rarest of more are one slice together."""
MISSING, OTHERS = "(missing)", "(all others)"


@dataclass(frozen=True, eq=False)
class Cut:
    """A table cut into slices: what by, the name of each slice, and which one each row is in."""

    column: str
    names: tuple[str, ...]
    codes: Array
    notes: tuple[str, ...] = ()
    quantiles: bool = False
    """Whether numbers were cut at quantiles of these rows."""

    def __iter__(self) -> Iterator[tuple[str, Array]]:
        """The name and the rows of each slice."""
        return ((name, self.codes == code) for code, name in enumerate(self.names))


def cuts(table: Predictions, by: Sequence[Sequence[str]]) -> list[Cut]:
    """The table cut by each of these; crossed columns give a slice for each pair that occurs."""
    if isinstance(table, Scanned):
        raise InputError(
            "by: a scanned table is counted where it lies and cannot be sliced; read it into "
            "memory (command line: --no-scan)"
        )
    if table.meta.design == "time":
        raise InputError(
            "by: rows are in order of time, and no interval here is measured for slices of such "
            "rows; leave out by= or time="
        )
    return [_crossed([_cut(table, word) for word in words]) for words in by]


def _cut(table: Predictions, word: str) -> Cut:
    name, parts = (word, PARTS) if word in table.columns else parted(word)
    one = table.columns.get(name) or _own(table, name)
    if name in means_of(table):
        raise InputError(
            f"by={word!r}: it belongs to each attempt at an item and was averaged, and a slice of "
            "such means holds no answer that was given; slice by what belongs to the item"
        )
    if parts < 2:
        raise InputError(f"by={word!r}: cut numbers into 2 parts or more")
    if one.is_number and len(one.distinct()) > max(PARTS, parts):
        return _at_quantiles(name, one, parts)
    return _by_value(name, one)


def means_of(table: Predictions) -> tuple[str, ...]:
    """The kept columns that hold means over the attempts at an item."""
    averaged = table.task == "graded" and table.scores is not None
    return tuple(name for name in table.columns if averaged and name in OF_ANSWERS)


def _own(table: Predictions, name: str) -> Column:
    """What every table has to slice by: the truth, the group, the split."""
    if name in ("y_true", "y_pred") and table.task == "classification":
        texts = tuple(map(str, table.classes))
        codes = getattr(table, name).astype(np.int32)
        return Column(name, codes, "text", np.empty(0, np.int64), texts)
    if name == "group" and table.group is not None:
        known, codes = np.unique(table.group, return_inverse=True)
        texts = tuple(map(str, known.tolist()))
        return Column(name, codes.astype(np.int32), "text", np.empty(0, np.int64), texts)
    if name == "split":
        texts = tuple(map(str, table.splits.names))
        return Column(name, table.codes("split"), "text", np.empty(0, np.int64), texts)
    there = ", ".join(map(repr, table.columns)) or "none"
    raise InputError(
        f"by={name!r}: no such column was kept; there are: {there}. Keep it when the table is "
        f"made: columns={{{name!r}: ...}}, or keep={name!r} when it is read or run"
    )


def _by_value(name: str, one: Column) -> Cut:
    values, codes = one.coded() if one.kind != "number" else _numbers(one)
    codes = codes.astype(np.int64, copy=True)
    codes[one.missing] = -1
    names = [str(value) if one.kind == "text" else f"{value:g}" for value in values]
    notes: tuple[str, ...] = ()
    if len(names) > MOST:
        size = np.bincount(codes[codes >= 0], minlength=len(names))
        kept = np.sort(np.argsort(-size, kind="stable")[: MOST - 1])
        place = np.full(len(names) + 1, kept.size, np.int64)
        place[kept], place[-1] = np.arange(kept.size), -1
        notes = (f"{name}: {len(names)} values, of which all but {kept.size} are one slice",)
        codes, names = place[codes], [*(names[at] for at in kept), OTHERS]
    if one.missing.size:
        codes[one.missing] = len(names)
        names = [*names, MISSING]
    return Cut(name, tuple(names), codes, notes)


def _numbers(one: Column) -> tuple[Sequence[float], Array]:
    """Numbers, some of which may be missing, by value."""
    known = ~np.isnan(one.values)
    values, place = np.unique(one.values[known], return_inverse=True)
    codes = np.full(len(one), -1, np.int64)
    codes[known] = place
    return values.tolist(), codes


def _at_quantiles(name: str, one: Column, parts: int) -> Cut:
    """Parts of about as many rows each; equal numbers are in one part."""
    values = one.values.astype(np.float64)
    known = ~np.isnan(values)
    shares = np.arange(1, parts) / parts
    edges = np.unique(np.quantile(values[known], shares, method="inverted_cdf"))
    edges = edges[edges < values[known].max()]
    said = _brief(edges)
    names = [f"{name} <= {said[0]}"]
    names += [f"{low} < {name} <= {high}" for low, high in pairwise(said)]
    names += [f"{name} > {said[-1]}"]
    codes = np.searchsorted(edges, values, side="left")
    if not known.all():
        codes[~known] = len(names)
        names = [*names, MISSING]
    shown = ", ".join(f"{edge:g}" for edge in edges)
    note = f"{name} is cut at its quantiles into {parts} parts: {shown}"
    return Cut(name, tuple(names), codes, (note,), True)


def _brief(edges: Array) -> list[str]:
    """Numbers with four digits, or as many as tell them apart."""
    brief = [f"{edge:.4g}" for edge in edges]
    return brief if len(set(brief)) == len(brief) else [repr(float(edge)) for edge in edges]


def _crossed(found: list[Cut]) -> Cut:
    if len(found) == 1:
        return found[0]
    key = np.zeros(found[0].codes.size, np.int64)
    for cut in found:
        key = key * len(cut.names) + cut.codes
    there, codes = np.unique(key, return_inverse=True)
    names = []
    for code in there.tolist():
        words = []
        for cut in reversed(found):
            code, at = divmod(code, len(cut.names))
            words.append(cut.names[at])
        names.append(", ".join(reversed(words)))
    column = " * ".join(cut.column for cut in found)
    notes = tuple(note for cut in found for note in cut.notes)
    return Cut(column, tuple(names), codes, notes, any(cut.quantiles for cut in found))


def part(table: Predictions, keep: Array) -> Predictions:
    """A slice of a table: these rows, and of its splits those that hold some of them."""
    chosen = table.where(keep)
    if len(chosen.splits) == 1:
        return chosen
    sizes = np.bincount(chosen.codes("split"), minlength=len(chosen.splits))
    there = np.flatnonzero(sizes).tolist()
    chosen = chosen.only(split=[chosen.splits.names[at] for at in there])
    models = max(1, len(chosen.models))
    records = [
        record if record.n_test is None else replace(record, n_test=int(size) // models)
        for record, size in zip(chosen.splits, sizes[sizes > 0], strict=True)
    ]
    return replace(chosen, splits=Splits(tuple(records)))
