"""The terminal view of a record: summary, tables that fit the width, important notes, next step."""

import shutil
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from heliast._core.notes import NOT_ASKED, key_of
from heliast._core.numbers import count, number, shorten
from heliast.views.numbers import Measured, p_text, percent, plural, short_name
from heliast.views.record import MOST_NOTES

if TYPE_CHECKING:
    from heliast.views.record import Column, Record, Table

WIDTH = 80
"""Columns that everything fits; on a narrower terminal the lines fold."""
LONG_NAME, SHORT_NAME = 24, 14
"""Longer names are numbered, and shown in a table by so many characters and their number."""
LEAST_TEXT, MOST_TEXT = 12, 60
"""Characters that a column of text keeps at least, and has at most."""
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
    notes = list(dict.fromkeys([*record.important_notes(), *record.notes]))
    shown = notes if verbose else record.important_notes()[:MOST_NOTES]
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

    Names of models stand in columns of kind `name`, and at the head of measured columns.
    """
    names: dict[str, None] = {}
    for table in tables:
        for place, column in enumerate(table.columns):
            if column.kind == "name":
                names |= dict.fromkeys(str(row[place]) for row in table.rows)
            elif column.title and column.kind == "measured":
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

    Text shrinks first; then columns are left out from the right. Columns that are never cut go on
    in a block below where they do not fit beside the others.
    """
    width = width or columns()
    rows = list(table.rows) if verbose else list(table.rows)[: table.most_rows]
    shown = [
        _column(column, [row[at] for row in [*rows, *table.foot]], labels or {}, footnotes)
        for at, column in enumerate(table.columns)
    ]
    _shrink_text(shown, width)
    kept = _leave_out(shown, width)
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
    return _Shown(texts, words, column.kind in ("text", "name"), column.never_cut)


def _total(shown: Sequence[_Shown]) -> int:
    return sum(column.width for column in shown) + 2 * (len(shown) - 1)


def _shrink_text(shown: list[_Shown], width: int) -> None:
    """Make the widest columns of text narrower, as far as all columns then fit."""
    texts = [column for column in shown if column.may_shrink]
    while texts and _total(shown) > width:
        widest = max(texts, key=lambda column: column.width)
        if widest.width <= LEAST_TEXT:
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


# --- for the records that are not yet rewritten --------------------------------------------------

import sys  # noqa: E402
from itertools import accumulate  # noqa: E402

