"""Flat records for papers and spreadsheets: LaTeX, Markdown, HTML, CSV, JSON."""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from heliast._core.errors import InputError
from heliast._core.formulas import guarded
from heliast._core.numbers import number, written
from heliast._core.records import plain
from heliast.views.sheets import Cell, Sheet

Rows = Sequence[Mapping[str, object]]
ENDS = ("value", "low", "high")
"""The columns of a value and its interval."""


def export(rows: Rows, to: str) -> str:
    """The rows as text of that kind: `latex`, `md`, `html`, `csv` or `json`.

    >>> print(export([{"model": "a|b", "error": 0.25}], "md"), end="")
    | model | error |
    | --- | ---: |
    | a\\|b | 0.250 |
    """
    if to not in KINDS:
        raise InputError(f"cannot export to {to!r}; the kinds are {', '.join(KINDS)}")
    return KINDS[to](rows)


def sheet_of(rows: Rows) -> Sheet:
    """Flat records as a table for people, a column a field."""
    names = _names(rows)
    return Sheet(tuple(names), tuple(tuple(map(Cell, line)) for line in _cells(rows, names)))


def _names(rows: Rows) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def _cells(rows: Rows, names: Sequence[str]) -> list[list[str]]:
    """The rows as text; a value and the ends of its interval have digits enough to differ."""
    found = []
    for row in rows:
        texts = {name: _shown(row.get(name)) for name in names}
        ends = [row.get(name) for name in ENDS]
        if all(isinstance(end, float) for end in ends):
            shown = written(*ends)  # type: ignore[arg-type]
            texts |= dict(zip(ENDS, (shown.value, shown.low, shown.high), strict=True))
        found.append([texts[name] for name in names])
    return found


def _shown(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return number(value)
    flat = "; ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
    return "".join(letter if letter.isprintable() else " " for letter in flat)


def _csv(rows: Rows) -> str:
    """Text that a spreadsheet would take for a formula is set off with an apostrophe."""
    out = io.StringIO()
    names = _names(rows)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_calm(name) for name in names])
    for row in rows:
        writer.writerow([_calm(row.get(name)) for name in names])
    return out.getvalue()


def _calm(value: object) -> object:
    if isinstance(value, (list, tuple)):
        value = "; ".join(map(str, value))
    if isinstance(value, str):
        return guarded(value)
    return "" if value is None else value


def _json(rows: Rows) -> str:
    return json.dumps([plain(dict(row)) for row in rows], ensure_ascii=False, indent=2) + "\n"


KINDS: dict[str, Callable[[Rows], str]] = {
    "latex": lambda rows: sheet_of(rows).to_latex(),
    "csv": _csv,
    "json": _json,
    "md": lambda rows: sheet_of(rows).to_markdown(),
    "html": lambda rows: sheet_of(rows).to_html(),
}
TOLD = ("methods", "bibtex")
"""How a record was made, in sentences, and the works that these cite."""
ALSO = {"markdown": "md", "tex": "latex"}
"""Other names of these kinds."""


def of_record(found: Any, kind: str, spread: str = "interval", *, latex: bool = False) -> str:
    """What assess, compare or benchmark found as text of that kind, for a paper or a program.

    For programs (`csv` of one table, `json`) these are the records; else it is the table for a
    paper, or the paragraph on methods, with LaTeX's citations if asked for.
    """
    if kind == "bibtex":
        return str(found.methods().bibtex)
    if kind == "methods":
        said = found.methods()
        return str(said.latex if latex else f"{said.text}\n{said.bibtex}")
    flat = getattr(found, "estimates", None) or getattr(found, "pairs", None)
    if flat is not None and kind in ("csv", "json"):
        return export([one.to_dict() for one in flat], kind)
    if kind == "json":
        return json.dumps(found.to_dict(), ensure_ascii=False, indent=2) + "\n"
    options = {} if hasattr(found, "pairs") else {"spread": spread}
    return str(found.table("paper", **options).write(kind))
