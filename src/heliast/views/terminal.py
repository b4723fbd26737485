"""The terminal view: a sentence, tables that fit 80 columns, numbered notes."""

import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING

from heliast._core.numbers import count, figures, limits, shorten
from heliast.estimates import Estimate
from heliast.measures import KEY_FIGURES
from heliast.views.sentences import baseline_words, best_first, selected_words

if TYPE_CHECKING:
    from heliast.verbs.assess import Assessment

WIDTH = 80
_MOST_CLASSES = 12
_MOST_COLUMNS = 3
_MOST_MODELS = 20
_MOST_NOTES = 40


def assessment_text(found: "Assessment", width: int = WIDTH) -> str:
    """Everything worth showing of an assessment, in plain text of at most `width` columns."""
    blocks = [wrapped(f"{found.sentence} {baseline_words(found)}".rstrip(), width)]
    if len(found.models) == 1:
        blocks.append(_one_model(found, width))
    else:
        blocks.append(_several(found, width))
    if len(found.models) == 1 and len(found.classes) <= _MOST_CLASSES and found.classes:
        if len(found.classes) > 2:
            blocks.append(_per_class(found, width))
        blocks.append(_contingency(found, width))
    elif len(found.classes) > _MOST_CLASSES:
        blocks.append(f"{len(found.classes)} classes: see to_frame() for the values per class.")
    blocks.append(_remarks(found, width))
    return "\n\n".join(block for block in blocks if block)


def wrapped(text: str, width: int = WIDTH, indent: str = "") -> str:
    """The text in lines of at most `width` columns."""
    return textwrap.fill(text, width, subsequent_indent=indent, break_on_hyphens=False)


def numbered(said: Iterable[str], width: int = WIDTH) -> str:
    """Notes, numbered under their heading; nothing if there are none."""
    shown = list(said)
    more = len(shown) - _MOST_NOTES
    if more > 0:
        shown[_MOST_NOTES:] = [f"and {more:,} more: --json has all (in Python: notes)"]
    lines = [wrapped(f"{at}. {note}", width, indent="   ") for at, note in enumerate(shown, 1)]
    return "\n".join(["Notes", *lines]) if lines else ""


def table(head: list[str], rows: list[list[str]], width: int = WIDTH) -> str:
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
            align = str.ljust if _is_words(head[at]) else str.rjust
            line += "  " + align(row[at], widths[at])
        lines.append(shorten(line.rstrip(), width))
    return "\n".join(lines)


def _is_words(head: str) -> bool:
    return head in ("method", "why", "")


def _overall(found: "Assessment") -> dict[str, list[Estimate]]:
    """The values over all classes of each model."""
    overall: dict[str, list[Estimate]] = {model: [] for model in found.models}
    for one in found.estimates:
        if one.class_ is None:
            overall[one.model].append(one)
    return overall


def _one_model(found: "Assessment", width: int) -> str:
    rows = []
    for one in _overall(found)[found.models[0]]:
        shown = figures(one)
        words = one.method if one.defined and shown.known else one.reason
        rows.append([one.measure, shown.value, shown.between, words])
    return table(["measure", "value", limits(found.level), "method"], rows, width)


def _several(found: "Assessment", width: int) -> str:
    if len(found.models) <= _MOST_COLUMNS:
        return _side_by_side(found, width)
    overall = _overall(found)
    names = [one.measure for one in overall[found.models[0]]]
    shown = ([name for name in KEY_FIGURES if name in names] or names)[:2]
    by_name = {model: {one.measure: one for one in ones} for model, ones in overall.items()}
    models, end = found.models, ""
    if len(models) > _MOST_MODELS:
        ranked = best_first([by_name[model][shown[0]] for model in models])
        models = tuple(one.model for one in ranked[:_MOST_MODELS])
        more = len(ranked) - len(models)
        end = (
            f"\nThe best {len(models)}; {more:,} more: --json or --report (in Python: to_frame())."
        )
    rows = [
        [shorten(model, 24), *(figures(by_name[model][name]).inside for name in shown)]
        for model in models
    ]
    return table(["model", *shown], rows, width) + end


def _side_by_side(found: "Assessment", width: int) -> str:
    room = max(8, (width - 20) // len(found.models) - 2)
    rows, overall = [], _overall(found)
    for position, one in enumerate(overall[found.models[0]]):
        others = [overall[model][position] for model in found.models]
        rows.append([one.measure, *(figures(other).inside for other in others)])
    return table(["measure", *(shorten(model, room) for model in found.models)], rows, width)


def _per_class(found: "Assessment", width: int) -> str:
    model = found.models[0]
    names = [name for name in ("recall", "precision", "f") if name in found.measures]
    if not names or len([one for one in found.estimates if one.class_ is not None]) == 0:
        return ""
    rows = []
    for class_ in found.classes:
        cells = [figures(found[model, name, class_]).inside for name in names]
        rows.append([shorten(class_, 14), *cells])
    return table(["class", *names], rows, width)


def _contingency(found: "Assessment", width: int) -> str:
    counts = found.tables[found.models[0]].counts
    room = max(3, (width - 16) // len(found.classes) - 2)
    head = ["true \\ label", *(shorten(class_, room) for class_ in found.classes)]
    rows = [
        [shorten(class_, 14), *(shorten(count(value), room) for value in line)]
        for class_, line in zip(found.classes, counts, strict=True)
    ]
    return table(head, rows, width)


def _remarks(found: "Assessment", width: int) -> str:
    said = [note for note in (selected_words(found), *found.notes) if note]
    reasons: dict[str, list[str]] = {}
    for name, why in found.left_out.items():
        reasons.setdefault(why, []).append(name)
    said += [f"left out: {', '.join(names)} ({why})" for why, names in reasons.items()]
    return numbered(said, width)
