"""The notebook view: the same tables as HTML, everything escaped."""

from html import escape
from typing import TYPE_CHECKING

from heliast.views.numbers import between, number, shorten

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
        f"<td style='text-align:right'>{number(one.value)}</td>"
        f"<td>{between(one.low, one.high)}</td>"
        f"<td>{text(one.method or one.reason)}</td></tr>"
        for one in found.estimates
    )
    notes = "".join(f"<li>{text(note)}</li>" for note in found.notes)
    return (
        f"<p>{text(found.sentence)}</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        + (f"<ol>{notes}</ol>" if notes else "")
    )
