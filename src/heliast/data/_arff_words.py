"""The words of an ARFF line: quotes of both kinds, escapes, comments, commas and blanks."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

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
