"""The notebook view: the same tables as HTML, everything escaped."""

from html import escape
from typing import TYPE_CHECKING

from heliast.views.numbers import figures, shorten
from heliast.views.sentences import selected_words

if TYPE_CHECKING:
    from heliast.verbs.assess import Assessment

_LONGEST = 200


def text(value: object) -> str:
    """Any text made safe and short enough to stand in a page."""
    return escape(shorten(value, _LONGEST), quote=True)


def assessment_html(found: "Assessment") -> str:
    """A sentence, a table of overall measures per model, and the notes."""
    head = "".join(
        f"<th>{name}</th>" for name in ("model", "measure", "class", "value", "interval", "method")
    )
    body = "".join(
        "<tr>"
        f"<td>{text(one.model)}</td><td>{text(one.measure)}</td>"
        f"<td>{'' if one.class_ is None else text(one.class_)}</td>"
        f"<td style='text-align:right'>{shown.value}</td><td>{shown.between}</td>"
        f"<td>{text(one.method or one.reason)}</td></tr>"
        for one in found.estimates
        for shown in [figures(one)]
    )
    said = [note for note in (selected_words(found), *found.notes) if note]
    notes = "".join(f"<li>{text(note)}</li>" for note in said)
    return (
        f"<p>{text(found.sentence)}</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        + (f"<ol>{notes}</ol>" if notes else "")
    )
