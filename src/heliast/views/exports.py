"""Records as files for papers, spreadsheets and programs: LaTeX, Markdown, HTML, CSV, JSON."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from heliast._core.errors import InputError
from heliast._core.formulas import guarded
from heliast._core.records import plain

if TYPE_CHECKING:
    from heliast.views.record import Record

KINDS = ("latex", "csv", "json", "md", "html")
TOLD = ("methods", "bibtex")
"""How a record was made, in sentences, and the works that these cite."""
ALSO = {"markdown": "md", "tex": "latex"}
"""Other names of these kinds."""


def of_record(record: "Record", kind: str, spread: str = "interval", *, latex: bool = False) -> str:
    """A record as text of that kind, for a paper or a program.

    For programs these are the flat records of an assessment or comparison; else it is the table
    for a paper (in LaTeX in parts that fit a text column), or the paragraph on methods, with
    LaTeX's citations if asked for.
    """
    if kind == "bibtex":
        return record.methods().bibtex
    if kind == "methods":
        methods = record.methods()
        return methods.latex if latex else f"{methods.text}\n{methods.bibtex}"
    flat = hasattr(record, "estimates") or hasattr(record, "pairs")
    if kind in ("csv", "json") and flat:
        return export(record.records(), kind)
    if kind == "json":
        return json.dumps(record.to_dict(), ensure_ascii=False, indent=2) + "\n"
    return record.table("paper", spread=spread).write(kind, narrow=True)


def export(rows: Sequence[Mapping[str, object]], kind: str) -> str:
    """Flat records as `csv` or `json`.

    In CSV text that a spreadsheet would run is set off with an apostrophe.

    >>> print(export([{"model": "=1+1", "error": 0.25}], "csv"), end="")
    model,error
    '=1+1,0.25
    """
    if kind == "json":
        return json.dumps([plain(dict(row)) for row in rows], ensure_ascii=False, indent=2) + "\n"
    if kind != "csv":
        raise InputError(f"kind={kind!r}: flat records are written as csv or json")
    out = io.StringIO()
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([guarded(name) for name in names])
    writer.writerows([_plain_cell(row.get(name)) for name in names] for row in rows)
    return out.getvalue()


def _plain_cell(value: object) -> object:
    if isinstance(value, (list, tuple)):
        value = "; ".join(map(str, value))
    if isinstance(value, str):
        return guarded(value)
    return "" if value is None else value
