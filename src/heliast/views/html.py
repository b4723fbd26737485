"""The notebook view of a record: plain HTML that needs no style sheet, everything escaped."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from heliast._core.numbers import shorten
from heliast.views.numbers import Measured
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
    notes = list(dict.fromkeys([*record.important_notes(), *record.notes]))
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
        if place == 0:
            cells.append(f'<th scope="row">{shown}</th>')
        elif column.kind in LEFT:
            cells.append(f"<td>{shown}</td>")
        else:
            cells.append(f"<td style='text-align:right'>{shown}</td>")
    return f"<tr>{''.join(cells)}</tr>"


# --- for the records that are not yet rewritten --------------------------------------------------

from heliast._core.numbers import figures  # noqa: E402
from heliast.estimates import Estimate  # noqa: E402
from heliast.measures import KEY_FIGURES, kappa_word  # noqa: E402
from heliast.views.contingent import (  # noqa: E402
    FEW_CLASSES,
    MOST_CLASSES,
    Line,
    agreement,
    by_chance,
    kappa_of,
    margined,
)
from heliast.views.reasons import Reasons  # noqa: E402
from heliast.views.sentences import baseline_words, best_first, selected_words  # noqa: E402

if TYPE_CHECKING:
    from heliast.verbs.assess import Assessment

_LONGEST, MOST_FIGURES, MOST_MODELS = 200, 5, 20


def right(cell: str, tip: str | None = None) -> str:
    """A cell of a number."""
    said = "" if tip is None else f" title='{tip}'"
    return f"<td style='text-align:right'{said}>{cell}</td>"


def left(*cells: str) -> str:
    """Cells of words."""
    return "".join(f"<td>{cell}</td>" for cell in cells)


def table(head: Iterable[str], rows: Iterable[str]) -> str:
    """A table of such cells, a text of cells for each row."""
    names = "".join(f"<th>{name}</th>" for name in head)
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>"


def notes(said: Iterable[str], longest: int = _LONGEST) -> str:
    """A numbered list; nothing if there is nothing to say."""
    lines = "".join(f"<li>{text(note, longest)}</li>" for note in said)
    return f"<ol>{lines}</ol>" if lines else ""


def assessment_html(found: "Assessment") -> str:
    """A sentence and the key figures of each model; all values, counts and notes on demand."""
    said = [note for note in (selected_words(found), *found.notes) if note]
    spoken = f"{found.sentence} {baseline_words(found)}".rstrip()
    return (
        f"<p>{text(spoken, 10 * _LONGEST)}</p>{_key_figures(found)}"
        + folded(f"all {len(found.estimates)} values, with their methods", _every_value(found))
        + folded("counts", _contingency(found) if len(found.models) == 1 else "")
        + folded(f"notes ({len(said)})", notes(said, 10 * _LONGEST))
        + ("" if found.slices is None else found.slices._repr_html_())
    )


def _key_figures(found: "Assessment") -> str:
    """The first few measures of each model, each with its interval; best models first."""
    overall = {(one.model, one.measure): one for one in found.estimates if one.class_ is None}
    there = {measure for _, measure in overall}
    names = [name for name in dict.fromkeys((found.by, *KEY_FIGURES)) if name in there]
    names = (names or sorted(there))[:MOST_FIGURES]
    if not names:
        return ""
    first = [overall[model, names[0]] for model in found.models if (model, names[0]) in overall]
    reasons = Reasons()
    rows = [
        left(text(best.model))
        + "".join(_figure(overall.get((best.model, name)), reasons) for name in names)
        for best in best_first(first)[:MOST_MODELS]
    ]
    below = [*reasons.lines]
    if len(first) > MOST_MODELS:
        below.append(f"the best {MOST_MODELS} of {len(first)} models")
    return table(("model", *map(text, names)), rows) + _lines(below)


def _figure(one: Estimate | None, reasons: Reasons) -> str:
    """A value and its interval as one cell."""
    if one is None:
        return right("")
    shown, mark = figures(one), reasons.mark(one)
    between = f" [{shown.between}]" if shown.between and not mark else ""
    return right(shown.value + mark + between)


def _every_value(found: "Assessment") -> str:
    reasons = Reasons()
    rows = [
        left(text(one.model), _named(one), "" if one.class_ is None else text(one.class_))
        + right(shown.value + mark)
        + left(shown.between, "" if mark else text(one.method))
        for one in found.estimates
        for shown, mark in [(figures(one), reasons.mark(one))]
    ]
    head = ("model", "measure", "class", "value", "interval", "method")
    return table(head, rows) + _lines(reasons.lines)


def _lines(said: Iterable[str]) -> str:
    below = "<br>".join(text(line, 2 * _LONGEST) for line in said)
    return below and f"<p>{below}</p>"


def _named(one: Estimate) -> str:
    word = f" ({kappa_word(one.value)})" if one.measure == "kappa" and one.defined else ""
    return text(one.measure) + word


def _contingency(found: "Assessment") -> str:
    """Counts with their margins; where kappa is shown, what chance would give, and its word."""
    (model,), names = found.models, [text(name) for name in found.classes]
    counted = found.tables.get(model)
    if counted is None or not 0 < len(names) <= MOST_CLASSES:
        return ""
    shown, lines = margined(counted)
    made = table(("y_true \\ y_pred", *names, *shown), map(_line, lines))
    one = kappa_of(found, model)
    if one is None:
        return made
    if len(names) <= FEW_CLASSES:
        made += table(("by chance", *names), map(_line, by_chance(counted)))
    return f"{made}<p>{text(agreement(one, counted), 400)}</p>"


def _line(line: Line) -> str:
    name, entries = line
    return left(text(name)) + "".join(right(entry.text, entry.tip or None) for entry in entries)
