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
_VOLUME = re.compile(r"(?P<name>.+?) (?P<volume>\d+)(?:, (?P<pages>[\d-]+))?(?:, .+)?$")
_PARTS = re.compile(r", (?:sections?|chapters?|algorithm) .+$")
_KINDS = (
    (re.compile("(?:Proceedings|Advances) "), "inproceedings", "booktitle"),
    (re.compile("Doctoral dissertation, "), "phdthesis", "school"),
    (re.compile("Technical report, "), "techreport", "institution"),
    (re.compile("arXiv"), "misc", "howpublished"),
)
"""How a source begins that is neither a journal nor a publisher: kind of entry and field."""
_PLACES = {
    "agresti1998": ("119-126", "10.1080/00031305.1998.10480550"),
    "agresti2000": ("280-288", "10.1080/00031305.2000.10474560"),
    "alpaydin1999": ("1885-1892", "10.1162/089976699300016007"),
    "angelopoulos2023a": ("669-674", "10.1126/science.adi6000"),
    "bates2024": ("1434-1445", "10.1080/01621459.2023.2197686"),
    "clopper1934": ("404-413", "10.1093/biomet/26.4.404"),
    "cochran1950": ("256-266", "10.1093/biomet/37.3-4.256"),
    "cochran1954": ("101-129", "10.2307/3001616"),
    "corani2015": ("285-304", "10.1007/s10994-015-5486-z"),
    "delong1988": ("837-845", "10.2307/2531595"),
    "demsar2006": ("1-30", ""),
    "diebold1995": ("253-263", "10.1080/07350015.1995.10524599"),
    "dietterich1998": ("1895-1923", "10.1162/089976698300017197"),
    "efron1983": ("316-331", "10.1080/01621459.1983.10477973"),
    "efron1997": ("548-560", "10.1080/01621459.1997.10474007"),
    "fagerland2013": ("91", "10.1186/1471-2288-13-91"),
    "friedman1937": ("675-701", "10.1080/01621459.1937.10503522"),
    "hall1992": ("221-228", ""),
    "holm1979": ("65-70", ""),
    "iman1980": ("571-595", "10.1080/03610928008827904"),
    "mcnemar1947": ("153-157", "10.1007/BF02295996"),
    "nadeau2003": ("239-281", "10.1023/A:1024068626366"),
    "noma2021": ("5691-5701", "10.1002/sim.9148"),
    "student1908": ("1-25", "10.1093/biomet/6.1.1"),
    "tsamardinos2018": ("1895-1922", "10.1007/s10994-018-5714-4"),
    "wilcoxon1945": ("80-83", "10.2307/3001968"),
    "wilson1927": ("209-212", "10.1080/01621459.1927.10502953"),
    "zou2008": ("1693-1702", "10.1002/sim.3095"),
}
"""Pages and DOI of works whose docstrings do without."""


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
        kind, where = self._where
        fields = {"author": " and ".join(self.authors), "title": f"{{{self.title}}}", **where}
        fields["year"] = self.year
        body = ",\n".join(f"  {name} = {{{_tex(value)}}}" for name, value in fields.items())
        return f"@{kind}{{{self.key},\n{body}\n}}\n"

    @property
    def _where(self) -> tuple[str, dict[str, str]]:
        """The kind of entry, and its fields that say where the work appeared."""
        if not self.source:
            return "misc", {}
        for begin, kind, field in _KINDS:
            found = begin.match(self.source)
            if found and kind in ("inproceedings", "misc"):  # these words belong to its name
                return kind, {field: self.source}
            if found:
                return kind, {field: self.source[found.end() :]}
        journal = _VOLUME.match(self.source)
        if journal:
            pages, doi = _PLACES.get(self.key, ("", ""))
            pages = (journal["pages"] or pages).replace("-", "--")
            fields = {"journal": journal["name"], "volume": journal["volume"], "pages": pages}
            return "article", {
                name: value for name, value in (fields | {"doi": doi}).items() if value
            }
        return "book", {"publisher": _PARTS.sub("", self.source)}


@dataclass(frozen=True)
class Software(Reference):
    """A program, cited by its name and version."""

    key = property(lambda self: self.title)
    short = property(lambda self: f"{self.authors[0]} {self.year}")

    @property
    def bibtex(self) -> str:
        """An entry of a BibTeX file."""
        return (
            f"@software{{{self.title},\n  author = {{{{{self.authors[0]}}}}},\n"
            f"  title = {{{{{self.title}}}}},\n  version = {{{self.source}}},\n"
            f"  year = {{{self.year}}}\n}}\n"
        )


HELIAST = Software(("The heliast developers",), "2026", "heliast", __version__)


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
