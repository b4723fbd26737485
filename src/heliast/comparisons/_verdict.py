"""A difference judged: what may be said of it, as a record and in words."""

from dataclasses import dataclass, replace
from math import isnan
from typing import Literal

from heliast._core.errors import InputError
from heliast.comparisons._checks import Better, check_better, check_margin
from heliast.comparisons._record import IDENTICAL

Kind = Literal["better", "worse", "equivalent", "identical", "undecided"]
UNFIT = "If a lower limit is above its upper one, or margin or better are none."
_TURNED: dict[Kind, Kind] = {"better": "worse", "worse": "better"}


@dataclass(frozen=True)
class Finding:
    """What may be said of a against b; `str` gives the words.

    Parameters
    ----------
    kind : {"better", "worse", "equivalent", "identical", "undecided"}
        What was found of a.
    margin : float
        The largest difference that does not matter.
    beyond : bool
        Whether a better or worse model is told apart from the margin, and not from 0 alone.

    Examples
    --------
    >>> str(Finding("worse", 0.01, beyond=False))
    'worse, perhaps by less than 0.01'
    """

    kind: Kind = "undecided"
    margin: float = 0.0
    beyond: bool = True

    @property
    def significant(self) -> bool:
        """Whether one of the two is better."""
        return self.kind in _TURNED

    @property
    def reversed(self) -> "Finding":
        """The same said of b."""
        return replace(self, kind=_TURNED.get(self.kind, self.kind))

    def __str__(self) -> str:
        if self.kind == "identical":
            return IDENTICAL
        if self.kind == "equivalent":
            return f"equivalent within {self.margin:g}"
        near = self.significant and not self.beyond
        return f"{self.kind}, perhaps by less than {self.margin:g}" if near else self.kind


def finding(
    value: float,
    low: float,
    high: float,
    low90: float,
    high90: float,
    margin: float,
    better: Better = "high",
    *,
    p: float | None = None,
    level: float = 0.95,
) -> Finding:
    """What may be said of a against b, as a record: see `verdict`, which gives its words.

    Parameters
    ----------
    value : float
        The difference a minus b.
    low, high : float
        Its interval.
    low90, high90 : float
        The interval that an equivalence is judged by.
    margin : float
        The largest difference that does not matter.
    better : {"high", "low"}
        Which values of the measure are better.
    p : float, optional
        The p value (adjusted, if there are several tests): models are told apart only if it is
        below 1 - `level` too.
    level : float
        The level of the interval.

    Returns
    -------
    Finding
        The kind of finding, the margin, and whether it is beyond that.

    Raises
    ------
    InputError
        If a lower limit is above its upper one, or margin or better are none.

    Examples
    --------
    >>> finding(0.03, 0.015, 0.045, 0.018, 0.042, margin=0.01, better="low").kind
    'worse'
    """
    check_better(better)
    check_margin(margin)
    for name, ends in (("low, high", (low, high)), ("low90, high90", (low90, high90))):
        if ends[0] > ends[1]:
            raise InputError(f"{name}={ends}: the lower limit comes first")
    apart = (low > 0 or high < 0) and (p is None or p < 1 - level)
    if apart and not isnan(value):
        first = (low > 0) == (better == "high")
        return Finding("better" if first else "worse", margin, low > margin or high < -margin)
    inside = -margin < low90 and high90 < margin
    return Finding("equivalent" if inside else "undecided", margin)


def verdict(
    value: float,
    low: float,
    high: float,
    low90: float,
    high90: float,
    margin: float,
    better: Better = "high",
    *,
    p: float | None = None,
    level: float = 0.95,
) -> str:
    """What may be said of a against b in words, from the interval of a minus b and a margin d.

    The interval beyond d: "better" (or "worse"); it leaves out 0 only: "better, perhaps by less
    than d"; the 90% interval inside (-d, d): "equivalent within d", which is two one-sided tests
    at 5%; otherwise "undecided", and never "equal".

    Parameters
    ----------
    value : float
        The difference a minus b.
    low, high : float
        Its interval.
    low90, high90 : float
        The interval that an equivalence is judged by.
    margin : float
        The largest difference that does not matter.
    better : {"high", "low"}
        Which values of the measure are better.
    p : float, optional
        The p value (adjusted, if there are several tests): models are told apart only if it is
        below 1 - `level` too.
    level : float
        The level of the interval.

    Returns
    -------
    str
        The verdict on a.

    Raises
    ------
    InputError
        If a lower limit is above its upper one, or margin or better are none.

    Examples
    --------
    >>> verdict(0.03, 0.015, 0.045, 0.018, 0.042, margin=0.01, better="low")
    'worse'
    >>> verdict(0.001, -0.006, 0.008, -0.005, 0.007, margin=0.01)
    'equivalent within 0.01'
    """
    return str(finding(value, low, high, low90, high90, margin, better, p=p, level=level))
