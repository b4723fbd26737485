"""The notebook view of a record: plain HTML that needs no style sheet, everything escaped."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from heliast._core.numbers import shorten
from heliast.views.numbers import Measured
from heliast.views.record import notes_of
from heliast.views.terminal import LEFT, Footnotes, cell_text

if TYPE_CHECKING:
    from heliast.views.record import Column, Record, Table

LONGEST, LONGEST_NAME = 4000, 200
"""Characters of a sentence and of a name that a page shows."""
MOST_ROWS = 200


def text(value: object, longest: int = LONGEST_NAME) -> str:
    """Any text made safe and short enough to stand in a page."""
    return escape(shorten(value, longest), quote=True)


def record_html(record: "Record") -> str:
    """Summary, main table, remarks; other tables and the notes open on demand."""
    first, *others = record.tables() or (None,)
    parts = [f"<p>{text(record.summary, LONGEST)}</p>"]
    if first is not None:
        parts.append(table_html(first))
    parts += [f"<p>{text(remark, LONGEST)}</p>" for remark in record.remarks]
    for table in others:
        parts.append(folded(table.title or table.name, table_html(table)))
    _, notes = notes_of(record)
    items = "".join(f"<li>{text(note, LONGEST)}</li>" for note in notes)
    if items:
        parts.append(folded(f"Notes ({len(notes)})", f"<ol>{items}</ol>"))
    return "".join(parts)


def folded(summary: str, inside: str) -> str:
    """What opens on demand."""
    return f"<details><summary>{text(summary)}</summary>{inside}</details>"


def table_html(table: "Table") -> str:
    """A table with its footnotes below."""
    footnotes = Footnotes()
    head = "".join(f'<th scope="col">{text(column.heading)}</th>' for column in table.columns)
    body = "".join(_row(table.columns, row, footnotes) for row in table.rows[:MOST_ROWS])
    foot = "".join(_row(table.columns, row, footnotes) for row in table.foot)
    foot = foot and f"<tfoot>{foot}</tfoot>"
    below = [*footnotes.lines, *([table.note] if table.note else [])]
    if len(table.rows) > MOST_ROWS:
        below.append(f"{len(table.rows) - MOST_ROWS:,} more rows: to_frame({table.name!r})")
    lines = "<br>".join(text(line, LONGEST) for line in below)
    return (
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody>{foot}</table>"
        f"{lines and f'<p>{lines}</p>'}"
    )


def _row(columns: "Sequence[Column]", row: Sequence[object], footnotes: Footnotes) -> str:
    cells = []
    for place, (column, cell) in enumerate(zip(columns, row, strict=True)):
        shown = text(cell_text(cell, column.kind, footnotes))
        if isinstance(cell, Measured) and cell.mark == "best":
            shown = f"<b>{shown}</b>"
        elif isinstance(cell, Measured) and cell.mark == "unbeaten":
            shown += "<sup>†</sup>"
        if place == 0:
            cells.append(f'<th scope="row">{shown}</th>')
        elif column.kind in LEFT:
            cells.append(f"<td>{shown}</td>")
        else:
            cells.append(f"<td style='text-align:right'>{shown}</td>")
    return f"<tr>{''.join(cells)}</tr>"
