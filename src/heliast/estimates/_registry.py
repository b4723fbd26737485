"""The registry of interval methods: each declares the forms of measure it is valid for."""

from collections.abc import Callable
from dataclasses import dataclass
from math import nan, sqrt

from heliast._core.errors import InputError
from heliast._core.level import quantile
from heliast.measures import Measure
from heliast.measures.forms import Form
from heliast.predictions import Rows


@dataclass(frozen=True, eq=False)
class Case:
    """What a method may look at: the measure's form, the level, and the rows behind it.

    Over several splits each row may stand there in several `copies`, and `stretch` says how many
    times larger the standard error is than one copy of each, as one test set, would make it.
    """

    form: Form
    level: float
    rows: Rows
    measure: Measure
    seed: int = 0
    replicates: int = 2000
    stretch: float = 1.0
    copies: float = 1.0

    @property
    def wider(self) -> float:
        """The standard error relative to that of these rows, copies taken as other rows."""
        return self.stretch * sqrt(self.copies)

    def quantile(self, df: float | None = None) -> float:
        """How many standard errors of one test set the limits lie away from the value."""
        return quantile(self.level, df) * self.wider

    def worth(self, rows: float) -> float:
        """The rows of one test set that would have the standard error of this design."""
        return rows / self.wider**2


@dataclass(frozen=True)
class Limits:
    """What a method answers: the interval, its words, and how many rows it is worth."""

    low: float = nan
    high: float = nan
    method: str = ""
    se: float = nan
    n: float = nan
    n_effective: float = nan
    notes: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Method:
    """An interval method: its name, its title in reports, the forms it is valid for."""

    name: str
    title: str
    forms: tuple[type, ...]
    limits: Callable[[Case], Limits]

    def refuses(self, form: Form) -> str:
        """Why the method is not valid for this form; empty if it is."""
        if isinstance(form, self.forms):
            return ""
        valid = ", ".join(kind.__name__.lower() for kind in self.forms)
        return f"{self.name} is valid for {valid}, not for a {type(form).__name__.lower()}"


_METHODS: dict[str, Method] = {}


def interval(
    name: str, title: str, forms: tuple[type, ...]
) -> Callable[[Callable[[Case], Limits]], Callable[[Case], Limits]]:
    """Register the decorated function as the interval method `name`."""

    def register(limits: Callable[[Case], Limits]) -> Callable[[Case], Limits]:
        _METHODS[name] = Method(name, title, forms, limits)
        return limits

    return register


def method(name: str) -> Method:
    """The interval method of that name."""
    if name not in _METHODS:
        raise InputError(
            f"no interval method named {name!r}; there are: auto, none, {', '.join(_METHODS)}"
        )
    return _METHODS[name]


def methods() -> tuple[str, ...]:
    """The names of all interval methods."""
    return tuple(_METHODS)
