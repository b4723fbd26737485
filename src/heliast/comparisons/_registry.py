"""The registry of tests: each declares the designs that it is for, and refuses what it is not for.

`compare` knows no test by name: it asks for the one the user names, or for the first, in the order
that tests declare, that does not refuse the models at hand.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.comparisons._record import BayesResult, TestResult

Kind = Literal["pairs", "bayes", "omnibus"]
M = TypeVar("M", bound=Callable[..., Any])
ONE, SPLITS, SETS = "one test set", "several splits of one data set", "several data sets"
IN_ORDER = "rows in order of time"
"""The designs that tests are for."""
BAYES = "bayes"
"""Asks for the three probabilities that the design has."""


class Pair(Protocol):
    """The test of one pair; `again` asks for the interval at another level alone."""

    def __call__(self, a: str, b: str, level: float, again: bool = False) -> TestResult: ...


class Asked(Protocol):
    """What tests read of a question."""

    @property
    def level(self) -> float: ...
    @property
    def margin(self) -> float | None: ...
    @property
    def seed(self) -> int: ...


@dataclass(frozen=True)
class Answer:
    """How pairs are tested, why so in words, and what is said of all models at once."""

    pair: Pair
    why: str = ""
    omnibus: TestResult | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Values:
    """Values of models on the same data sets, for tests that read nothing else."""

    by_model: Mapping[str, Array]
    better: Literal["high", "low"]
    here: str = SETS

    def told(self, a: str, b: str, result: TestResult) -> TestResult:
        """What is to be added to the test of one pair."""
        return result


@dataclass(frozen=True)
class Declared:
    """A test by name: what it is for, what it makes of the models there, and its place in `auto`.

    `make` takes what is compared (`Paired`, `Splits`, `Values`) and the question. It gives `Answer`
    for pairs, a function of two models for `bayes`, and a TestResult for `omnibus`.
    """

    name: str
    designs: tuple[str, ...]
    make: Callable[[Any, Asked], Any]
    kind: Kind = "pairs"
    auto: int | None = None
    refuses: Callable[[Any], str] = lambda field: ""


_TESTS: dict[str, Declared] = {}


def comparison(
    name: str,
    designs: tuple[str, ...],
    *,
    kind: Kind = "pairs",
    auto: int | None = None,
    refuses: Callable[[Any], str] = lambda field: "",
) -> Callable[[M], M]:
    """Declare the decorated function as the test `name`; `refuses` says why it is not valid."""

    def register(make: M) -> M:
        _TESTS[name] = Declared(name, designs, make, kind, auto, refuses)
        return make

    return register


def names(here: str) -> tuple[str, ...]:
    """What can be asked for in a design.

    >>> names("several data sets")
    ('auto', 'wilcoxon', 'sign_test', 'paired_t', 'bayes', 'bayes_signed_rank')
    """
    valid = [one for one in _TESTS.values() if here in one.designs and one.kind != "omnibus"]
    ordered = sorted(valid, key=lambda one: one.auto or len(valid))
    pairs = [one.name for one in ordered if one.kind == "pairs"]
    probable = [one.name for one in valid if one.kind == "bayes"]
    return ("auto", *pairs, *([BAYES, *probable] if probable else []))


def gives_probabilities(test: str) -> bool:
    """Whether the test of that name adds three probabilities to what `auto` says."""
    return test == BAYES or (test in _TESTS and _TESTS[test].kind == "bayes")


def check_test(test: str, here: str) -> None:
    """Say why a test cannot be used in a design; nothing if it can."""
    valid = names(here)
    if test in valid:
        return
    if test != BAYES and test not in _TESTS:
        why = f"is not known; for {here} there are {', '.join(valid)}"
    elif test != BAYES and _TESTS[test].kind == "omnibus":
        why = "says whether any model differs, not which: compare gives it as .omnibus"
    else:
        places = [place for place in (ONE, SPLITS, SETS, IN_ORDER) if test in names(place)]
        why = f"is for {' or '.join(places)}, but here is {here}; choose among {', '.join(valid)}"
    raise InputError(f"test={test!r} {why}")


def chosen(test: str, here: str, field: object) -> Declared:
    """The test of pairs by its name, or the first in the order of `auto` that takes the field."""
    check_test(test, here)
    if test != "auto" and not gives_probabilities(test):
        declared = _TESTS[test]
        if why := declared.refuses(field):
            raise InputError(f"test={test!r} {why}")
        return declared
    able = _usual(here, "pairs")
    return next((one for one in able if not one.refuses(field)), able[-1])


def of_all(here: str) -> Declared:
    """The usual test of all models at once in a design."""
    return _usual(here, "omnibus")[0]


def _usual(here: str, kind: Kind) -> list[Declared]:
    every = [one for one in _TESTS.values() if one.kind == kind and here in one.designs]
    return sorted((one for one in every if one.auto is not None), key=lambda one: one.auto or 0)


def probabilities(
    test: str, here: str, field: object, asked: Asked
) -> Callable[[str, str], BayesResult] | None:
    """How two models get their three probabilities, if such are asked for."""
    if not gives_probabilities(test):
        return None
    able = (one for one in _TESTS.values() if one.kind == "bayes" and here in one.designs)
    found: Callable[[str, str], BayesResult] = next(
        one.make(field, asked) for one in able if test in (BAYES, one.name)
    )
    return found


def of_values(field: Any, test: Callable[[Array, Array, float], TestResult]) -> Pair:
    """The test of two models by their values alone, over splits or data sets."""

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        found: TestResult = field.told(a, b, test(field.by_model[a], field.by_model[b], level))
        return found

    return pair
