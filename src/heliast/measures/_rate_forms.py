"""Forms made of rates: successes out of trials, curves of them, and mixes of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast._core.kinds import Array
from heliast.measures.summaries import Cells, Contingency, Influence, Places, tiny, together

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

    reason: str
    value: float = float("nan")


@dataclass(frozen=True, eq=False)
class Rate:
    """Successes out of trials: binomial given the trials.

    `effective` is the number of independent rows the trials are worth (trials themselves, fewer
    with groups or sampling weights), `df` the degrees of freedom when groups estimate it.
    """

    successes: float
    trials: float
    effective: float
    df: float | None
    table: Contingency
    hits: Cells
    base: Cells
    within_class: bool = False

    @property
    def value(self) -> float:
        return self.successes / self.trials

    def influence(self, places: Places) -> Influence:
        """The first-order influence of a row in each of some cells."""
        return _influence(self.table, self.hits, self.base, self.value, places)

    def gradient(self, places: Places) -> Array:
        """The derivative by the share of each of some cells."""
        return self.influence(places).table(places.size)

    def of_table(self, table: Contingency) -> float:
        """The same of another table."""
        base = table.total(self.base)
        return table.total(self.hits) / base if base else float("nan")

    def of_class(self, *margins: Array) -> Array:
        """From the hits and margins of the class it is about, and the sum of the table."""
        return _share_of(self.hits, self.base)(*margins)

    def function(self, tables: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            share: Array = self.hits.total(tables) / self.base.total(tables)
        return share

    @classmethod
    def of(
        cls, table: Contingency, hits: Cells, base: Cells, reason: str
    ) -> "Rate | Blend | Undefined":
        """The share of the cells `hits` among the cells `base`; `reason` if these are empty.

        >>> table = Contingency.of_counts([[7, 3], [7, 13]], ("c1", "c2"))
        >>> Rate.of(table, Cells.diagonal(2).others, Cells.every(2), "no rows").value
        0.3333333333333333
        """
        trials = table.total(base)
        if trials == 0:
            return Undefined(reason)
        within_class = base.in_one_row
        if table.by_class and not within_class:
            return _rate_by_class(cls, table, hits, base)
        # Weights may sum to a little more over the hits than over all, by rounding.
        successes = min(table.total(hits), trials)
        effective = _effective(table, hits, base, successes / trials, trials)
        return cls(successes, trials, effective, table.df, table, hits, base, within_class)


def _influence(
    table: Contingency, hits: Cells, base: Cells, value: float, places: Places
) -> Influence:
    size = table.share(base)
    if table.prevalence is not None:
        size = float(tiny(np.asarray(size)))
    return Influence.of_share(places, hits, base, value, size)


def _variance(table: Contingency, hits: Cells, base: Cells, value: float) -> float:
    influence = _influence(table, hits, base, value, table.places)
    return float(table.covariance([influence]).variances[0])


def _rate_by_class(
    cls: type[Rate], table: Contingency, hits: Cells, base: Cells
) -> "Rate | Blend | Undefined":
    """A rate over several classes whose sizes were fixed: needs their shares in the population.

    Over whole classes it is the blend of the classes' own rates.
    """
    if table.prevalence is None:
        return Undefined(FIXED)
    if table.lacking:
        return Undefined(NO_STRATUM)
    weight = table.share(base)
    if weight == 0:
        return Undefined("no row counts towards it")
    value = min(table.share(hits) / weight, 1.0)
    if np.isin(base.by_row, (0, base.k)).all():
        return _blend_of_classes(table, hits, base)
    variance = _variance(table, hits, base, value)
    most = table.total(base)
    effective = value * (1 - value) / variance if variance > 0 else _smallest(table, base)
    return cls(value * most, most, min(effective, most), table.df, table, hits, base)


def _blend_of_classes(table: Contingency, hits: Cells, base: Cells) -> "Blend | Undefined":
    assert table.prevalence is not None
    there = (base.by_row > 0) & (table.prevalence > 0)
    shares = table.prevalence[there] / table.prevalence[there].sum()
    rates = [
        Rate.of(table, hits.within(code), Cells.row(base.k, code), NO_STRATUM)
        for code in np.flatnonzero(there).tolist()
    ]
    known = tuple(rate for rate in rates if isinstance(rate, Rate))
    if len(known) < len(rates):
        return Undefined(NO_STRATUM)
    return Blend(tuple(float(share) for share in shares), known, of_class=_share_of(hits, base))


def _share_of(hits: Cells, base: Cells) -> Callable[..., Array]:
    def share(*margins: Array) -> Array:
        found: Array = hits.of_class(*margins) / base.of_class(*margins)
        return found

    return share


def _smallest(table: Contingency, base: Cells) -> float:
    """With no spread seen, the rows of the smallest class that counts: the careful choice."""
    return float(table.actual[base.by_row > 0].min())


def _effective(table: Contingency, hits: Cells, base: Cells, value: float, trials: float) -> float:
    if table.clusters is not None:
        variance = _variance(table, hits, base, value)
        if variance > 0:
            return min(trials, value * (1 - value) / variance)
        here = base.holds(table.clusters.cell // table.k, table.clusters.cell % table.k)
        present = np.unique(table.clusters.group[here])
        return float(present.size)  # no spread seen: count groups, as if each were one row
    if table.heavy is not None:
        inside = base.holds(table.places.rows, table.places.columns)
        most = trials**2 / float(table.heavy[inside].sum())
        variance = _variance(table, hits, base, value)
        # Weights that go with the hits make the rate vary more than their own spread tells.
        return min(most, value * (1 - value) / variance) if variance > 0 else most
    return trials


@dataclass(frozen=True, eq=False)
class Curved:
    """An increasing function of a rate; its limits are the function of the rate's limits."""

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

    def of_table(self, table: Contingency) -> float:
        """The same of another table."""
        return float(self.curve(self.rate.of_table(table)))

    def of_class(self, *margins: Array) -> Array:
        """From the hits and margins of the class it is about, and the sum of the table."""
        curved: Array = self.curve(self.rate.of_class(*margins))
        return curved

    def influence(self, places: Places) -> Influence:
        """The first-order influence of a row in each of some cells."""
        slope = float(np.imag(self.curve(self.rate.value + 1e-30j))) / 1e-30
        return self.rate.influence(places).times(slope)

    def gradient(self, places: Places) -> Array:
        """The derivative by the share of each of some cells."""
        return self.influence(places).table(places.size)


