"""Results for papers and spreadsheets: LaTeX, Markdown, CSV, JSON."""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from heliast._core.errors import InputError
from heliast._core.formulas import guarded
from heliast._core.numbers import figures, number, written
from heliast._core.records import plain

Rows = Sequence[Mapping[str, object]]
ENDS = ("value", "low", "high")
"""The columns of a value and its interval."""
_TEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "_": r"\_", "%": r"\%", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip


def export(rows: Rows, to: str) -> str:
    """The rows as text of that kind: `latex`, `md`, `csv` or `json`.

    >>> print(export([{"model": "a|b", "error": 0.25}], "md"), end="")
    | model | error |
    | --- | --- |
    | a\\|b | 0.250 |
    """
    if to not in KINDS:
        raise InputError(f"cannot export to {to!r}; the kinds are {', '.join(KINDS)}")
    return KINDS[to](rows)


def wide(estimates: Sequence[Any]) -> list[dict[str, object]]:
    """One row a measure, one column a model: the value with its interval, for people."""
    models = list(dict.fromkeys(one.model for one in estimates))
    rows: dict[tuple[str, str], dict[str, object]] = {}
    for one in estimates:
        name = one.measure if one.class_ is None else f"{one.measure} [{one.class_}]"
        row = rows.setdefault((one.measure, name), {"measure": name, **dict.fromkeys(models, "-")})
        row[one.model] = figures(one).inside if one.defined else number(one.value)
    return list(rows.values())


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


def _markdown(rows: Rows) -> str:
    names = _names(rows)
    lines = [names, ["---"] * len(names), *_cells(rows, names)]
    escaped = [[cell.replace("|", "\\|").replace("<", "&lt;") for cell in line] for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in escaped)


def _latex(rows: Rows) -> str:
    names = _names(rows)
    lines = [[_tex(name) for name in names]]
    lines += [[_tex(cell) for cell in line] for line in _cells(rows, names)]
    body = [" & ".join(line) + r" \\" for line in lines]
    return "\n".join(
        [
            rf"\begin{{tabular}}{{l{'r' * (len(names) - 1)}}}",
            r"\hline",
            body[0],
            r"\hline",
            *body[1:],
            r"\hline",
            r"\end{tabular}",
            "",
        ]
    )


def _tex(text: str) -> str:
    return "".join(_TEX.get(letter, letter) for letter in text)


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
    "latex": _latex,
    "csv": _csv,
    "json": _json,
    "md": _markdown,
}
