"""What a feature of the documents is: a place, a public call, and an oracle that knows."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

Value = float | str
CLOSE = 1e-9
SHOWN = 4


@dataclass(frozen=True)
class Near:
    """A number of the oracle with a tolerance of its own."""

    value: float
    tolerance: float


@dataclass(frozen=True)
class Compared:
    """What heliast answers beside what the oracle does; each number has its tolerance."""

    heliast: tuple[Value, ...]
    oracle: tuple[Value, ...]
    tolerance: tuple[float, ...]

    @property
    def holds(self) -> bool:
        """Whether there are answers, as many as the oracle has, and all are the oracle's."""
        return len(self.heliast) == len(self.oracle) > 0 and not self.wrong

    @property
    def wrong(self) -> tuple[tuple[Value, Value], ...]:
        """The answers that are not the oracle's, each beside it."""
        triples = zip(self.heliast, self.oracle, self.tolerance, strict=False)
        return tuple(
            (ours, theirs) for ours, theirs, slack in triples if _apart(ours, theirs, slack)
        )


def _apart(ours: Value, theirs: Value, slack: float) -> bool:
    if isinstance(ours, str) or isinstance(theirs, str):
        return ours != theirs
    return not abs(ours - theirs) <= slack  # so that NaN is apart from everything


def compared(heliast: object, oracle: object, tolerance: float = CLOSE) -> Compared:
    """Both answers made flat: numbers, words, arrays, and sequences of all of them."""
    theirs = [
        (one.value, one.tolerance) if isinstance(one, Near) else (one, tolerance)
        for one in _flat(oracle)
    ]
    values, slack = zip(*theirs, strict=True)
    return Compared(tuple(_flat(heliast)), values, slack)


def _flat(value: object) -> Iterable[Any]:
    if isinstance(value, str | Near):
        yield value
    elif isinstance(value, np.ndarray):
        yield from _flat(value.ravel().tolist())
    elif isinstance(value, Iterable):
        for part in value:
            yield from _flat(part)
    else:
        yield float(value)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Feature:
    """One row of the table."""

    number: int
    name: str
    where: str
    call: str
    oracle: str
    check: Callable[[], Compared]

    @cached_property
    def answer(self) -> Compared:
        """The comparison, made once."""
        return self.check()


FEATURES: dict[int, Feature] = {}


def feature(
    number: int, name: str, *, where: str, call: str, oracle: str
) -> Callable[[Callable[[], Compared]], Callable[[], Compared]]:
    """Enter the decorated function as the check of a feature."""

    def register(check: Callable[[], Compared]) -> Callable[[], Compared]:
        if number in FEATURES:
            raise ValueError(f"feature {number} is there twice: {FEATURES[number].name}, {name}")
        FEATURES[number] = Feature(number, name, where, call, oracle, check)
        return check

    return register


def shown(values: tuple[Value, ...]) -> str:
    """The first values, in four digits, and how many there are."""
    words = [one if isinstance(one, str) else f"{one + 0.0:.4g}" for one in values[:SHOWN]]
    more = [f"... ({len(values)})"] if len(values) > SHOWN else []
    return ", ".join(words + more)
