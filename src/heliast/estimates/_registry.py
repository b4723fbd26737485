"""The registry of interval methods: each declares the forms of measure it is valid for."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import nan
from typing import TypeVar

from heliast._core.errors import InputError
from heliast._core.notes import Note
from heliast.estimates._record import Scale
from heliast.measures import Measure
from heliast.measures.forms import Form
from heliast.predictions import Rows

FEW_ROWS = 20
F = TypeVar("F", bound=Form)


@dataclass(frozen=True, eq=False)
class Case:
    """What a method for one test set may look at.

    Parameters
    ----------
    form : Form
        What the measure is: a rate, a mean of losses, an area, ...
    level : float
        The confidence level.
    rows : Rows
        The rows behind it.
    measure : Measure
        The measure, for its name and bounds.
    seed : int
        Seed of whatever is drawn.
    replicates : int
        How many replicates a bootstrap draws.

    Examples
    --------
    >>> from heliast import measures
    >>> from heliast.estimates import method
    >>> from heliast.measures.summaries import Counted
    >>> from heliast.predictions import Predictions
    >>> rows = Predictions.of([0, 1, 0, 1], [0, 1, 1, 1]).rows()
    >>> error = measures.get("error")
    >>> method("wilson").limits(Case(error.form(Counted(rows)), 0.95, rows, error)).method
    'Wilson'
    """

    form: Form
    level: float
    rows: Rows
    measure: Measure
    seed: int = 0
    replicates: int = 2000

    def formed(self, kind: type[F]) -> F:
        """The form, which the method's declaration says is of this kind.

        Parameters
        ----------
        kind : type
            A kind of form.

        Returns
        -------
        Form
            The form itself.
        """
        assert isinstance(self.form, kind)
        return self.form

    @property
    def small_class(self) -> tuple[str, ...]:
        """A warning when the smallest class has fewer than 20 rows."""
        rows = self.rows
        if rows.task != "classification":
            return ()
        sizes = rows.class_sizes(weighted=rows.weight_kind == "frequency")
        least = sizes[sizes > 0].min()
        if least >= FEW_ROWS:
            return ()
        return (
            Note(f"the smallest class has {least:g} rows: the interval may be too short", "class"),
        )


@dataclass(frozen=True)
class Limits:
    """What a method answers: the interval, or why there is none.

    Parameters
    ----------
    low, high : float
        The ends.
    se : float
        The standard error.
    n, n_effective : float
        How many rows count, and how many independent ones they are worth; NaN leaves it to
        `estimate`, which knows the rows.
    notes : tuple of str
        Caveats.
    reason : str
        Why there is no interval.
    method : str
        The words of the method; its title if nothing else is said.
    key : str
        The method's name in the registry, if another one stood in.
    scale : str
        How the limits come nearer with more rows (see `Estimate`), if not as the method says.

    Examples
    --------
    >>> Limits(0.1, 0.3, se=0.05).high
    0.3
    """

    low: float = nan
    high: float = nan
    se: float = nan
    n: float = nan
    n_effective: float = nan
    notes: tuple[str, ...] = ()
    reason: str = ""
    method: str = ""
    key: str = ""
    scale: Scale = ""


@dataclass(frozen=True)
class Method:
    """An interval method: its name, its title in reports, the forms it is valid for.

    Parameters
    ----------
    name, title : str
        How it is asked for, and how reports call it.
    forms : tuple of type
        The forms of measures that it is valid for.
    answer : callable
        The limits of a case.
    scale : str
        How its limits come nearer with more rows (see `Estimate`).

    Examples
    --------
    >>> from heliast.estimates import method
    >>> method("delong").title, method("delong").scale
    ('DeLong, logit scale', 'logit')
    """

    name: str
    title: str
    forms: tuple[type, ...]
    answer: Callable[[Case], Limits]
    scale: Scale = ""

    def limits(self, case: Case) -> Limits:
        """The limits of a case, signed with the method's name, title and scale.

        Parameters
        ----------
        case : Case
            What is asked, and of which rows.

        Returns
        -------
        Limits
            The interval, or why there is none.
        """
        found = self.answer(case)
        if found.reason or found.key:
            return found
        scale = found.scale or self.scale
        return replace(found, method=found.method or self.title, key=self.name, scale=scale)

    def refuses(self, form: Form) -> str:
        """Why the method is not valid for this form; empty if it is.

        Parameters
        ----------
        form : Form
            What a measure is.

        Returns
        -------
        str
            The reason.
        """
        if isinstance(form, self.forms):
            return ""
        valid = ", ".join(kind.__name__.lower() for kind in self.forms)
        return f"{self.name} is valid for {valid}, not for a {type(form).__name__.lower()}"


_METHODS: dict[str, Method] = {}


def interval(
    name: str, title: str, forms: tuple[type, ...], scale: Scale = ""
) -> Callable[[Callable[[Case], Limits]], Callable[[Case], Limits]]:
    """Register the decorated function as the interval method `name`.

    Parameters
    ----------
    name, title : str
        How it is asked for, and how reports call it.
    forms : tuple of type
        The forms of measures that it is valid for.
    scale : str
        How its limits come nearer with more rows (see `Estimate`); empty if that is not known.

    Returns
    -------
    callable
        A decorator of functions that take a `Case` and return `Limits`.

    Examples
    --------
    >>> from heliast.measures.forms import Rate
    >>> @interval("everything", "all there is", (Rate,))
    ... def everything(case):
    ...     return Limits(0.0, 1.0)
    >>> method("everything").title
    'all there is'
    >>> _ = _METHODS.pop("everything")
    """

    def register(answer: Callable[[Case], Limits]) -> Callable[[Case], Limits]:
        _METHODS[name] = Method(name, title, forms, answer, scale)
        return answer

    return register


def method(name: str) -> Method:
    """The interval method of that name.

    Parameters
    ----------
    name : str
        One of `methods()`.

    Returns
    -------
    Method
        Its title, forms and limits.

    Raises
    ------
    InputError
        If there is none.

    Examples
    --------
    >>> from heliast.estimates import method
    >>> method("wilson").title
    'Wilson'
    """
    if name not in _METHODS:
        raise InputError(
            f"no interval method named {name!r}; there are: auto, none, {', '.join(_METHODS)}"
        )
    return _METHODS[name]


def methods() -> tuple[str, ...]:
    """The names of all interval methods for one test set.

    Returns
    -------
    tuple of str
        What `interval=` takes, besides `auto` and `none`.

    Examples
    --------
    >>> from heliast.estimates import methods
    >>> "wilson" in methods()
    True
    """
    return tuple(_METHODS)
