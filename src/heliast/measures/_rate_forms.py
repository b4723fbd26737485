"""Forms made of rates: successes out of trials, curves of them, and mixes of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from heliast.summaries import Contingency

Array = npt.NDArray[Any]
TableFunction = Callable[[Array], Array]
"""A function of contingency tables: an array (..., k, k) of counts or shares to values (...)."""

FIXED = (
    "the number of rows per class was fixed by design, so this needs the class shares of the "
    "population: give prevalences="
)
BEYOND_PREVALENCES = (
    "the number of rows per class was fixed by design, and given class shares cannot correct "
    "this measure for it"
)
NO_STRATUM = "a class of the given prevalences has no rows"


@dataclass(frozen=True, eq=False)
class Undefined:
    """No value, and why."""

    auto: ClassVar[str] = "none"
    reason: str
    value: float = float("nan")


@dataclass(frozen=True, eq=False)
class Rate:
    """Successes out of trials: binomial given the trials.

    `effective` is the number of independent rows the trials are worth (trials themselves, fewer
    with groups or sampling weights), `df` the degrees of freedom when groups estimate it.
    """

    auto: ClassVar[str] = "wilson"
    successes: float
    trials: float
    effective: float
    df: float | None
    function: TableFunction
    table: Contingency
    within_class: bool = False
    hits: Array | None = None
    base: Array | None = None

    @property
    def value(self) -> float:
        return self.successes / self.trials

    @property
    def influence(self) -> Array:
        """The first-order influence of a row in each cell."""
        assert self.hits is not None
        assert self.base is not None
        share: Array = (self.hits - self.value * self.base) / self.table.shares[self.base].sum()
        return share

    @classmethod
    def of(
        cls, table: Contingency, hits: Array, base: Array, reason: str
    ) -> "Rate | Blend | Undefined":
        """The share of the cells `hits` among the cells `base` (masks); `reason` if base is empty.

        >>> import numpy as np
        >>> table = Contingency.of_counts([[7, 3], [7, 13]], ("c1", "c2"))
        >>> every = np.ones((2, 2), bool)
        >>> Rate.of(table, ~np.eye(2, dtype=bool), every, "no rows").value
        0.3333333333333333
        """
        trials = float(table.counts[base].sum())
        if trials == 0:
            return Undefined(reason)

        def function(tables: Array) -> Array:
            with np.errstate(divide="ignore", invalid="ignore"):
                share: Array = tables[..., hits].sum(axis=-1) / tables[..., base].sum(axis=-1)
            return share

        within_class = bool(base.any(axis=1).sum() == 1)
        if table.by_class and not within_class:
            return _rate_by_class(cls, table, hits, base, function)
        # Weights may sum to a little more over the hits than over all, by rounding.
        successes = min(float(table.counts[hits].sum()), trials)
        effective = _effective(table, hits, base, successes / trials, trials)
        return cls(
            successes, trials, effective, table.df, function, table, within_class, hits, base
        )


def _rate_by_class(
    cls: type[Rate], table: Contingency, hits: Array, base: Array, function: TableFunction
) -> "Rate | Blend | Undefined":
    """A rate over several classes whose sizes were fixed: needs their shares in the population.

    Over whole classes it is the blend of the classes' own rates.
    """
    if table.prevalence is None:
        return Undefined(FIXED)
    if not np.isfinite(table.shares).all():
        return Undefined(NO_STRATUM)
    value = min(float(function(table.shares)), 1.0)
    weight = float(table.shares[base].sum())
    if weight == 0:
        return Undefined("no row counts towards it")
    if (base.any(axis=1) == base.all(axis=1)).all():
        return _blend_of_classes(table, hits, base)
    variance = table.variance((hits - value * base) / weight)
    most = float(table.counts[base].sum())
    effective = value * (1 - value) / variance if variance > 0 else _smallest(table, base)
    effective = min(effective, most)
    return cls(value * most, most, effective, table.df, function, table, hits=hits, base=base)


def _blend_of_classes(table: Contingency, hits: Array, base: Array) -> "Blend | Undefined":
    assert table.prevalence is not None
    there = base.any(axis=1) & (table.prevalence > 0)
    shares = table.prevalence[there] / table.prevalence[there].sum()
    rates = []
    for code in np.flatnonzero(there):
        own = np.zeros_like(base)
        own[code] = True
        rates.append(Rate.of(table, hits & own, own, NO_STRATUM))
    known = tuple(rate for rate in rates if isinstance(rate, Rate))
    if len(known) < len(rates):
        return Undefined(NO_STRATUM)
    return Blend(tuple(float(share) for share in shares), known)


def _smallest(table: Contingency, base: Array) -> float:
    """With no spread seen, the rows of the smallest class that counts: the careful choice."""
    return float(table.actual[base.any(axis=1)].min())


def _effective(table: Contingency, hits: Array, base: Array, value: float, trials: float) -> float:
    if table.clusters is not None:
        variance = table.variance((hits - value * base) / table.shares[base].sum())
        if variance > 0:
            return min(trials, value * (1 - value) / variance)
        present = np.unique(table.clusters.group[base.ravel()[table.clusters.cell]])
        return float(present.size)  # no spread seen: count groups, as if each were one row
    if table.squares is not None:
        most = trials**2 / float(table.squares[base].sum())
        variance = table.variance((hits - value * base) / table.shares[base].sum())
        # Weights that go with the hits make the rate vary more than their own spread tells.
        return min(most, value * (1 - value) / variance) if variance > 0 else most
    return trials


@dataclass(frozen=True, eq=False)
class Curved:
    """An increasing function of a rate; its limits are the function of the rate's limits."""

    auto: ClassVar[str] = "wilson"
    rate: Rate
    curve: Callable[[Any], Any]

    @property
    def value(self) -> float:
        return float(self.curve(self.rate.value))

    @property
    def table(self) -> Contingency:
        return self.rate.table

    def function(self, tables: Array) -> Array:
        curved: Array = self.curve(self.rate.function(tables))
        return curved

    @property
    def influence(self) -> Array:
        """The first-order influence of a row in each cell."""
        slope = float(np.imag(self.curve(self.rate.value + 1e-30j))) / 1e-30
        return slope * self.rate.influence


@dataclass(frozen=True, eq=False)
class Blend:
    """constant + sum of weights x rates (or curved rates), such as the mean recall over classes."""

    auto: ClassVar[str] = "mover"
    weights: tuple[float, ...]
    rates: tuple[Rate | Curved, ...]
    constant: float = 0.0

    @classmethod
    def of(
        cls, weights: Sequence[float], forms: Sequence["Rate | Curved | Blend"], constant: float = 0
    ) -> "Blend":
        """The weighted sum of rates and of blends of rates."""
        pairs: list[tuple[float, Rate | Curved]] = []
        for weight, form in zip(weights, forms, strict=True):
            if isinstance(form, Blend):
                inner = zip(form.weights, form.rates, strict=True)
                pairs += [(float(weight) * part, rate) for part, rate in inner]
                constant += float(weight) * form.constant
            else:
                pairs.append((float(weight), form))
        return cls(tuple(w for w, _ in pairs), tuple(rate for _, rate in pairs), constant)

    @property
    def value(self) -> float:
        pairs = zip(self.weights, self.rates, strict=True)
        return self.constant + sum(weight * rate.value for weight, rate in pairs)

    @property
    def table(self) -> Contingency:
        return self.rates[0].table

    def function(self, tables: Array) -> Array:
        pairs = zip(self.weights, self.rates, strict=True)
        total = np.asarray(sum(weight * rate.function(tables) for weight, rate in pairs))
        return total + self.constant
