"""References: what the docstrings of methods cite, parsed, for a list and for BibTeX."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from inspect import cleandoc
from string import ascii_lowercase

from heliast import __version__, comparisons, estimates
from heliast._core.records import Shown

_SECTION = re.compile(r"^References:?[ ]*\n?(?:-{3,}\n)?(?P<said>.+?)(?:\n\n|\Z)", re.M | re.S)
_BEGIN = re.compile(
    r"(?:^|(?<=[;.]\s))(?:for [a-z ]+ )?(?P<by>[A-Z][^();]*?) \((?P<year>\d{4})\), "
)
_SOURCE = re.compile(r", (?=[A-Z]|arXiv)")


@dataclass(frozen=True)
class Reference(Shown):
    """A work that a method comes from.

    Parameters
    ----------
    authors : tuple of str
        Who wrote it, as their names are given.
    year : str
        When.
    title, source : str
        What it is called, and where it appeared; the source may be empty.
    letter : str
        Tells it from other works of the same author and year; empty where there are none.
    """

    authors: tuple[str, ...]
    year: str
    title: str
    source: str = ""
    letter: str = ""

    @property
    def key(self) -> str:
        """The name it is cited by, such as `wilson1927`."""
        surname = unicodedata.normalize("NFKD", self._surname(self.authors[0]))
        plain = re.sub("[^a-z]", "", surname.encode("ascii", "ignore").decode().lower())
        return f"{plain}{self.year}{self.letter}"

    @property
    def short(self) -> str:
        """Authors and year, as they stand in a sentence."""
        names = [self._surname(author) for author in self.authors]
        who = names[0] if len(names) == 1 else " and ".join(names[:2])
        who = f"{names[0]} and others" if len(names) > 2 else who
        return f"{who} {self.year}{self.letter}"

    @staticmethod
    def _surname(author: str) -> str:
        return re.sub(r"^(?:[A-Z][\w-]*\.[\s-]*)+", "", author) or author

    @property
    def line(self) -> str:
        """The whole reference in one line."""
        *most, last = self.authors
        who = f"{', '.join(most)} and {last}" if most else last
        mark = "" if self.title.endswith("?") else "."
        return f"{who} ({self.year}{self.letter}). {self.title}{mark}" + (
            f" {self.source}." if self.source else ""
        )

    @property
    def bibtex(self) -> str:
        """An entry of a BibTeX file."""
        fields = {
            "author": " and ".join(self.authors), "title": f"{{{self.title}}}",
            "howpublished": self.source, "year": self.year,
        }  # fmt: skip
        lines = [f"  {name} = {{{_tex(value)}}}" for name, value in fields.items() if value]
        body = ",\n".join(lines)
        return f"@misc{{{self.key},\n{body}\n}}\n"


HELIAST = Reference(("heliast",), "2026", "A Python package", f"Version {__version__}")


def _tex(text: str) -> str:
    return re.sub(r"([&%#_$])", r"\\\1", text)


def cited(doc: str | None) -> tuple[Reference, ...]:
    """The works that a docstring cites in its section of references.

    >>> [one.key for one in cited(estimates.wilson.__doc__)]
    ['wilson1927']
    """
    section = _SECTION.search(cleandoc(doc or ""))
    if section is None:
        return ()
    said = " ".join(section["said"].split())
    begins = list(_BEGIN.finditer(said))
    ends = [*(one.start() for one in begins[1:]), len(said)][: len(begins)]
    return tuple(
        _reference(one["by"], one["year"], said[one.end() : end].strip(" ;."))
        for one, end in zip(begins, ends, strict=True)
    )


def _reference(authors: str, year: str, rest: str) -> Reference:
    """The source begins at the first part of the rest that has a capital: titles go on without."""
    title, *source = _SOURCE.split(rest, maxsplit=1)
    names = re.split(r",? and |, ", authors.strip())
    return Reference(tuple(names), year, title.rstrip(","), source[0] if source else "")


def of_methods(keys: Iterable[str]) -> dict[str, tuple[Reference, ...]]:
    """What intervals and tests cite, by their names in the registries; each that cites anything."""
    found = {key: _of_method(key) for key in dict.fromkeys(keys) if key}
    letters = _letters() if found else {}
    return {
        key: tuple(replace(one, letter=letters.get((one.key, one.title), "")) for one in works)
        for key, works in found.items()
        if works
    }


@cache
def _letters() -> dict[tuple[str, str], str]:
    """A letter for each work of an author and year of several, by title, of all that can be cited.

    Over all of them, so that a work has one key whatever else a paragraph cites.
    """
    names = {*comparisons.__all__, *estimates.__all__, *estimates.methods()}
    titles: dict[str, set[str]] = {}
    for one in (work for name in names for work in _of_method(name)):
        titles.setdefault(one.key, set()).add(one.title)
    return {
        (key, title): letter
        for key, several in titles.items()
        if len(several) > 1
        for title, letter in zip(sorted(several), ascii_lowercase, strict=False)
    }


def _of_method(key: str) -> tuple[Reference, ...]:
    docs = [getattr(getattr(room, key, None), "__doc__", None) for room in (comparisons, estimates)]
    if key in estimates.methods():
        docs.append(estimates.method(key).answer.__doc__)
    return next((works for works in map(cited, docs) if works), ())
