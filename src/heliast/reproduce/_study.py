"""What a study is: a design stated before it runs, printed numbers beside ours, claims checked."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from heliast._core.kinds import Array
from heliast._core.records import Shown, as_dict, plain
from heliast._core.told import told

if TYPE_CHECKING:
    from heliast.reproduce._setting import Setting


@dataclass(frozen=True)
class Value(Shown):
    """A printed number beside ours, and how far apart they may be.

    Parameters
    ----------
    group : str
        The heading of its table.
    row, column : str
        Its place in the table.
    printed, ours : float
        The two numbers.
    tolerance : float
        How far apart they may be, stated before the run.
    se, printed_se : float
        The Monte Carlo error of our number and of the printed one; NaN where there is none, as in a
        worked example.
    note : str
        A word on this number.

    Examples
    --------
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

    @told({}, returns="dict: What JSON can hold, by the names of the fields.")
    def to_dict(self) -> dict[str, object]:
        """The fields as plain values, with the word on agreement."""
        return {**as_dict(self), "agrees": self.agrees}


@told(
    {
        "words": "str: The sentence.",
        "holds": "bool: Whether it is true of our run.",
        "evidence": "str: By which numbers.",
    }
)
@dataclass(frozen=True)
class Claim(Shown):
    """A sentence of a document, and whether it holds on our run.

    Examples
    --------
    >>> Claim("the vote is for class 2", True, "class 2").holds
    True
    """

    words: str
    holds: bool
    evidence: str


@told(
    {
        "name": "str: The name of its file, without the ending.",
        "title": "str: What it shows.",
        "svg": "str: The drawing.",
    }
)
@dataclass(frozen=True)
class Figure:
    """A drawing made from the run.

    Examples
    --------
    >>> Figure("figure-2.3", "Error against columns", "<svg/>").name
    'figure-2.3'
    """

    name: str
    title: str
    svg: str


@told({"words": "str: The note."})
@dataclass(frozen=True)
class Note:
    """What was tried, chosen or cannot be met.

    Examples
    --------
    >>> Note("Exact, z is 1.291.").words
    'Exact, z is 1.291.'
    """

    words: str


Within = float | Callable[[Array, float], float]
"""How far apart numbers may be; a rule takes ours, one a repetition, and the printed one."""
Ours = float | Array | tuple[Array, Within]
"""Our number, or one a repetition; with a tolerance where only the run tells it."""
Found = Value | Claim | Figure | Note | Ours
"""What a study yields; our numbers stand beside the next printed ones."""


@dataclass(frozen=True)
class Printed:
    """The numbers of one printed table, in the order in which a study yields its own.

    Parameters
    ----------
    group : str
        The heading of the table.
    numbers : mapping
        By row, or by (row, column); one with a tolerance of its own is a pair.
    within : float or callable
        How far ours may be from them; a rule takes ours, one a repetition, and the printed one.
    se : float
        The Monte Carlo error of the printed numbers.

    Examples
    --------
    >>> table = Printed("Kappa", {"kappa": 0.492}, within=0.0005)
    >>> table.numbers["kappa"]
    0.492
    """

    group: str
    numbers: Mapping[Any, float | tuple[float, Within]]
    within: Within = math.nan
    se: float = math.nan

    def _places(self) -> Iterator[Callable[[Ours], Value]]:
        """For each number what sets ours beside it."""
        for place, number in self.numbers.items():
            row, column = (place, "") if isinstance(place, str) else place
            printed, within = number if isinstance(number, tuple) else (number, self.within)
            yield partial(
                _beside, Value(self.group, row, column, printed, 0, 0, 0, self.se), within
            )


def entries(
    rows: Mapping[str, Sequence[float]], columns: Sequence[str]
) -> dict[tuple[str, str], float]:
    """The numbers of a printed table by (row, column).

    >>> entries({"error": [0.1, 0.2]}, ["B=1", "B=2"])
    {('error', 'B=1'): 0.1, ('error', 'B=2'): 0.2}
    """
    return {
        (row, column): number
        for row, numbers in rows.items()
        for column, number in zip(columns, numbers, strict=True)
    }


