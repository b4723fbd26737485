"""The notebook view: the pieces of a page, everything escaped, and the assessment made of them."""

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from heliast._core.numbers import figures, shorten
from heliast.estimates import Estimate
from heliast.measures import kappa_word
from heliast.views.contingent import (
    FEW_CLASSES,
    MOST_CLASSES,
    Line,
    agreement,
    by_chance,
    kappa_of,
    margined,
)
from heliast.views.reasons import Reasons
from heliast.views.sentences import baseline_words, selected_words

if TYPE_CHECKING:
    from heliast.verbs.assess import Assessment

_LONGEST = 200


def text(value: object, longest: int = _LONGEST) -> str:
    """Any text made safe and short enough to stand in a page."""
    return escape(shorten(value, longest), quote=True)


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
    """A sentence, a table of overall measures per model, one model's contingency, the notes."""
    reasons = Reasons()
    rows = [
        left(text(one.model), _named(one), "" if one.class_ is None else text(one.class_))
        + right(shown.value + mark)
        + left(shown.between, "" if mark else text(one.method))
        for one in found.estimates
        for shown, mark in [(figures(one), reasons.mark(one))]
    ]
    below = "<br>".join(text(line, 2 * _LONGEST) for line in reasons.lines)
    below = below and f"<p>{below}</p>"
    head = ("model", "measure", "class", "value", "interval", "method")
    said = [note for note in (selected_words(found), *found.notes) if note]
    counts = _contingency(found) if len(found.models) == 1 else ""
    spoken = f"{found.sentence} {baseline_words(found)}".rstrip()
    shown = table(head, rows) + below + counts
    slices = "" if found.slices is None else found.slices._repr_html_()
    return f"<p>{text(spoken, 10 * _LONGEST)}</p>{shown}{notes(said)}{slices}"


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
    made = table(("true \\ label", *names, *shown), map(_line, lines))
    one = kappa_of(found, model)
    if one is None:
        return made
    if len(names) <= FEW_CLASSES:
        made += table(("by chance", *names), map(_line, by_chance(counted)))
    return f"{made}<p>{text(agreement(one, counted), 400)}</p>"


def _line(line: Line) -> str:
    name, entries = line
    return left(text(name)) + "".join(right(entry.text, entry.tip or None) for entry in entries)
