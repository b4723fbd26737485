"""What a study is: a design stated before it runs, printed numbers beside ours, claims checked."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from heliast._core.records import Shown, as_dict, plain

if TYPE_CHECKING:
    from heliast.reproduce._setting import Setting


@dataclass(frozen=True)
class Value(Shown):
    """A printed number beside ours, and how far apart they may be.

    `tolerance` is stated before the run; `se` is the Monte Carlo error of our number and
    `printed_se` that of the printed one, NaN where they do not apply (a worked example). `group`
    heads a table, `row` and `column` place the number in it.

    >>> one = Value("table 2.12", "ECOC", "B=200", printed=17.2, ours=16.8, tolerance=2.5)
    >>> one.agrees, round(one.difference, 1)
    (True, -0.4)
    """

    group: str
    row: str
    column: str
    printed: float
    ours: float
    tolerance: float
    se: float = math.nan
    printed_se: float = math.nan
    note: str = ""

    @property
    def difference(self) -> float:
        """Ours minus the printed number."""
        return self.ours - self.printed

    @property
    def agrees(self) -> bool:
        """Whether the two are no further apart than the tolerance."""
        return bool(abs(self.difference) <= self.tolerance)

    def to_dict(self) -> dict[str, object]:
        """The fields as plain values, with the word on agreement."""
        return {**as_dict(self), "agrees": self.agrees}


@dataclass(frozen=True)
class Claim(Shown):
    """A sentence of a document, and whether it holds on our run; `evidence` says by what."""

    words: str
    holds: bool
    evidence: str

    def to_dict(self) -> dict[str, object]:
        """The fields as plain values."""
        return as_dict(self)


@dataclass(frozen=True)
class Figure:
    """A drawing made from the run; `name` becomes that of its file."""

    name: str
    title: str
    svg: str


@dataclass(frozen=True)
class Note:
    """What was tried, chosen or cannot be met, in words."""

    words: str


Found = Value | Claim | Figure | Note


@dataclass(frozen=True)
class Study:
    """One table, figure or example of a document, and the function that makes it again.

    `design` states data, sampling, models, plan and seed, `tolerance` how far apart numbers may be:
    both before it is run. `repetitions` are those of a full run and of a quick one.
    """

    name: str
    title: str
    design: str
    tolerance: str
    make: "Callable[[Setting], Iterable[Found]]"
    repetitions: int = 1
    quick: int = 1
    needs: tuple[str, ...] = ()
    order: int = 0


@dataclass(frozen=True)
class Outcome:
    """What a study gave."""

    study: Study
    values: tuple[Value, ...] = ()
    claims: tuple[Claim, ...] = ()
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()
    repetitions: int = 1
    seconds: float = math.nan
    groups: tuple[str, ...] = field(default=())

    @property
    def agreeing(self) -> int:
        """How many numbers agree."""
        return sum(value.agrees for value in self.values)

    @property
    def agrees(self) -> bool:
        """Whether every number does."""
        return self.agreeing == len(self.values)

    def to_dict(self) -> dict[str, object]:
        """Everything but the drawings as plain values."""
        return {
            "study": self.study.name,
            "title": self.study.title,
            "repetitions": self.repetitions,
            "seconds": plain(self.seconds),
            "printed": len(self.values),
            "agreeing": self.agreeing,
            "values": [value.to_dict() for value in self.values],
            "claims": [claim.to_dict() for claim in self.claims],
            "notes": list(self.notes),
        }


def gathered(study: Study, found: Iterable[Found], repetitions: int, seconds: float) -> Outcome:
    """An outcome from what a study yielded."""
    every = list(found)
    return Outcome(
        study,
        tuple(one for one in every if isinstance(one, Value)),
        tuple(one for one in every if isinstance(one, Claim)),
        tuple(one for one in every if isinstance(one, Figure)),
        tuple(one.words for one in every if isinstance(one, Note)),
        repetitions,
        seconds,
    )
