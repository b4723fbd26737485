"""How slices read: a table for each column, on a terminal and in a notebook."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from heliast._core.numbers import figures, number, shorten, written
from heliast.views import html
from heliast.views.comparing import p_words
from heliast.views.terminal import columns, numbered, table, wrapped

if TYPE_CHECKING:
    from heliast.predictions import Predictions
    from heliast.verbs.find_slices import WeakSlices
    from heliast.verbs.slices import Alike, Slice, Slices

_MOST_ROWS = 40
_WIDE = 110
"""Columns from which the interval of a difference is shown beside it."""
HEAD = ("slice", "rows", "share", "value", "less the rest", "p", "")


def tasks_of(table: "Predictions") -> tuple[str, ...]:
    """The tasks that the items of a graded table are of, by name; nothing where none are kept."""
    kept = table.columns.get("task") if table.task == "graded" else None
    return () if kept is None else tuple(sorted(map(str, kept.distinct())))


def slices_sentence(found: "Slices") -> str:
    """Which slices are worse than the rest, or that none is shown to be."""
    told = [one for one in found if one.finding]
    if not told:
        return "No slice is shown to differ from the rest of the rows."
    worst = max(told, key=lambda one: (one.finding in ("worse", "larger"), abs(one.difference)))
    many = f"{len(told)} slices differ" if len(told) > 1 else "One slice differs"
    where = f"{worst.column} = {worst.name}" if worst.column not in worst.name else worst.name
    return (
        f"{many} from the rest of the rows: most of all {where}, where {worst.measure} of "
        f"{worst.subject} is {number(worst.value)} and {number(worst.rest)} elsewhere."
    )


def alike_words(one: "Alike") -> str:
    """Whether the slices of a column differ at all."""
    if math.isnan(one.p):
        return f"whether they differ at all is not known: {one.reason}"
    said = "differ" if one.p < 0.05 else "are not shown to differ"
    return f"the {one.slices} slices {said}: p {'' if one.p < 0.001 else '= '}{p_words(one.p)}"


def headed(found: "Slices") -> Iterator[tuple[str, list["Slice"]]]:
    """Each table with what stands above it."""
    for one in found.alike:
        key = one.subject, one.measure, one.column
        ones = [each for each in found if (each.subject, each.measure, each.column) == key]
        yield f"{one.measure} of {one.subject} by {one.column}: {alike_words(one)}", ones


def cells(one: "Slice", wide: bool = True) -> list[str]:
    """What a table shows of a slice, under `HEAD`."""
    shown = figures(one)
    gap = written(one.difference, one.difference_low, one.difference_high)
    value = [shown.inside, gap.inside if wide else gap.value, p_words(one.p)]
    return [one.name, f"{one.n:,.0f}", f"{one.share:.0%}", *value, one.finding or one.reason]


def slices_text(found: "Slices", width: int | None = None) -> str:
    """Everything worth showing of slices, in plain text of at most `width` columns."""
    width = width or columns()
    blocks = [wrapped(found.sentence, width), *tables_text(found, width)]
    return "\n\n".join([*blocks, numbered(found.notes, width)])


def tables_text(found: "Slices", width: int) -> list[str]:
    """A table for each subject, measure and column."""
    made = []
    for words, ones in headed(found):
        rows = [cells(one, width >= _WIDE) for one in ones[:_MOST_ROWS]]
        rows = [[shorten(row[0], 30), *row[1:]] for row in rows]
        more = len(ones) - len(rows)
        end = f"\nand {more} more slices: see to_frame()." if more else ""
        made.append(f"{wrapped(words, width)}\n{table(list(HEAD), rows, width)}{end}")
    return made


def slices_html(found: "Slices") -> str:
    """The same in a notebook, escaped."""
    made = [f"<p>{html.text(words, 400)}</p>{_rows(ones)}" for words, ones in headed(found)]
    return f"<p>{html.text(found.sentence, 600)}</p>{''.join(made)}{html.notes(found.notes)}"


def _rows(ones: "Sequence[Slice]") -> str:
    rows = []
    for one in ones:
        name, *numbers, said = cells(one)
        middle = "".join(html.right(html.text(cell)) for cell in numbers)
        rows.append(html.left(html.text(name)) + middle + html.left(html.text(said)))
    return html.table(HEAD, rows)


# --- weak slices that were searched -----------------------------------------------------------


def weak_sentence(found: "WeakSlices") -> str:
    """How many slices are confirmed to be worse, and which most of all."""
    looked = f"of {found.searched:,} slices of {found.n_search:,.0f} rows"
    other = f"on {found.n_confirm:,.0f} others"
    if not found.slices:
        suspects = len(found.others)
        said = f"; {suspects} looked so and did not hold" if suspects else ""
        none = f"No slice is shown to be worse than the rest: {looked} none was confirmed"
        return f"{none} {other}{said}."
    worst = found.slices[0]
    many = f"{len(found.slices)} slices are" if len(found.slices) > 1 else "One slice is"
    return (
        f"{many} worse than the rest, chosen {looked} and confirmed {other}: most of all "
        f"{worst.name}, where {worst.measure} of {worst.subject} is {number(worst.value)} and "
        f"{number(worst.rest)} elsewhere."
    )


def weak_text(found: "WeakSlices", width: int | None = None) -> str:
    """The slices confirmed and not, in plain text of at most `width` columns."""
    width = width or columns()
    blocks = [wrapped(found.sentence, width)]
    for words, ones in _weak(found):
        rows = [cells(one, width >= _WIDE) for one in ones]
        rows = [[shorten(row[0], 44), *row[1:]] for row in rows]
        blocks.append(f"{wrapped(words, width)}\n{table(list(HEAD), rows, width)}")
    blocks.append(numbered(found.notes, width))
    return "\n\n".join(block for block in blocks if block)


def _weak(found: "WeakSlices") -> Iterator[tuple[str, tuple["Slice", ...]]]:
    if found.slices:
        yield "Confirmed, on rows that were not searched:", found.slices
    if found.others:
        yield "Not confirmed:", found.others


def weak_html(found: "WeakSlices") -> str:
    """The same in a notebook, escaped."""
    made = [f"<p>{html.text(words)}</p>{_rows(ones)}" for words, ones in _weak(found)]
    return f"<p>{html.text(found.sentence, 600)}</p>{''.join(made)}{html.notes(found.notes)}"
