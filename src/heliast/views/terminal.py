"""The terminal view of a record: summary, tables that fit the width, important notes, next step."""

import shutil
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from heliast._core.notes import NOT_ASKED, key_of
from heliast._core.numbers import count, number, shorten
from heliast.views.numbers import Measured, p_text, percent, plural, short_name
from heliast.views.record import MOST_NOTES, notes_of

if TYPE_CHECKING:
    from heliast.views.record import Column, Record, Table

WIDTH = 80
"""Columns that everything fits; on a narrower terminal the lines fold."""
LONG_NAME, SHORT_NAME = 24, 14
"""Longer names are numbered, and shown in a table by so many characters and their number."""
LEAST_TEXT, LEAST_NAME, MOST_TEXT = 12, 20, 60
"""Characters that text keeps at least, that what is never cut keeps, and a column has at most."""
LEFT = ("text", "name", "verdict")
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def columns() -> int:
    """The columns of this terminal, but no fewer than everything fits."""
    return max(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns)


def wrapped(text: str, width: int | None = None, indent: str = "") -> str:
    """The text in lines of at most `width` columns."""
    return textwrap.fill(text, width or columns(), subsequent_indent=indent, break_on_hyphens=False)


def numbered(notes: Iterable[str], width: int | None = None) -> str:
    """Notes, numbered under their heading; nothing if there are none."""
    lines = [wrapped(f"{at}. {note}", width, indent="   ") for at, note in enumerate(notes, 1)]
    return "\n".join(["Notes", *lines]) if lines else ""


def record_text(record: "Record", width: int | None = None, verbose: bool = False) -> str:
    """Everything worth showing of a record, in plain text of at most `width` columns."""
    width = width or columns()
    every = record.tables()
    tables = [table for table in every if verbose or not table.detail]
    labels = name_labels(tables)
    footnotes = Footnotes()
    blocks = [wrapped(record.summary, width)]
    for place, table in enumerate(tables):
        text = table_text(table, width, labels, footnotes, verbose)
        heading = f"{table.title}\n" if table.title and (place or verbose) else ""
        blocks.append(heading + text)
    legend = [f"{label.split(' ')[0]} {shorten(name, 400)}" for name, label in labels.items()]
    blocks.append("\n".join(wrapped(line, width, "    ") for line in [*footnotes.lines, *legend]))
    blocks += [wrapped(remark, width) for remark in record.remarks]
    important, notes = notes_of(record)
    shown = notes if verbose else important[:MOST_NOTES]
    blocks.append(numbered(shown, width))
    blocks.append(_last_lines(record, len(notes) - len(shown), len(every) - len(tables), width))
    return "\n\n".join(block for block in blocks if block)


def _last_lines(record: "Record", notes: int, tables: int, width: int) -> str:
    """The next step, and what `--verbose` would show beyond."""
    hidden = [plural(n, word) for n, word in ((tables, "table"), (notes, "note")) if n]
    more = f"{' and '.join(hidden)} more: --verbose" if hidden else ""
    if not record.next_step:
        return more
    line = f"Next: {record.next_step}"
    joined = f"{line}   |   {more}" if more else line
    return joined if len(joined) <= width else f"{line}\n{more}".rstrip()


# --- names and footnotes -------------------------------------------------------------------------


def name_labels(tables: Sequence["Table"]) -> dict[str, str]:
    """The long names in these tables, each with its number and its beginning and end.

    Names stand in columns of kind `name`, and at the head of columns that have their title.
    """
    names: dict[str, None] = {}
    for table in tables:
        for place, column in enumerate(table.columns):
            if column.kind == "name":
                names |= dict.fromkeys(str(row[place]) for row in table.rows)
            elif column.title == column.name:
                names[column.title] = None
    long = [name for name in names if len(name) > LONG_NAME]
    return {name: f"[{n}] {short_name(name, SHORT_NAME)}" for n, name in enumerate(long, 1)}


class Footnotes:
    """Why values or intervals are missing: a raised number in the cell, each reason once below.

    >>> footnotes = Footnotes()
    >>> footnotes.mark("one split"), footnotes.mark(""), footnotes.lines
    (' ¹', '', ['¹ one split'])
    """

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def mark(self, reason: str) -> str:
        """A blank and the raised number of the reason; empty without one."""
        if not reason or key_of(reason) == NOT_ASKED.key:
            return ""
        place = self._places.setdefault(reason, len(self._places) + 1)
        return f" {str(place).translate(_RAISED)}"

    @property
    def lines(self) -> list[str]:
        """A line for each reason, with its number."""
        return [f"{str(n).translate(_RAISED)} {reason}" for reason, n in self._places.items()]