from heliast._core.notes import FAILED  # noqa: E402
from heliast._core.numbers import figures, limits  # noqa: E402
from heliast.estimates import Estimate  # noqa: E402
from heliast.measures import KEY_FIGURES, kappa_word  # noqa: E402
from heliast.views.contingent import (  # noqa: E402
    FEW_CLASSES,
    MARGINS,
    MOST_CLASSES,
    Entry,
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

_BLOCK, _MOST_COLUMNS, _MOST_MODELS = 22, 3, 20


def assessment_text(found: "Assessment", width: int | None = None) -> str:
    """Everything worth showing of an assessment, in plain text of at most `width` columns."""
    width = width or columns()
    blocks = [wrapped(f"{found.sentence} {baseline_words(found)}".rstrip(), width)]
    if len(found.models) == 1:
        blocks.append(_one_model(found, width))
    else:
        blocks.append(_several(found, width))
    if len(found.models) == 1 and len(found.classes) <= MOST_CLASSES and found.classes:
        if len(found.classes) > 2:
            blocks.append(_per_class(found, width))
        blocks.append(_contingency(found, width))
    elif len(found.classes) > MOST_CLASSES:
        blocks.append(f"{len(found.classes)} classes: see to_frame() for the values per class.")
    if len(found.models) == 1:
        blocks.append(_agreement(found, width))
    blocks.append(_remarks(found, width))
    blocks.append("" if found.slices is None else str(found.slices))
    return "\n\n".join(block for block in blocks if block)


def table(head: list[str], rows: list[list[str]], width: int | None = None) -> str:
    """Columns aligned (first left, others right), the last one cut if the line gets too long.

    >>> print(table(["measure", "value"], [["error", "0.250"]]))
    measure  value
    error    0.250
    """
    cells = [head, *rows]
    widths = [max(len(row[at]) for row in cells) for at in range(len(head))]
    lines = []
    for row in cells:
        line = row[0].ljust(widths[0])
        for at in range(1, len(head)):
            align = str.ljust if head[at] in ("method", "why", "") else str.rjust
            line += "  " + align(row[at], widths[at])
        lines.append(shorten(line.rstrip(), width or columns()))
    return "\n".join(lines)


def _overall(found: "Assessment") -> dict[str, list[Estimate]]:
    """The values over all classes of each model."""
    overall: dict[str, list[Estimate]] = {model: [] for model in found.models}
    for one in found.estimates:
        if one.class_ is None:
            overall[one.model].append(one)
    return overall


def _one_model(found: "Assessment", width: int) -> str:
    rows, reasons = [], Reasons()
    for one in _overall(found)[found.models[0]]:
        shown = figures(one)
        mark = reasons.mark(one)
        rows.append([one.measure, shown.value + mark, shown.between, "" if mark else one.method])
    head = ["measure", "value", limits(found.level), "method"]
    return _with_reasons(table(head, rows, width), reasons, width)


def _with_reasons(shown: str, reasons: Reasons, width: int) -> str:
    """A table, and below it why some of its intervals are missing."""
    return "\n".join([shown, *(wrapped(line, width, indent="  ") for line in reasons.lines)])


def _several(found: "Assessment", width: int) -> str:
    """Models side by side where they fit; else a line each, with as many measures as fit."""
    if len(found.models) <= max(_MOST_COLUMNS, (width - _BLOCK) // _BLOCK):
        return _side_by_side(found, width)
    overall = _overall(found)
    names = [one.measure for one in overall[found.models[0]]]
    by_name = {model: {one.measure: one for one in ones} for model, ones in overall.items()}
    usual = dict.fromkeys((found.by, *KEY_FIGURES, *names))
    names = [name for name in usual if name in names]
    ranked = best_first([by_name[model][names[0]] for model in found.models])
    models = [one.model for one in ranked[:_MOST_MODELS]]
    values = [[by_name[model][name] for model in models] for name in names]
    stubs = ["model", *(shorten(model, 24) for model in models)]
    # Two blanks before each column, and two places for a mark.
    needs = [
        4 + max(len(name), *(len(" ".join(_spoken(one))) for one in ones))
        for name, ones in zip(names, values, strict=True)
    ]
    ends = accumulate(needs, initial=max(map(len, stubs)))
    fitting = max(2, sum(end <= width for end in ends) - 1)
    reasons = Reasons()
    cells = [[" ".join(_spoken(one, reasons)) for one in ones] for ones in values[:fitting]]
    head, rows = ["model", *names[:fitting]], zip(stubs[1:], *cells, strict=True)
    shown = _with_reasons(table(head, [list(row) for row in rows], width), reasons, width)
    where = "more{}: --json or --report (in Python: to_frame())."
    if len(ranked) > len(models):
        shown += f"\nThe best {len(models)}; {len(ranked) - len(models):,} " + where.format("")
    if len(names) > fitting:
        shown += f"\n{len(names) - fitting} " + where.format(" measures")
    return shown


def _inside(one: Estimate, reasons: Reasons) -> str:
    """Value and interval; of a model that failed wherever it was tried, that."""
    shown = FAILED if key_of(one.reason) == FAILED else figures(one).inside
    return shown + reasons.mark(one)


def _spoken(one: Estimate, reasons: Reasons | None = None) -> list[str]:
    """The value with its interval, and of kappa its word."""
    shown = figures(one).inside if reasons is None else _inside(one, reasons)
    return [shown, kappa_word(one.value)] if one.measure == "kappa" else [shown]


def _side_by_side(found: "Assessment", width: int) -> str:
    """A column for each model; those that do not fit beside the others stand below them."""
    reasons, overall = Reasons(), _overall(found)
    names = ["measure"]
    for one in overall[found.models[0]]:
        names += [one.measure, *[""] * (len(_spoken(one)) - 1)]
    first = max(map(len, names))
    blocks, free = [[names]], width - first
    for model in found.models:
        cells = [cell for one in overall[model] for cell in _spoken(one, reasons)]
        wide = max(map(len, cells))
        column = [shorten(model, max(wide, _BLOCK)), *cells]
        need = 2 + max(map(len, column))
        if need > free and len(blocks[-1]) > 1:
            blocks.append([names])
            free = width - first
        blocks[-1].append(column)
        free -= need
    shown = [[list(row) for row in zip(*block, strict=True)] for block in blocks]
    return _with_reasons(
        "\n\n".join(table(head, rows, width) for head, *rows in shown), reasons, width
    )


def _per_class(found: "Assessment", width: int) -> str:
    model = found.models[0]
    names = [name for name in ("recall", "precision", "f1") if name in found.measures]
    if not names or len([one for one in found.estimates if one.class_ is not None]) == 0:
        return ""
    rows, reasons = [], Reasons()
    for class_ in found.classes:
        cells = [_inside(found[model, name, class_], reasons) for name in names]
        rows.append([shorten(class_, 14), *cells])
    return _with_reasons(table(["class", *names], rows, width), reasons, width)


def _contingency(found: "Assessment", width: int) -> str:
    """The table with as many of its margins as there is room for."""
    counted, names = found.tables[found.models[0]], found.classes
    for margins in (MARGINS, MARGINS[:1]):
        shown, lines = margined(counted, margins)
        room = _room(names, width - 8 * len(margins))
        whole = _crossed("y_true \\ y_pred", [*_short(names, room), *shown], lines)
        if _wide(whole) <= width:
            return whole
    room = _room(names, width)
    bare = [
        (name, [Entry(shorten(entry.text, room)) for entry in entries[: len(names)]])
        for name, entries in lines[: len(names)]
    ]
    return _crossed("y_true \\ y_pred", _short(names, room), bare, width)


def _agreement(found: "Assessment", width: int) -> str:
    """Kappa in words, beneath the table that chance would give."""
    model, names = found.models[0], found.classes
    one = kappa_of(found, model)
    if one is None:
        return ""
    counted = found.tables[model]
    said = wrapped(agreement(one, counted), width)
    if len(names) > FEW_CLASSES:
        return said
    shown = _crossed("by chance", _short(names, _room(names, width)), by_chance(counted))
    return f"{shown}\n\n{said}" if _wide(shown) <= width else said


def _room(names: Sequence[object], width: int) -> int:
    """Letters for the name of a class at the head of its column."""
    return max(3, (width - 16) // len(names) - 2)


def _short(names: Sequence[object], room: int) -> list[str]:
    return [shorten(name, room) for name in names]


def _wide(text: str) -> int:
    return max(map(len, text.splitlines()))


def _crossed(
    corner: str, heads: Sequence[str], lines: Sequence[Line], width: int = sys.maxsize
) -> str:
    rows = [[shorten(name, 14), *(entry.text for entry in entries)] for name, entries in lines]
    return table([corner, *heads], rows, width)


def _remarks(found: "Assessment", width: int) -> str:
    said = [note for note in (selected_words(found), *found.notes) if note]
    reasons: dict[str, list[str]] = {}
    for name, why in found.left_out.items():
        reasons.setdefault(why, []).append(name)
    said += [f"left out: {', '.join(names)} ({why})" for why, names in reasons.items()]
    return numbered(said, width)