def _beside(place: Value, within: Within, ours: Ours) -> Value:
    """A printed number beside ours, or the mean of ours."""
    ours, within = ours if isinstance(ours, tuple) else (ours, within)
    values = np.atleast_1d(np.asarray(ours, float))
    tolerance = within(values, place.printed) if callable(within) else within
    se = error_of_mean(values)
    return replace(place, ours=float(values.mean()), tolerance=tolerance, se=se)


def error_of_mean(values: Array) -> float:
    """The standard error of our mean; NaN from a single one."""
    return float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else math.nan


def joint(printed_se: float, slack: float) -> Within:
    """Three joint standard errors of the printed mean and ours, or so much slack."""
    return lambda ours, printed: max(
        3 * math.hypot(printed_se, float(np.nan_to_num(error_of_mean(ours)))), slack
    )


@dataclass(frozen=True)
class Study:
    """One table, figure or example of a document, and the function that makes it again.

    Parameters
    ----------
    name : str
        `document-place`, such as `thesis-2.12`.
    title : str
        What it is about.
    design : str
        Data, sampling, models, plan and seed, stated before it is run.
    tolerance : str
        How far apart numbers may be, in words, stated before it is run.
    make : callable
        Takes a `Setting` and yields what was found: values, claims, figures, notes, and plain
        numbers (or an array of one a repetition), each beside the next of `printed`.
    repetitions, quick : int
        How often a random experiment is done in a full run and in a quick one.
    needs : tuple of str
        The data sets that it reads.
    printed : tuple
        The printed numbers, as tables.

    Examples
    --------
    >>> from heliast import reproduce
    >>> reproduce.every()["chapter-22.7"].title
    'Iris in two dimensions, full Bayes: error over five folds'
    """

    name: str
    title: str
    design: str
    tolerance: str
    make: "Callable[[Setting], Iterable[Found]]"
    repetitions: int = 1
    quick: int = 1
    needs: tuple[str, ...] = ()
    printed: tuple[Printed, ...] = ()


@told(
    {
        "study": "Study: Which one.",
        "values": "tuple of Value: Each printed number beside ours.",
        "claims": "tuple of Claim: Each sentence checked.",
        "figures": "tuple of Figure: Drawings.",
        "notes": "tuple of str: What else is to be said.",
        "repetitions": "int: How often the experiment was done.",
        "seconds": "float: How long it took.",
    }
)
@dataclass(frozen=True)
class Outcome:
    """What a study gave.

    Examples
    --------
    >>> from heliast import reproduce
    >>> outcome = next(reproduce.reproduce(["chapter-22.7"]))
    >>> outcome.agreeing, len(outcome.values), outcome.agrees
    (2, 2, True)
    """

    study: Study
    values: tuple[Value, ...] = ()
    claims: tuple[Claim, ...] = ()
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()
    repetitions: int = 1
    seconds: float = math.nan

    @property
    def agreeing(self) -> int:
        """How many numbers agree."""
        return sum(value.agrees for value in self.values)

    @property
    def agrees(self) -> bool:
        """Whether every number does."""
        return self.agreeing == len(self.values)

    @told({}, returns="dict: What JSON can hold: the study by name, counts, values, claims, notes.")
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
    """An outcome from what a study yielded; a number takes the next place that is printed."""
    places = (place for printed in study.printed for place in printed._places())
    kinds: dict[type, list[Any]] = {Value: [], Claim: [], Figure: [], Note: []}
    for item in found:
        placed = next(places)(item) if isinstance(item, (float, np.ndarray, tuple)) else item
        kinds[type(placed)].append(placed)
    if any(True for _ in places):
        raise RuntimeError(f"{study.name}: fewer numbers than are printed")
    values, claims, figures, notes = (tuple(items) for items in kinds.values())
    return Outcome(
        study, values, claims, figures, tuple(note.words for note in notes), repetitions, seconds
    )
