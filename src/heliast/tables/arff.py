"""ARFF, the files of Weka: dense rows of numeric, nominal, string and date attributes.

Reference: https://waikato.github.io/weka-wiki/formats_and_processing/arff_stable/
"""

import re
from collections.abc import Iterable

import numpy as np

from heliast._core.columns import Column, column
from heliast._core.errors import InputError
from heliast._core.places import Places
from heliast.tables.dates import as_dates
from heliast.tables.table import Table, listed, numbers, refuse_duplicates

_KINDS = {"numeric": "numeric", "real": "numeric", "integer": "numeric"}
_KINDS |= {"string": "text", "date": "date"}
_QUOTED = r"""'((?:[^'\\]|\\.)*+)'|"((?:[^"\\]|\\.)*+)\""""
_ATTRIBUTE = re.compile(rf"\s+(?:{_QUOTED}|([^\s{{'\"][^\s{{]*))\s*(.*)", re.DOTALL)
_FIELD = re.compile(
    rf"\s*+(?:{_QUOTED}|([^,{{}}%'\"\s](?:(?!\s%)[^,{{}}])*+|))\s*+(,|(?:%.*)?\Z)", re.DOTALL
)
_SPECIAL = re.compile(r"['\"{}%\\]")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}

Kind = str | tuple[str, ...]
"""What an attribute holds: `numeric`, `text`, `date`, or its declared values."""


def arff_table(lines: str | Iterable[str], title: str, stem: str) -> Table:
    """The columns of an ARFF file; dates are read in ISO's form.

    >>> table = arff_table("@relation r\\n@attribute x real\\n@data\\n1\\n?", "r.arff", "r")
    >>> table.fetch("x").values
    array([ 1., nan])
    """
    numbered = enumerate(lines.split("\n") if isinstance(lines, str) else lines, start=1)
    kinds = _read_header(numbered)
    rows, found = [], []
    for number, line in numbered:
        text = line.strip()
        if not text or text.startswith("%"):
            continue
        row = split_row(text, number)
        if len(row) != len(kinds):
            raise InputError(
                f"line {number}: {len(row)} {'value' if len(row) == 1 else 'values'} but "
                f"{len(kinds)} attributes are declared; correct the line (a value with a comma "
                "must be quoted)"
            )
        rows.append(row)
        found.append(number)
    if not rows:
        raise InputError("there is a header but no row of data")
    columns = dict(zip(kinds, zip(*rows, strict=True), strict=True))
    places = Places("line", lambda positions: [found[position] for position in positions])
    nominal = frozenset(name for name, kind in kinds.items() if isinstance(kind, tuple))

    def fetch(name: str) -> Column:
        return _column(column(columns[name], name), kinds[name], places)

    return Table(
        title, stem, list(kinds), fetch, places, [], nominal, nominal_target=True, written=True
    )


def _read_header(numbered: Iterable[tuple[int, str]]) -> dict[str, Kind]:
    """The attributes up to the line `@data`."""
    names: list[str] = []
    kinds: list[Kind] = []
    for number, line in numbered:
        text = line.strip("\ufeff").strip()
        keyword = text.split(maxsplit=1)[0].lower() if text else "%"
        if keyword == "@attribute":
            name, kind = _attribute(text[len(keyword) :], number)
            names.append(name)
            kinds.append(kind)
        elif keyword == "@data" and not names:
            raise InputError(f"line {number}: no @attribute line before @data")
        elif keyword == "@data":
            refuse_duplicates(names)
            return dict(zip(names, kinds, strict=True))
        elif not keyword.startswith(("%", "@relation")):
            raise InputError(
                f"line {number}: expected @relation, @attribute or @data, found {text[:40]!r}"
            )
    raise InputError("no @data line: not an ARFF file, or cut short")


def _attribute(text: str, number: int) -> tuple[str, Kind]:
    match = _ATTRIBUTE.fullmatch(text)
    if match is None or not match[4]:
        raise InputError(f"line {number}: @attribute needs a name and a type")
    name, kind = _value(match).strip(), match[4]
    if kind.startswith("{"):
        inside, closed, _ = kind[1:].rpartition("}")
        if not closed:
            raise InputError(
                f"line {number}: attribute {name!r}: the list of values must end with '}}'"
            )
        return name, tuple(value for value in split_row(inside, number) if value is not None)
    known = _KINDS.get(kind.split()[0].lower())
    if known is None:
        raise InputError(
            f"line {number}: attribute {name!r}: the type {kind.split()[0]!r} is not one of "
            "numeric, real, integer, string, date or {value, ...}"
        )
    return name, known


def split_row(line: str, number: int) -> list[str | None]:
    r"""The values between commas, None where one is missing; a bare % begins a comment.

    >>> split_row(r"5.1, 'it\'s', ? % a comment", 1)
    ['5.1', "it's", None]
    """
    if not _SPECIAL.search(line):
        return [None if text in ("", "?") else text for text in map(str.strip, line.split(","))]
    values: list[str | None] = []
    at, comma = 0, ","
    while comma == ",":
        match = _FIELD.match(line, at)
        if match is None:
            raise InputError(
                f"line {number}: {line[at : at + 30]!r} cannot be read: put values with commas, "
                "quotes or braces in quotes; sparse rows and weights of rows are not read here"
            )
        missing = match[3] is not None and match[3].strip() in ("", "?")
        values.append(None if missing else _value(match))
        at, comma = match.end(), match[4]
    return values


def _value(match: re.Match[str]) -> str:
    if match[3] is not None:
        return match[3].strip()
    quoted = match[1] if match[1] is not None else match[2]
    return re.sub(r"\\(.)", lambda each: _ESCAPES.get(each[1], each[1]), quoted, flags=re.DOTALL)


def _column(values: Column, kind: Kind, places: Places) -> Column:
    """Values of the kind that the attribute declares."""
    if kind == "numeric":
        return numbers(values, places)
    if kind == "date" and values.kind == "text":
        dates = as_dates(values)
        if dates is None:
            raise InputError(
                f"attribute {values.name!r}: dates must be written as 2024-12-31 or "
                "2024-12-31T23:59, whatever pattern is declared; rewrite them, or declare a string"
            )
        return dates
    if isinstance(kind, tuple):
        odd = [code for code, text in enumerate(values.texts) if text not in kind]
        if odd:
            rows = np.flatnonzero(values.values == odd[0])
            raise InputError(
                f"attribute {values.name!r}: {values.texts[odd[0]]!r} in {places.some(rows)} is "
                f"not one of {listed(kind)}, as declared"
            )
    return values
