"""A decomposition as text and as HTML."""

import math
import textwrap
from html import escape
from typing import TYPE_CHECKING

from heliast._core.numbers import figures, shorten

if TYPE_CHECKING:
    from heliast.theory._decomposition import Decomposition

WIDTH = 80
_MOST_COLUMNS = 3
_LONGEST = 200


def text_table(found: "Decomposition", width: int = WIDTH) -> str:
    """Title, a table that fits the width, what the parts add up to, and numbered notes."""
    head = f"Bias and variance: {found.title}; {found.n:,} rows, {found.splits} splits"
    few = len(found.models) <= _MOST_COLUMNS
    lines = [_wrap(head, width), "", *(_parts(found, width) if few else _models(found, width)), ""]
    lines += [_wrap(f"{shorten(name, 30)}: {found.identity(name)}", width) for name in found.models]
    if found.notes:
        lines += ["", "Notes"]
        lines += [_wrap(f"{at}. {note}", width, "   ") for at, note in enumerate(found.notes, 1)]
    return "\n".join(lines)


def html_table(found: "Decomposition") -> str:
    """One line a model and part, everything escaped."""
    head = "".join(f"<th>{name}</th>" for name in ("model", "part", "value", "interval", "note"))
    body = "".join(
        f"<tr><td>{_safe(one.model)}</td><td>{_safe(_title(one.measure))}</td>"
        f"<td style='text-align:right'>{shown.value}</td>"
        f"<td>{shown.between if shown.known else ''}</td><td>{_safe(one.reason)}</td></tr>"
        for one in found.estimates
        for shown in [figures(one, _thousandths)]
    )
    sums = [f"{name}: {found.identity(name)}" for name in found.models]
    notes = "".join(f"<li>{_safe(note)}</li>" for note in (*sums, *found.notes))
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f"<p>Bias and variance: {_safe(found.title)}</p>{table}<ol>{notes}</ol>"


def _parts(found: "Decomposition", width: int) -> list[str]:
    room = (width - 20) // len(found.models) - 2
    rows = [["part", *(shorten(name, room) for name in found.models)]]
    for part in found.parts:
        cells = [figures(found[name, part], _thousandths).inside for name in found.models]
        rows.append([_title(part), *cells])
    return _aligned(rows)


def _models(found: "Decomposition", width: int) -> list[str]:
    parts = ["loss", *found.adding]
    rows = [["model", *(_title(part) for part in parts)]]
    rows += [
        [shorten(name, 20), *(_thousandths(found[name, part].value) for part in parts)]
        for name in found.models
    ]
    return [line[:width] for line in _aligned(rows)]


def _aligned(rows: list[list[str]]) -> list[str]:
    wide = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(wide[at]) if at == 0 else cell.rjust(wide[at]) for at, cell in enumerate(row)
        ).rstrip()
        for row in rows
    ]


def _thousandths(value: float, more: int = 0) -> str:
    return "-" if math.isnan(value) else f"{value:.{3 + more}f}"


def _title(part: str) -> str:
    return "expected loss" if part == "loss" else part.replace("_", " ")


def _safe(text: str) -> str:
    return escape(shorten(text, _LONGEST), quote=True)


def _wrap(text: str, width: int, indent: str = "") -> str:
    return textwrap.fill(text, width, subsequent_indent=indent, break_on_hyphens=False)