@dataclass(frozen=True, eq=False)
class Blend:
    """constant + sum of weights x rates (or curved rates), such as the mean recall over classes."""

    weights: tuple[float, ...]
    rates: tuple[Rate | Curved, ...]
    constant: float = 0.0
    of_class: Callable[..., Array] | None = None
    """The same from the hits and margins of a class, and the sum of the table, if it is of one."""

    @classmethod
    def of(
        cls, weights: Sequence[float], forms: Sequence["Rate | Curved | Blend"], constant: float = 0
    ) -> "Blend":
        """The weighted sum of rates and of blends of rates."""
        pairs: list[tuple[float, Rate | Curved]] = []
        first = constant
        for weight, form in zip(weights, forms, strict=True):
            if isinstance(form, Blend):
                inner = zip(form.weights, form.rates, strict=True)
                pairs += [(float(weight) * part, rate) for part, rate in inner]
                constant += float(weight) * form.constant
            else:
                pairs.append((float(weight), form))

        def of_class(*margins: Array) -> Array:
            pairs = zip(weights, forms, strict=True)
            parts = [w * form.of_class(*margins) for w, form in pairs if form.of_class is not None]
            return np.asarray(sum(parts)) + first

        return cls(tuple(w for w, _ in pairs), tuple(rate for _, rate in pairs), constant, of_class)

    @property
    def value(self) -> float:
        pairs = zip(self.weights, self.rates, strict=True)
        return self.constant + sum(weight * rate.value for weight, rate in pairs)

    @property
    def table(self) -> Contingency:
        return self.rates[0].table

    def of_table(self, table: Contingency) -> float:
        """The same of another table."""
        pairs = zip(self.weights, self.rates, strict=True)
        return self.constant + sum(weight * rate.of_table(table) for weight, rate in pairs)

    def function(self, tables: Array) -> Array:
        pairs = zip(self.weights, self.rates, strict=True)
        total = np.asarray(sum(weight * rate.function(tables) for weight, rate in pairs))
        return total + self.constant

    def gradient(self, places: Places) -> Array:
        """The derivative by the share of each of some cells."""
        pairs = zip(self.weights, self.rates, strict=True)
        parts = [rate.influence(places).times(weight) for weight, rate in pairs]
        return together(parts, places.size)
