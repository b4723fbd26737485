"""The notebook view: the pieces of a page, everything escaped, and the assessment made of them."""

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from heliast._core.numbers import figures, shorten
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
    """A sentence, a table of overall measures per model, and the notes."""
    reasons = Reasons()
    rows = [
        left(text(one.model), text(one.measure), "" if one.class_ is None else text(one.class_))
        + right(shown.value + mark)
        + left(shown.between, "" if mark else text(one.method))
        for one in found.estimates
        for shown, mark in [(figures(one), reasons.mark(one))]
    ]
    below = "<br>".join(text(line, 2 * _LONGEST) for line in reasons.lines)
    below = below and f"<p>{below}</p>"
    head = ("model", "measure", "class", "value", "interval", "method")
    said = [note for note in (selected_words(found), *found.notes) if note]
    spoken = f"{found.sentence} {baseline_words(found)}".rstrip()
    return f"<p>{text(spoken, 10 * _LONGEST)}</p>{table(head, rows)}{below}{notes(said)}"
