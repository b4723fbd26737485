"""The registry of tests: each declares its designs and refuses what it is not valid for.

`compare` knows no test by name: it takes the one that the user names, or the first in the order
of `auto` that does not refuse the models.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import nan
from typing import Any, Literal, Protocol, TypeVar

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.comparisons._record import BayesResult, TestResult

Kind = Literal["pairs", "bayes", "omnibus"]
M = TypeVar("M", bound=Callable[..., Any])
# The designs that tests are for.
ONE, SPLITS, SETS = "one test set", "several splits of one data set", "several data sets"
IN_ORDER = "rows in order of time"
# Asks for the three probabilities that the design has.
BAYES = "bayes"


class Pair(Protocol):
    """The test of one pair; `again` asks for the interval at another level only."""

    def __call__(self, a: str, b: str, level: float, again: bool = False) -> TestResult: ...


class Asked(Protocol):
    """The options that tests read."""

    @property
    def level(self) -> float: ...
    @property
    def margin(self) -> float | None: ...
    @property
    def seed(self) -> int: ...


@dataclass(frozen=True)
class Answer:
    """How pairs are tested, the reason in words, and the test of all models at once."""

    pair: Pair
    why: str = ""
    omnibus: TestResult | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Values:
    """Values of models on the same data sets, for tests that read nothing else."""

    by_model: Mapping[str, Array]
    better: Literal["high", "low"]
    rows: float | None = None


@dataclass(frozen=True)
class Declared:
    """A test by name: its designs, how it is made, and its place in `auto`.

    `make` takes what is compared (`Paired`, `Splits`, `Values`) and the options. It returns an
    `Answer` for pairs, a function of two models for `bayes`, and a TestResult for `omnibus`.
    """

    name: str
    designs: tuple[str, ...]
    make: Callable[[Any, Asked], Any]
    kind: Kind
    auto: int | None
    refuses: Callable[[Any], str]


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


def _declared(here: str, kind: Kind) -> list[Declared]:
    """The tests of a kind for a design, in the order of `auto`."""
    tests = [test for test in _TESTS.values() if test.kind == kind and here in test.designs]
    return sorted(tests, key=lambda test: test.auto or len(_TESTS))


def names(here: str) -> tuple[str, ...]:
    """The names that `test=` takes in a design.

    >>> names("several data sets")
    ('auto', 'wilcoxon', 'sign_test', 'paired_t', 'bayes', 'bayes_signed_rank')
    """
    pairs, bayes = ([test.name for test in _declared(here, kind)] for kind in ("pairs", "bayes"))
    return ("auto", *pairs, *([BAYES, *bayes] if bayes else []))


def gives_probabilities(test: str) -> bool:
    """Whether the test of that name adds three probabilities to what `auto` says."""
    return test == BAYES or (test in _TESTS and _TESTS[test].kind == "bayes")


def check_test(test: str, here: str) -> None:
    """Refuse a test that cannot be used in a design."""
    valid = names(here)
    if test in valid:
        return
    places = [place for place in (ONE, SPLITS, SETS, IN_ORDER) if test in names(place)]
    if places:
        why = f"is for {' or '.join(places)}, but here is {here}; choose among {', '.join(valid)}"
    elif test in _TESTS:
        why = "says whether any model differs, not which: compare gives it as .omnibus"
    else:
        why = f"is not known; for {here} there are {', '.join(valid)}"
    raise InputError(f"test={test!r} {why}")


def chosen(test: str, here: str, field: object) -> Declared:
    """The test of pairs by its name, or the first in the order of `auto` that is valid."""
    check_test(test, here)
    if test == "auto" or gives_probabilities(test):
        usual = [declared for declared in _declared(here, "pairs") if declared.auto is not None]
        return next((declared for declared in usual if not declared.refuses(field)), usual[-1])
    if why := _TESTS[test].refuses(field):
        raise InputError(f"test={test!r} {why}")
    return _TESTS[test]


def of_all(here: str) -> Declared:
    """The usual test of all models at once in a design."""
    return _declared(here, "omnibus")[0]


def probabilities(
    test: str, here: str, field: object, asked: Asked
) -> Callable[[str, str], BayesResult] | None:
    """How two models get their three probabilities, if these are wanted."""
    for declared in _declared(here, "bayes"):
        if test in (BAYES, declared.name):
            pair: Callable[[str, str], BayesResult] = declared.make(field, asked)
            return pair
    return None


def of_values(field: Any, test: Callable[[Array, Array, float], TestResult]) -> Pair:
    """The test of two models by their values alone, over splits or data sets."""

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        result = test(field.by_model[a], field.by_model[b], level)
        return result if field.rows is None else replace(result, n=field.rows, n_effective=nan)

    return pair
