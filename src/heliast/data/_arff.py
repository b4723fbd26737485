"""ARFF, the files of Weka: dense and sparse rows, all attribute types but relational ones."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from heliast._core.columns import Column
from heliast._core.errors import InputError
from heliast._core.places import Places
from heliast.data._arff_values import ISO, Word, date_reader, values, words
from heliast.tables.readings import is_number
from heliast.tables.table import Table, listed, refuse_duplicates

_NUMERIC = ("numeric", "real", "integer")
_KEYWORD = re.compile(r"\s*@(\w+)", re.ASCII)
_QUOTING = re.compile(r"['\"{}%\\]")


Field = str | None
"""One value as it is written; None where it is missing."""


@dataclass
class Attribute:
    """One declared column: its name, what it holds, and how a value is read."""

    name: str
    kind: str
    values: tuple[str, ...] = ()
    pattern: str = ""


@dataclass
class _File:
    attributes: list[Attribute] = field(default_factory=list)
    rows: list[Sequence[Field]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    weights: int = 0
    empty: int = 0


def arff_table(text: str, title: str, stem: str) -> Table:
    """The columns of an ARFF file.

    >>> table = arff_table("@relation r\\n@attribute x real\\n@data\\n1\\n?", "r.arff", "r")
    >>> table.fetch("x").values
    array([ 1., nan])

    Reference: https://waikato.github.io/weka-wiki/formats_and_processing/arff_stable/
    """
    file = _parsed(text)
    refuse_duplicates([one.name for one in file.attributes])
    if not file.rows:
        raise InputError("there is a header but no row of data")
    lines = file.lines
    places = Places("line", lambda positions: [lines[position] for position in positions])
    columns = list(zip(*file.rows, strict=True))
    place = {one.name: at for at, one in enumerate(file.attributes)}

    def fetch(name: str) -> Column:
        at = place[name]
        return _column(file.attributes[at], columns[at], places)

    def of(kind: str) -> frozenset[str]:
        return frozenset(one.name for one in file.attributes if one.kind == kind)

    return Table(
        title, stem, list(place), fetch, places, _notes(file), of("nominal"),
        nominal_target=True, written=True,
    )  # fmt: skip


def _notes(file: _File) -> list[str]:
    notes = []
    if file.weights:
        notes.append(f"instance weights in {file.weights} rows are not used")
    if file.empty:
        notes.append(f"{file.empty} empty fields read as missing")
    return notes


# --- the header --------------------------------------------------------------------------------


def _parsed(text: str) -> _File:
    file = _File()
    # Only the ends of lines that editors know: str.splitlines would also cut at odd characters.
    lines = iter(enumerate(re.split(r"\r\n|\n|\r", text), start=1))
    for number, line in lines:
        try:
            if _header_line(line, file):
                break
        except InputError as error:
            raise InputError(f"line {number}: {error}") from None
    else:
        raise InputError("no @data line: not an ARFF file, or cut short")
    if not file.attributes:
        raise InputError("no @attribute line before @data")
    for number, line in lines:
        try:
            row = _row(line, file)
        except InputError as error:
            raise InputError(f"line {number}: {error}") from None
        if row is not None:
            file.rows.append(row)
            file.lines.append(number)
    return file


def _header_line(line: str, file: _File) -> bool:
    """Read one line of the header; True at @data."""
    stripped = line.lstrip("\ufeff \t")
    if not stripped or stripped.startswith("%"):
        return False
    match = _KEYWORD.match(stripped)
    keyword = match.group(1).lower() if match else ""
    if keyword == "attribute" and match:
        file.attributes.append(_attribute(stripped[match.end() :]))
    elif keyword not in ("relation", "data"):
        raise InputError(f"expected @relation, @attribute or @data, found {line.strip()[:40]!r}")
    return keyword == "data"


def _attribute(line: str) -> Attribute:
    found = words(line)
    if len(found) < 2 or found[0].mark:
        raise InputError("@attribute needs a name and a type")
    name, kind = found[0].text.strip(), found[1]
    word = kind.text.lower()
    if kind.is_mark("{"):
        return _nominal(name, line, found[2:])
    if word in _NUMERIC:
        return Attribute(name, "numeric")
    if word == "string":
        return Attribute(name, "string")
    if word == "date":
        # A bare pattern may hold blanks, so the rest of the line is taken as it stands.
        rest = found[2].text if len(found) == 3 else line[found[1].end :].strip()
        pattern = rest or ISO
        date_reader(pattern)
        return Attribute(name, "date", pattern=pattern)
    if word == "relational":
        raise InputError(
            f"attribute {name!r} is relational (a table inside each row), which is not read here; "
            "write one row a line, with the bag as an attribute to give as group="
        )
    raise InputError(
        f"attribute {name!r}: the type {kind.text!r} is not one of numeric, real, integer, string, "
        "date or {value, ...}"
    )


def _nominal(name: str, line: str, found: list[Word]) -> Attribute:
    if not found or not found[-1].is_mark("}"):
        raise InputError(f"attribute {name!r}: the list of values must end with '}}' on its line")
    inside = found[:-1]
    if any(word.is_mark("{") or word.is_mark("}") for word in inside):
        raise InputError(f"attribute {name!r}: a value with braces must be quoted")
    declared = [word.text.strip() for word in values(line, inside)] if inside else []
    return Attribute(name, "nominal", tuple(dict.fromkeys(declared)))


# --- the rows ----------------------------------------------------------------------------------


def _row(line: str, file: _File) -> Sequence[Field] | None:
    if not _QUOTING.search(line):
        if not line.strip():
            return None
        fields = line.split(",")
        if len(fields) == len(file.attributes):  # the usual line, without anything to interpret
            return [_plain(one, file) for one in fields]
    if line.lstrip().startswith("%"):
        return None
    if line.lstrip().startswith("{"):
        return _sparse(line, file)
    found = words(line)
    if not found:
        return None
    if len(found) > 3 and found[-3].is_mark("{") and found[-1].is_mark("}"):
        _count_weight(found[-2].text, file)
        found = found[: -4 if found[-4].is_mark(",") else -3]
    if any(word.mark and word.text != "," for word in found):
        raise InputError("a value with braces must be quoted")
    fields_found = values(line, found)
    if len(fields_found) != len(file.attributes):
        split = [word for word in found if not word.mark]  # Weka also takes blanks for commas
        if len(split) != len(file.attributes):
            _refuse_width(len(fields_found), file)
        fields_found = split
    return [None if one.missing else one.text for one in fields_found]


def _plain(text: str, file: _File) -> Field:
    text = text.strip()
    if not text:
        file.empty += 1
    return None if text in ("?", "") else text


def _refuse_width(width: int, file: _File) -> None:
    raise InputError(
        f"{width} {'value' if width == 1 else 'values'} but {len(file.attributes)} attributes are "
        "declared; correct the line (a value with a comma or a blank must be quoted)"
    )


def _count_weight(text: str, file: _File) -> None:
    if not is_number(text):
        raise InputError(f"{{{text}}} at the end of the line is not a weight")
    file.weights += float(text) != 1.0


def _sparse(line: str, file: _File) -> Sequence[Field]:
    """A row such as `{1 x, 4 y}`: what is not named is 0, or the first declared value."""
    found = words(line)
    close = next((at for at, word in enumerate(found) if word.is_mark("}")), None)
    if close is None:
        raise InputError("a sparse row must end with '}' on its line")
    rest = [word for word in found[close + 1 :] if not word.is_mark(",")]
    if rest:
        if len(rest) != 3 or not rest[0].is_mark("{") or not rest[2].is_mark("}"):
            raise InputError(
                f"{rest[0].text!r} after the sparse row: only a weight {{w}} may stand"
            )
        _count_weight(rest[1].text, file)
    row: list[Field] = [_zero(one) for one in file.attributes]
    last = -1
    for at, value in _pairs([word for word in found[1:close] if not word.is_mark(",")]):
        if not last < at < len(row):
            raise InputError(
                f"index {at} in a sparse row: indexes rise from 0 to {len(row) - 1}, each once"
            )
        row[at], last = None if value.missing else value.text, at
    return row


def _pairs(found: Sequence[Word]) -> Iterator[tuple[int, Word]]:
    if len(found) % 2 or any(word.mark for word in found):
        raise InputError("a sparse row lists pairs of index and value, such as {0 5.1, 4 yes}")
    for index, value in zip(found[::2], found[1::2], strict=True):
        if not (index.text.isascii() and index.text.isdigit() and len(index.text) < 10):
            raise InputError(f"{index.text!r} is not an index (0, 1, ...) of a sparse row")
        yield int(index.text), value


def _zero(one: Attribute) -> Field:
    if one.kind == "nominal":
        return one.values[0] if one.values else None
    return "0" if one.kind == "numeric" else None


# --- the columns -------------------------------------------------------------------------------


def _column(one: Attribute, fields: Sequence[Field], places: Places) -> Column:
    """The column of one attribute; a value that does not fit its type is refused with its line."""
    place: dict[Field, int] = {}
    codes = np.fromiter(
        (place.setdefault(text, len(place)) for text in fields), np.int32, len(fields)
    )
    texts = list(place)
    if one.kind in ("nominal", "string"):
        if one.kind == "nominal":
            allowed = {*one.values, None}
            _refuse_values(one, texts, codes, lambda text: text in allowed, places)
        return _texts(one.name, codes, texts)
    if one.kind == "numeric":
        _refuse_values(one, texts, codes, lambda text: text is None or is_number(text), places)
        table = [np.nan if text is None else float(text) for text in texts]
    else:
        table = _dates(one, texts, codes, places)
    numbers = np.array(table)[codes]
    gone = np.flatnonzero(np.isnan(numbers))
    return Column(one.name, numbers, "number", gone, date=one.kind == "date")


def _texts(name: str, codes: Any, texts: Sequence[Field]) -> Column:
    kept = [text for text in texts if text is not None]
    place = {text: code for code, text in enumerate(kept)}
    recode = np.array([-1 if text is None else place[text] for text in texts], np.int32)
    whole = recode[codes]
    return Column(name, whole, "text", np.flatnonzero(whole < 0), tuple(kept))


def _dates(one: Attribute, texts: Sequence[Field], codes: Any, places: Places) -> list[float]:
    read, table = date_reader(one.pattern), []
    for code, text in enumerate(texts):
        try:
            table.append(np.nan if text is None else read(text))
        except InputError as error:
            rows = np.flatnonzero(codes == code)
            raise InputError(f"attribute {one.name!r}: {error}, in {places.some(rows)}") from None
    return table


def _refuse_values(
    one: Attribute,
    texts: Sequence[Field],
    codes: Any,
    fits: Callable[[Field], bool],
    places: Places,
) -> None:
    bad = [code for code, text in enumerate(texts) if not fits(text)]
    if not bad:
        return
    rows = np.flatnonzero(np.isin(codes, bad))
    meant = "a number" if one.kind == "numeric" else f"one of {listed(one.values)}, as declared"
    raise InputError(
        f"attribute {one.name!r}: {texts[codes[rows[0]]]!r} in {places.some(rows)} is not {meant}"
    )
