"""The terminal view: a sentence, tables that fill the terminal, numbered notes."""

import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from heliast._core.notes import FAILED, key_of
from heliast._core.numbers import figures, limits, shorten
from heliast.estimates import Estimate
from heliast.measures import KEY_FIGURES, kappa_word
from heliast.views.contingent import (
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
from heliast.views.reasons import Reasons
from heliast.views.sentences import baseline_words, best_first, selected_words

if TYPE_CHECKING:
    from heliast.verbs.assess import Assessment

WIDTH = 80
"""Columns that everything fits: narrower terminals are folded to."""
_BLOCK = 22
"""Columns that a value and its interval usually take."""
_MOST_COLUMNS = 3
_MOST_MODELS = 20
_MOST_NOTES = 40


def columns() -> int:
    """The columns of this terminal, but no fewer than everything fits; so many without one."""
    return max(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns)


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


def wrapped(text: str, width: int | None = None, indent: str = "") -> str:
    """The text in lines of at most `width` columns: those of the terminal, if not given."""
    width = width or columns()
    return textwrap.fill(text, width, subsequent_indent=indent, break_on_hyphens=False)


def numbered(said: Iterable[str], width: int | None = None) -> str:
    """Notes, numbered under their heading; nothing if there are none."""
    shown = list(said)
    more = len(shown) - _MOST_NOTES
    if more > 0:
        shown[_MOST_NOTES:] = [f"and {more:,} more: --json has all (in Python: notes)"]
    lines = [wrapped(f"{at}. {note}", width, indent="   ") for at, note in enumerate(shown, 1)]
    return "\n".join(["Notes", *lines]) if lines else ""


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