def cell_text(cell: object, kind: str, footnotes: Footnotes | None = None) -> str:
    """A cell as text, by its own type or by the kind of its column."""
    if cell is None:
        return "-"
    if isinstance(cell, Measured):
        shown = cell.figures
        text = shown.value
        if shown.known:
            text += f" [{shown.low.rstrip('%')}, {shown.high.rstrip('%')}]"
        elif footnotes is not None:
            text += footnotes.mark(cell.reason)
        return f"{text} {cell.word}".rstrip()
    if isinstance(cell, bool) or not isinstance(cell, (int, float)) or kind in ("text", "name"):
        return shorten(cell, 10_000)
    if kind == "count":
        return count(cell) if cell == cell else "-"
    if kind == "share":
        return percent(cell) if cell == cell else "-"
    return p_text(cell) if kind == "p" else number(0.0 if abs(cell) < 1e-12 else cell)


# --- tables --------------------------------------------------------------------------------------


@dataclass
class _Shown:
    """A column as text: its heading, its cells, and where they stand."""

    cells: list[str]
    left: bool
    may_shrink: bool
    never_cut: bool
    plain: bool  # text that is no name, and may be cut

    @property
    def width(self) -> int:
        return max(map(len, self.cells))

    def fit(self, width: int) -> None:
        self.cells = [short_name(cell, width) for cell in self.cells]


def table_text(
    table: "Table",
    width: int | None = None,
    labels: Mapping[str, str] | None = None,
    footnotes: Footnotes | None = None,
    verbose: bool = False,
) -> str:
    """A table in lines of at most `width` columns.

    Text shrinks first; then columns are left out from the right. What is never cut shrinks last,
    and goes on in a block below where it does not fit beside the others.
    """
    width = width or columns()
    rows = list(table.rows) if verbose else list(table.rows)[: table.most_rows]
    shown = [
        _column(column, [row[at] for row in [*rows, *table.foot]], labels or {}, footnotes)
        for at, column in enumerate(table.columns)
    ]
    _shrink([column for column in shown if column.plain], shown, width, LEAST_TEXT)
    kept = _leave_out(shown, width)
    _shrink(kept, kept, width, LEAST_NAME)
    lines = ["\n".join(_lines(block)) for block in _blocks(kept, width)]
    end = (
        [f"{plural(len(table.rows) - len(rows), 'row')} more"]
        if len(rows) < len(table.rows)
        else []
    )
    if len(kept) < len(shown):
        end.append(f"{plural(len(shown) - len(kept), 'column')} more")
    more = [f"{' and '.join(end)}: --json or --report (in Python: to_frame())"] if end else []
    note = [wrapped(table.note, width)] if table.note else []
    return "\n".join(["\n\n".join(lines), *more, *note])


def _column(
    column: "Column",
    cells: Sequence[object],
    labels: Mapping[str, str],
    footnotes: Footnotes | None,
) -> _Shown:
    texts = [column.heading, *(cell_text(cell, column.kind, footnotes) for cell in cells)]
    texts = [labels.get(text, text) for text in texts]
    texts = [short_name(text, MOST_TEXT) for text in texts]
    words = column.kind in LEFT
    plain = column.kind == "text" and not column.never_cut
    return _Shown(texts, words, column.kind in ("text", "name"), column.never_cut, plain)


def _total(shown: Sequence[_Shown]) -> int:
    return sum(column.width for column in shown) + 2 * (len(shown) - 1)


def _shrink(some: list[_Shown], shown: list[_Shown], width: int, least: int) -> None:
    """Make the widest of some columns of text narrower, until all columns fit."""
    texts = [column for column in some if column.may_shrink]
    while texts and _total(shown) > width:
        widest = max(texts, key=lambda column: column.width)
        if widest.width <= least:
            return
        widest.fit(widest.width - 1)


def _leave_out(shown: list[_Shown], width: int) -> list[_Shown]:
    """Without the last columns that may be left out, as many as that needs."""
    kept = list(shown)
    while _total(kept) > width and not all(column.never_cut for column in kept[1:]):
        last = max(at for at, column in enumerate(kept) if at and not column.never_cut)
        del kept[last]
    return kept


def _blocks(shown: list[_Shown], width: int) -> list[list[_Shown]]:
    """The columns in as few blocks as fit, each with the first column before it."""
    first, *others = shown
    blocks = [[first]]
    for column in others:
        if len(blocks[-1]) > 1 and _total([*blocks[-1], column]) > width:
            blocks.append([first])
        blocks[-1].append(column)
    return blocks


def _lines(block: Sequence[_Shown]) -> list[str]:
    lines = []
    for row in zip(*(column.cells for column in block), strict=True):
        cells = [
            cell.ljust(column.width) if column.left else cell.rjust(column.width)
            for cell, column in zip(row, block, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return lines
