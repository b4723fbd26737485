"""ARFF, the files of Weka: dense and sparse rows, all attribute types but relational ones.

Reference: https://waikato.github.io/weka-wiki/formats_and_processing/arff_stable/
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import numpy as np

from heliast._core.columns import Column
from heliast._core.errors import InputError
from heliast._core.places import Places
from heliast.tables.table import Table, is_number, listed, refuse_duplicates

ISO = "yyyy-MM-dd'T'HH:mm:ss"
"""The pattern of dates when an attribute has none."""
_NUMERIC = ("numeric", "real", "integer")
_KEYWORD = re.compile(r"\s*@(\w+)", re.ASCII)
_QUOTING = re.compile(r"['\"{}%\\]")
_WORD = re.compile(
    r"""
    (?P<blank>\s+)
  | (?P<comment>%.*)
  | (?P<quoted>'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*")
  | (?P<mark>[{},])
  | (?P<bare>[^\s{},'"%][^\s{},]*)
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0"}
_PIECE = re.compile(r"'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+")
_DATES = {"y": "Y", "M": "m", "d": "d", "H": "H", "h": "I", "m": "M", "s": "S", "S": "f"}
_DATES |= {"a": "p", "E": "a", "z": "Z", "Z": "z", "X": "z"}
_LONG_DATES = {"yy": "y", "MMM": "b", "MMMM": "B", "EEEE": "A"}

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


def arff_table(lines: str | Iterable[str], title: str, stem: str) -> Table:
    """The columns of an ARFF file.

    >>> table = arff_table("@relation r\\n@attribute x real\\n@data\\n1\\n?", "r.arff", "r")
    >>> table.fetch("x").values
    array([ 1., nan])
    """
    file = _parse(lines.split("\n") if isinstance(lines, str) else lines)
    refuse_duplicates([attribute.name for attribute in file.attributes])
    if not file.rows:
        raise InputError("there is a header but no row of data")
    places = Places("line", lambda positions: [file.lines[position] for position in positions])
    columns = list(zip(*file.rows, strict=True))
    place = {attribute.name: at for at, attribute in enumerate(file.attributes)}
    nominal = frozenset(each.name for each in file.attributes if each.kind == "nominal")
    notes = []
    if file.weights:
        notes.append(f"instance weights in {file.weights} rows are not used")
    if file.empty:
        notes.append(f"{file.empty} empty fields read as missing")

    def fetch(name: str) -> Column:
        return _column(file.attributes[place[name]], columns[place[name]], places)

    return Table(
        title, stem, list(place), fetch, places, notes, nominal, nominal_target=True, written=True
    )


def _parse(lines: Iterable[str]) -> _File:
    file, data = _File(), False
    for number, line in enumerate(lines, start=1):
        try:
            if not data:
                data = _read_header(line.rstrip("\r\n"), file)
                continue
            row = _row(line.rstrip("\r\n"), file)
        except InputError as error:
            raise InputError(f"line {number}: {error}") from None
        if row is not None:
            file.rows.append(row)
            file.lines.append(number)
    if not data:
        raise InputError("no @data line: not an ARFF file, or cut short")
    return file


# --- words ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Word:
    """One word of a line: a value, or one of the marks `{`, `}` and `,`."""

    text: str
    quoted: bool = False
    mark: bool = False
    start: int = 0
    end: int = 0

    def is_mark(self, text: str) -> bool:
        return self.mark and self.text == text

    @property
    def value(self) -> Field:
        """The text; a bare question mark says that the value is missing."""
        return None if self.text == "?" and not self.quoted else self.text


def words(line: str) -> list[Word]:
    r"""Cut a line into words; what follows a bare % is a comment.

    >>> [word.text for word in words(r"5.1, 'it\'s' % a comment")]
    ['5.1', ',', "it's"]
    """
    found: list[Word] = []
    at = 0
    while at < len(line):
        match = _WORD.match(line, at)
        if match is None:
            raise InputError(
                f"a quote at character {at + 1} is not closed ({line[at : at + 30]!r})"
            )
        kind, text = match.lastgroup, match.group()
        if kind == "quoted":
            text = _ESCAPE.sub(_unescaped, text[1:-1])
            found.append(Word(text, quoted=True, start=at, end=match.end()))
        elif kind in ("mark", "bare"):
            found.append(Word(text, mark=kind == "mark", start=at, end=match.end()))
        at = match.end()
    return found


def _unescaped(match: re.Match[str]) -> str:
    what = match.group(1)
    if len(what) == 5:
        code = int(what[1:], 16)
        return "\ufffd" if 0xD800 <= code < 0xE000 else chr(code)
    return _ESCAPES.get(what, what)


def values(line: str, found: Sequence[Word]) -> list[Word]:
    """The values between commas; without any comma, between blanks.

    Bare words side by side between two commas are one value with blanks in it.
    """
    if not any(word.is_mark(",") for word in found):
        return list(found)
    fields: list[list[Word]] = [[]]
    for word in found:
        if word.is_mark(","):
            fields.append([])
        else:
            fields[-1].append(word)
    joined = []
    for part in fields:
        if len(part) > 1 and any(word.quoted for word in part):
            near = line[part[0].start : part[-1].end][:40]
            raise InputError(f"a comma is missing near {near!r}")
        if len(part) > 1:
            joined.append(Word(line[part[0].start : part[-1].end]))
        else:
            joined.append(part[0] if part else Word("?"))
    return joined


# --- the header ----------------------------------------------------------------------------------


def _read_header(line: str, file: _File) -> bool:
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
    if keyword == "data" and not file.attributes:
        raise InputError("no @attribute line before @data")
    return keyword == "data"


def _attribute(line: str) -> Attribute:
    found = words(line)
    if len(found) < 2 or found[0].mark:
        raise InputError("@attribute needs a name and a type")
    name, kind = found[0].text.strip(), found[1].text.lower()
    if found[1].is_mark("{"):
        inside = found[2:-1]
        if not found[2:] or not found[-1].is_mark("}"):
            raise InputError(f"attribute {name!r}: the list of values must end with '}}'")
        if any(word.mark and word.text != "," for word in inside):
            raise InputError(f"attribute {name!r}: a value with braces must be quoted")
        declared = [word.text.strip() for word in values(line, inside)] if inside else []
        return Attribute(name, "nominal", tuple(dict.fromkeys(declared)))
    if kind in _NUMERIC:
        return Attribute(name, "numeric")
    if kind == "string":
        return Attribute(name, "string")
    if kind == "date":
        # A bare pattern may hold blanks, so the rest of the line is taken as it stands.
        rest = found[2].text if len(found) == 3 else line[found[1].end :].strip()
        date_reader(rest or ISO)
        return Attribute(name, "date", pattern=rest or ISO)
    if kind == "relational":
        raise InputError(
            f"attribute {name!r} is relational (a table inside each row), which is not read here; "
            "write one row a line, with the bag as an attribute to give as group="
        )
    raise InputError(
        f"attribute {name!r}: the type {found[1].text!r} is not one of numeric, real, integer, "
        "string, date or {value, ...}"
    )


# --- the rows ------------------------------------------------------------------------------------


def _row(line: str, file: _File) -> Sequence[Field] | None:
    width = len(file.attributes)
    if not _QUOTING.search(line):
        if not line.strip():
            return None
        fields = [text.strip() for text in line.split(",")]
        if len(fields) == width:  # the usual line, without anything to interpret
            file.empty += sum(not text for text in fields)
            return [None if text in ("?", "") else text for text in fields]
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
    row = values(line, found)
    if len(row) != width:
        blank = [word for word in found if not word.mark]  # Weka also takes blanks for commas
        if len(blank) != width:
            raise InputError(
                f"{len(row)} {'value' if len(row) == 1 else 'values'} but {width} attributes are "
                "declared; correct the line (a value with a comma or a blank must be quoted)"
            )
        row = blank
    return [word.value for word in row]


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
            raise InputError(f"{rest[0].text!r} after the sparse row: a {{weight}} may stand")
        _count_weight(rest[1].text, file)
    zero = {"nominal": lambda each: each.values[0] if each.values else None}
    row: list[Field] = [
        zero[each.kind](each) if each.kind in zero else "0" if each.kind == "numeric" else None
        for each in file.attributes
    ]
    pairs = [word for word in found[1:close] if not word.is_mark(",")]
    if len(pairs) % 2 or any(word.mark for word in pairs):
        raise InputError("a sparse row lists pairs of index and value, such as {0 5.1, 4 yes}")
    last = -1
    for index, value in zip(pairs[::2], pairs[1::2], strict=True):
        if not (index.text.isascii() and index.text.isdigit() and len(index.text) < 10):
            raise InputError(f"{index.text!r} is not an index (0, 1, ...) of a sparse row")
        if not last < int(index.text) < len(row):
            raise InputError(
                f"index {index.text} in a sparse row: indexes rise from 0 to {len(row) - 1}, each "
                "once"
            )
        last = int(index.text)
        row[last] = value.value
    return row


# --- the columns ---------------------------------------------------------------------------------


def _column(attribute: Attribute, fields: Sequence[Field], places: Places) -> Column:
    """The column of one attribute; a value that does not fit its type is refused with its line."""
    place: dict[Field, int] = {}
    codes = np.fromiter((place.setdefault(text, len(place)) for text in fields), np.int32)
    texts = [text for text in place if text is not None]
    if attribute.kind in ("nominal", "string"):
        read: Callable[[str], Any] = str
        if attribute.kind == "nominal":
            read = {text: text for text in attribute.values}.__getitem__
    else:
        read = _number if attribute.kind == "numeric" else date_reader(attribute.pattern)
    table = {}
    for text in texts:
        try:
            table[text] = read(text)
        except (KeyError, ValueError) as error:
            rows = np.flatnonzero(codes == place[text])
            meant = f"one of {listed(attribute.values)}, as declared"
            if attribute.kind != "nominal":
                meant = "a number" if attribute.kind == "numeric" else str(error)
            raise InputError(
                f"attribute {attribute.name!r}: {text!r} in {places.some(rows)} is not {meant}"
            ) from None
    name, missing = attribute.name, np.flatnonzero(codes == place.get(None, -1))
    if attribute.kind in ("nominal", "string"):
        code = {text: at for at, text in enumerate(texts)}
        recode = np.array([-1 if text is None else code[text] for text in place], np.int32)
        return Column(name, recode[codes], "text", missing, tuple(texts))
    numbers = np.array([np.nan if text is None else table[text] for text in place])
    return Column(name, numbers[codes], "number", missing, date=attribute.kind == "date")


def _number(text: str) -> float:
    if not is_number(text):
        raise ValueError
    return float(text)


def date_reader(pattern: str) -> Callable[[str], float]:
    """A function from a date written after Java's pattern to seconds since 1970; no zone is UTC.

    >>> date_reader("yyyy-MM-dd")("1970-01-02")
    86400.0
    """
    form, at = "", 0
    while at < len(pattern):
        match = _PIECE.match(pattern, at)
        if match is None:
            raise InputError(f"the date pattern {pattern!r} has a quote that is not closed")
        piece, letter, at = match.group(), match.group(2), match.end()
        if letter is None:
            text = piece if match.group(1) is None else match.group(1).replace("''", "'") or "'"
            form += text.replace("%", "%%")
            continue
        directive = _LONG_DATES.get(piece) or _DATES.get(letter)
        if directive is None or f"%{directive}" in form:
            raise InputError(
                f"the date pattern {pattern!r} has {piece!r}, which is not read here; write the "
                f"dates as {ISO!r}, or as numbers"
            )
        form += f"%{directive}"

    def read(text: str) -> float:
        try:
            moment = datetime.strptime(text.strip(), form)
        except ValueError:
            raise ValueError(f"a date written as {pattern!r}") from None
        zone = moment.tzinfo or UTC
        year = 1970 if "%Y" not in form and "%y" not in form else moment.year
        return moment.replace(year=year, tzinfo=zone).timestamp()

    return read
