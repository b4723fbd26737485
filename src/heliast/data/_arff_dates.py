"""Dates of ARFF files, written after a Java pattern, to seconds since 1970 (UTC)."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

from heliast._core.errors import InputError

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
