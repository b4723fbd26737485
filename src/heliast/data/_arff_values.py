"""How ARFF writes values: words of a line with quotes and escapes, dates after a Java pattern."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

from heliast._core.errors import InputError

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0"}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
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
    def missing(self) -> bool:
        """A bare question mark says that the value is missing."""
        return not self.quoted and self.text == "?"


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
            found.append(Word(unescaped(text[1:-1]), quoted=True, start=at, end=match.end()))
        elif kind in ("mark", "bare"):
            found.append(Word(text, mark=kind == "mark", start=at, end=match.end()))
        at = match.end()
    return found


def unescaped(text: str) -> str:
    r"""The text with its escapes undone.

    >>> unescaped(r"a\tb \'c\' 5\%")
    "a\tb 'c' 5%"
    """
    if "\\" not in text:
        return text
    return _ESCAPE.sub(_undone, text)


def _undone(match: re.Match[str]) -> str:
    what = match.group(1)
    if len(what) == 5:
        code = int(what[1:], 16)
        return "\ufffd" if 0xD800 <= code < 0xE000 else chr(code)
    return _ESCAPES.get(what, what)


def values(line: str, found: Sequence[Word]) -> list[Word]:
    """The values between commas; without any comma, between blanks.

    Bare words side by side between two commas are one value with blanks in it, as people write it.
    """
    if not any(word.is_mark(",") for word in found):
        return list(found)
    fields: list[list[Word]] = [[]]
    for word in found:
        if word.is_mark(","):
            fields.append([])
        else:
            fields[-1].append(word)
    return [_joined(line, field) for field in fields]


def _joined(line: str, field: Sequence[Word]) -> Word:
    if len(field) == 1:
        return field[0]
    if not field:
        return Word("?")
    if any(word.quoted for word in field):
        raise InputError(f"a comma is missing near {line[field[0].start : field[-1].end][:40]!r}")
    return Word(line[field[0].start : field[-1].end])


# --- dates -------------------------------------------------------------------------------------

ISO = "yyyy-MM-dd'T'HH:mm:ss"
"""The pattern when an attribute gives none."""

_PIECE = re.compile(r"'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z']+")
_NUMBERS = {"M": "month", "d": "day", "H": "hour", "h": "half", "m": "minute", "s": "second"}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ZONE = r"(?P<zone>Z|UTC|GMT|(?:GMT|UTC)?[+-]\d{2}:?\d{2}|[+-]\d{2})"
_FIXED = {
    "S": r"(?P<milli>\d{1,3})",
    "a": r"(?P<noon>[aApP]\.?[mM]\.?)",
    "E": r"[A-Za-z]+\.?",
    "z": _ZONE,
    "Z": _ZONE,
    "X": _ZONE,
}


def date_reader(pattern: str) -> Callable[[str], float]:
    """A function from a date written after the pattern to seconds since 1970; no zone is UTC.

    >>> date_reader("yyyy-MM-dd")("1970-01-02")
    86400.0
    """
    form = re.compile(_form(pattern))

    def read(text: str) -> float:
        match = form.fullmatch(text.strip())
        if match is None:
            raise InputError(f"{text!r} is not a date written as {pattern!r}")
        try:
            return _seconds(match.groupdict())
        except (ValueError, OverflowError) as error:
            raise InputError(f"{text!r} is not a date ({error})") from None

    return read


def _form(pattern: str) -> str:
    form, at, used = "", 0, set[str]()
    while at < len(pattern):
        match = _PIECE.match(pattern, at)
        if match is None:
            raise InputError(f"the date pattern {pattern!r} has a quote that is not closed")
        piece = match.group()
        at = match.end()
        if piece.startswith("'"):
            form += re.escape(piece[1:-1].replace("''", "'") or "'")
        elif not piece[0].isalpha():
            form += r"\s+".join(map(re.escape, re.split(r"\s+", piece)))
        elif piece[0] in used:
            raise InputError(f"the date pattern {pattern!r} has {piece[0]!r} twice")
        else:
            used.add(piece[0])
            form += _letters(piece, pattern)
    return form


def _letters(piece: str, pattern: str) -> str:
    letter, width = piece[0], len(piece)
    if letter == "y":
        return r"(?P<short>\d{2})" if width == 2 else r"(?P<year>\d{1,4})"
    if letter == "M" and width > 2:
        return r"(?P<word>[A-Za-z]{3})[A-Za-z]*"
    if letter in _NUMBERS:
        return rf"(?P<{_NUMBERS[letter]}>\d{{{2 if width > 1 else 1},2}})"
    if letter in _FIXED:
        return _FIXED[letter]
    raise InputError(
        f"the date pattern {pattern!r} has {piece!r}, which is not read here; write the dates as "
        f"{ISO!r}, or as numbers"
    )


def _seconds(part: dict[str, str | None]) -> float:
    def number(name: str, default: int) -> int:
        text = part.get(name)
        return default if text is None else int(text)

    year = number("year", 1970)
    if (short := part.get("short")) is not None:
        # A fixed turn, as POSIX has it: Java's own depends on the day of reading.
        year = int(short) + (1900 if int(short) >= 69 else 2000)
    month = number("month", 1)
    if (word := part.get("word")) is not None:
        month = _MONTHS.index(word.lower()) + 1
    hour = number("hour", 0)
    if (half := part.get("half")) is not None:
        late = (part.get("noon") or "a").lower().startswith("p")
        hour = int(half) % 12 + (12 if late else 0)
    moment = datetime(
        year, month, number("day", 1), hour, number("minute", 0), number("second", 0),
        1000 * number("milli", 0), _zone(part.get("zone")),
    )  # fmt: skip
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()


def _zone(text: str | None) -> timezone:
    digits = re.sub(r"[^\d]", "", text or "")
    if text is None or not digits:
        return UTC
    minutes = 60 * int(digits[:2]) + int(digits[2:] or 0)
    return timezone(timedelta(minutes=-minutes if "-" in text else minutes))
