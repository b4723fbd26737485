"""Estimate: one number, how sure we are of it, and how we know."""

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from heliast._core.labels import Label
from heliast._core.records import Shown

if TYPE_CHECKING:
    from heliast.estimates._coverage import Coverage
    from heliast.estimates._needed import Needed

Target = Literal["model", "algorithm"]
Scale = Literal[
    "",
    "plain",
    "logit",
    "log",
    "atanh",
    "student",
    "rate",
    "f",
    "area",
    "exact",
    "bets",
    "bets on a rate",
    "one-sided",
]


@dataclass(frozen=True)
class Estimate(Shown):
    """A value with its interval, the method that made it and the target it speaks of.

    Two estimates are equal if they say the same; what follows `notes` does not count.

    Parameters
    ----------
    value : float
        The value of the measure; NaN where it is undefined.
    low, high : float
        The ends of the interval; NaN where there is none.
    se : float
        The standard error.
    level : float
        The confidence level of the interval.
    method : str
        The method in words.
    target : {'model', 'algorithm'}
        What it speaks of: this fitted model on new rows, or this recipe trained on `n_train` rows.
    n : float
        The rows that count.
    n_train : float, optional
        The rows trained on.
    n_effective : float
        How many independent rows they are worth.
    reason : str
        Why the value or its interval is undefined.
    model, measure : str
        What was measured of whom.
    class_ : object
        The class it speaks of, if it is that of one class.
    notes : tuple of str
        Caveats.
    design : str
        The kind of design in the words of the map of coverage, of estimates that `assess` made.
    rarest : float
        The rows of the rarest class, likewise.
    key : str
        The method's name in the registry, such as `wilson`.
    scale : str
        How the limits come nearer with more rows: as 1/sqrt(n) on the `plain`, `logit`, `log` or
        `atanh` scale, with Student's quantile (`student`), as score limits of a `rate`, of `f` or
        of an `area`, as the `exact` limits that `key` names, as `bets`; a `one-sided` limit is no
        interval. Empty if it is not known.
    attempts : float
        Of graded answers: how many attempts an item has on average.

    Examples
    --------
    >>> from heliast.estimates import wilson
    >>> wilson(8, 30)
    Estimate(0.2667 [0.1418, 0.4445], Wilson)
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    se: float = math.nan
    level: float = 0.95
    method: str = ""
    target: Target = "model"
    n: float = math.nan
    n_train: float | None = None
    n_effective: float = math.nan
    reason: str = ""
    model: str = ""
    measure: str = ""
    class_: Label | None = None
    notes: tuple[str, ...] = ()
    design: str = field(default="", compare=False)
    rarest: float = field(default=math.nan, compare=False)
    key: str = field(default="", compare=False)
    scale: Scale = field(default="", compare=False)
    attempts: float = field(default=math.nan, compare=False)

    @property
    def defined(self) -> bool:
        """Whether there is a value at all."""
        return not math.isnan(self.value)

    @property
    def coverage(self) -> "Coverage | None":
        """How often default intervals like this one covered in the map of coverage.

        The nearest cells of the same measure and design; None where nothing was measured: another
        method by name, another level than 0.95, a design that the map does not have.
        """
        from heliast.estimates._coverage import of_estimate

        return of_estimate(self)

    def cases_for(
        self,
        *,
        width: float | None = None,
        bar: float | None = None,
        value: float | None = None,
        power: float = 0.8,
    ) -> "Needed":
        """How many cases make the interval this narrow, or leave out the bar: `cases_needed`.

        Parameters
        ----------
        width : float, optional
            The largest high - low.
        bar : float, optional
            The value that the interval is to leave out.
        value : float, optional
            The true value to plan for; the value seen if not given.
        power : float
            With `value`, the probability that the interval leaves out the bar.

        Returns
        -------
        Needed
            The number of cases.

        Raises
        ------
        InputError
            If neither or both of `width` and `bar` are given, or one is no usable number.

        Examples
        --------
        >>> from heliast.estimates import wilson
        >>> wilson(15, 100).cases_for(width=0.05).cases
        784
        """
        from heliast.estimates._needed import cases_needed

        return cases_needed(self, width=width, bar=bar, value=value, power=power)

    def __repr__(self) -> str:
        name = " ".join(str(part) for part in (self.model, self.measure, self.class_) if part)
        head = f"{name}: " if name else ""
        if not self.defined:
            return f"Estimate({head}undefined, {self.reason})"
        if math.isnan(self.low) and math.isnan(self.high):
            return f"Estimate({head}{self.value:.4g}, no interval: {self.reason})"
        return f"Estimate({head}{self.value:.4g} [{self.low:.4g}, {self.high:.4g}], {self.method})"
