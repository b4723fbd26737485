"""What a study is, how it is run, and what comes out of it.

A study is a function that takes `Settings` and yields our numbers in the order of the printed ones,
with a `Claim`, a `Figure` or a note (text) wherever it has one.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import heliast as hl

DATA = Path(__file__).parent / "data"
SOURCES = {
    "chapter": "Zaki and Meira (2014)",
    "notes": "Leung (2007)",
    "slides-c": "Sartori (2022)",
    "slides-r": "*Refinements and Evaluation*",
    "thesis": "James (1998)",
}
# A number, or a rule that takes our values, one per repetition, and the printed number.
Tolerance = float | Callable[[np.ndarray, float], float]


@dataclass(frozen=True)
class Printed:
    """A printed table: numbers by row or by (row, column); a pair has a tolerance of its own."""

    table: str
    numbers: dict[Any, Any]
    tolerance: Tolerance = math.nan


@dataclass(frozen=True)
class Row:
    """A printed number beside ours. `se` is the Monte Carlo error of ours, NaN without one."""

    table: str
    row: str
    column: str
    printed: float
    ours: float
    tolerance: float
    se: float = math.nan
    note: str = ""

    @property
    def holds(self) -> bool:
        """Whether the two are no further apart than the tolerance."""
        return abs(self.ours - self.printed) <= self.tolerance


@dataclass(frozen=True)
class Claim:
    """A sentence of a document, whether it holds in our run, and the numbers that say so."""

    words: str
    holds: bool
    evidence: str


@dataclass(frozen=True)
class Figure:
    """A drawing; `name` is that of its file, without the ending."""

    name: str
    title: str
    svg: str


@dataclass(frozen=True)
class Study:
    """One table, figure or example of a document, and the function that computes it again.

    `id` is the document and the place in it, such as `thesis-2.12`. `design` and `tolerance` are
    stated before the run. `repetitions` of 1 is a computation without chance or data of its own;
    `needs` names data sets.
    """

    id: str
    title: str
    design: str
    tolerance: str
    printed: tuple[Printed, ...]
    repetitions: int
    needs: tuple[str, ...]
    compute: Callable[["Settings"], Any]

    @property
    def worked(self) -> bool:
        """Whether it is a worked example, which a quick run computes in full."""
        return self.repetitions == 1 and not self.needs


@dataclass(frozen=True)
class Settings:
    """Options of a run; hashable, so that experiments shared by studies are cached by them."""

    quick: bool = False
    seed: int = 1
    folder: Path = DATA
    store: str | None = None
    jobs: int | None = None

    def times(self, full: int, quick: int = 1) -> int:
        """How often to repeat an experiment."""
        return quick if self.quick else full

    def path(self, name: str) -> Path:
        """The file of a data set."""
        return self.folder / f"{name}.csv"

    def data(self, name: str) -> hl.Dataset:
        """A data set by name; of Vowel the inputs only."""
        ignore = ("split", "speaker", "sex") if name == "vowel" else ()
        return hl.read(str(self.path(name)), "class", ignore=ignore)

    def run(self, models, data, plan, seed: int, in_sample: bool = False) -> hl.Predictions:
        """`hl.run` with these options."""
        return hl.run(
            models, data, plan, seed, store=self.store, jobs=self.jobs, progress=False,
            in_sample=in_sample,
        )  # fmt: skip


@dataclass
class Result:
    """What a study gave. `rough`: a quick run of an experiment, whose misses do not count."""

    study: Study
    rough: bool
    rows: list[Row] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    seconds: float = math.nan

    @property
    def missed(self) -> bool:
        """Whether a number that counts is not within its tolerance."""
        return not self.rough and not all(row.holds for row in self.rows)


STUDIES: dict[str, Study] = {}


def study(id, title, *, design, tolerance, printed=(), repetitions=1, needs=()):
    """Decorator: register a function as the computation of a study."""

    def register(compute):
        tables = printed if isinstance(printed, tuple) else (printed,)
        texts = (" ".join(text.split()) for text in (design, tolerance))
        STUDIES[id] = Study(id, title, *texts, tables, repetitions, needs, compute)
        return compute

    return register


def all_studies() -> list[Study]:
    """All studies in the order of the documents."""
    from reproduction import studies  # noqa: F401  # each module registers its own

    return sorted(STUDIES.values(), key=_order)


def _order(study: Study) -> tuple[str, tuple[int, ...], str]:
    """2.9 comes before 2.10."""
    document, _, place = study.id.partition("-")
    numbers = tuple(int(part) for part in place.replace("-", ".").split(".") if part.isdigit())
    return document, numbers, study.id


def find_studies(names: list[str]) -> list[Study]:
    """The studies with these ids or beginnings of ids (`chapter`, `thesis-2`); without names all.

    Raises
    ------
    KeyError
        If a name is no study and begins none.
    """
    studies = all_studies()
    chosen = set()
    for name in names:
        ids = {study.id for study in studies if study.id.startswith((f"{name}-", f"{name}."))}
        ids = {name} if name in STUDIES else ids
        if not ids:
            raise KeyError(name)
        chosen |= ids
    return [study for study in studies if study.id in chosen or not names]


def run_study(study: Study, settings: Settings) -> Result:
    """Run a study; each number it yields stands beside the next printed one."""
    result = Result(study, rough=settings.quick and not study.worked)
    places = (
        (table, place, number) for table in study.printed for place, number in table.numbers.items()
    )
    start = time.perf_counter()
    for item in study.compute(settings):
        if isinstance(item, str):
            result.notes.append(item)
        elif isinstance(item, Claim):
            result.claims.append(item)
        elif isinstance(item, Figure):
            result.figures.append(item)
        else:
            result.rows.append(compare(*next(places), item, "rough" if result.rough else ""))
    if next(places, None) is not None:
        raise RuntimeError(f"{study.id}: fewer numbers than are printed")
    result.seconds = time.perf_counter() - start
    return result


def compare(table: Printed, place, number, ours, note: str = "") -> Row:
    """A printed number beside ours: a number, an array of one per repetition, whose mean is taken,
    or a pair of either and a tolerance that only the run could tell.
    """
    row, column = (place, "") if isinstance(place, str) else place
    printed, tolerance = number if isinstance(number, tuple) else (number, table.tolerance)
    ours, tolerance = ours if isinstance(ours, tuple) else (ours, tolerance)
    values = np.atleast_1d(np.asarray(ours, float))
    if callable(tolerance):
        tolerance = tolerance(values, printed)
    return Row(
        table.table, row, column, printed, float(values.mean()), float(tolerance),
        error_of_mean(values), note,
    )  # fmt: skip


def error_of_mean(values: np.ndarray) -> float:
    """The standard error of a mean; NaN of a single value."""
    return float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else math.nan


def joint_errors(printed_se: float, least: float) -> Tolerance:
    """Three joint standard errors of the printed mean and ours, or `least`."""
    return lambda ours, printed: max(
        3 * math.hypot(printed_se, np.nan_to_num(error_of_mean(ours))), least
    )


def three_deviations(least: float) -> Tolerance:
    """Three standard deviations of a single repetition, as the printed number is from one."""
    return lambda ours, printed: max(3 * ours.std(ddof=1), least)


def by_cell(rows: dict[str, Any], columns) -> dict[tuple[str, str], float]:
    """The numbers of a table by (row, column).

    >>> by_cell({"error": [0.1, 0.2]}, ["B=1", "B=2"])
    {('error', 'B=1'): 0.1, ('error', 'B=2'): 0.2}
    """
    return {
        (row, column): number
        for row, numbers in rows.items()
        for column, number in zip(columns, numbers, strict=True)
    }
