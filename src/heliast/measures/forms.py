"""The forms a measure can take. What an interval method needs to know of a measure is its form.

A measure returns a form: a rate, a function of a rate, a mix of rates, a smooth function of the
contingency table, a mean of per-row losses, an area under the ROC curve, or any other statistic.
Each form names its default interval method (`auto`); each method names the forms it is valid for.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from heliast.predictions import Rows
from heliast.summaries import Contingency, Moments, Ranking

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
_NO_STRATUM = "a class of the given prevalences has no rows"


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

    @property
    def value(self) -> float:
        return self.successes / self.trials

    @classmethod
    def of(cls, table: Contingency, hits: Array, base: Array, reason: str) -> "Rate | Undefined":
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
        return cls(successes, trials, effective, table.df, function, table, within_class)


def _rate_by_class(
    cls: type[Rate], table: Contingency, hits: Array, base: Array, function: TableFunction
) -> Rate | Undefined:
    """A rate over several classes whose sizes were fixed: needs their shares in the population."""
    if table.prevalence is None:
        return Undefined(FIXED)
    if not np.isfinite(table.shares).all():
        return Undefined(_NO_STRATUM)
    value = min(float(function(table.shares)), 1.0)
    weight = float(table.shares[base].sum())
    if weight == 0:
        return Undefined("no row counts towards it")
    variance = table.variance((hits - value * base) / weight)
    most = float(table.counts[base].sum())
    effective = value * (1 - value) / variance if variance > 0 else _smallest(table, base)
    effective = min(effective, most)
    return cls(value * most, most, effective, None, function, table)


def _smallest(table: Contingency, base: Array) -> float:
    """With no spread seen, the rows of the smallest class that counts: the careful choice."""
    return float(table.actual[base.any(axis=1)].min())


def _effective(table: Contingency, hits: Array, base: Array, value: float, trials: float) -> float:
    if table.clusters is not None:
        variance = table.variance((hits - value * base) * (table.n / trials))
        if variance > 0:
            return min(trials, value * (1 - value) / variance)
        present = np.unique(table.clusters.group[base.ravel()[table.clusters.cell]])
        return float(present.size)  # no spread seen: count groups, as if each were one row
    if table.squares is not None:
        return trials**2 / float(table.squares[base].sum())
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


@dataclass(frozen=True, eq=False)
class Blend:
    """constant + sum of weights x independent rates, such as the mean recall over classes."""

    auto: ClassVar[str] = "mover"
    weights: tuple[float, ...]
    rates: tuple[Rate, ...]
    constant: float = 0.0

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


@dataclass(frozen=True, eq=False)
class Smooth:
    """Any other smooth function of the contingency table (kappa, MCC, macro F, ...).

    `auto` is `delta_atanh` for a measure of agreement in [-1, 1], else the bootstrap.
    """

    function: TableFunction
    table: Contingency
    auto: str = "bootstrap"

    @property
    def value(self) -> float:
        # Counts where they will do: whole numbers leave a perfect 1 exactly 1.
        table = self.table
        cells = table.counts if table.prevalence is None else table.shares
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(self.function(cells))


@dataclass(frozen=True, eq=False)
class Mean:
    """The mean of a per-row loss. `losses` recomputes them from rows, for the bootstrap.

    `shares` are those of the classes in the population, when each class was sampled on its own.
    """

    auto: ClassVar[str] = "mean"
    value: float
    variance: float
    df: float
    n: float
    n_effective: float
    skewness: float
    losses: Callable[[Rows], Array] | None = None
    shares: Array | None = None

    @classmethod
    def of(cls, moments: Moments, losses: Callable[[Rows], Array] | None = None) -> "Mean":
        return cls(
            moments.mean,
            moments.variance,
            moments.df,
            moments.weight,
            moments.n_effective,
            moments.skewness,
            losses,
        )

    @classmethod
    def of_strata(
        cls,
        shares: Array,
        strata: list[Moments],
        losses: Callable[[Rows], Array] | None = None,
    ) -> "Mean | Undefined":
        """The mean over classes with given shares, each class sampled on its own."""
        used = [(share, part) for share, part in zip(shares, strata, strict=True) if share > 0]
        if any(not part.weight for _, part in used):
            return Undefined(_NO_STRATUM)
        value = sum(share * part.mean for share, part in used)
        variance = sum(share**2 * part.variance for share, part in used)
        n = sum(part.weight for _, part in used)
        skewness = max((abs(part.skewness) for _, part in used), default=0.0)
        df = min((part.df for _, part in used), default=float("nan"))
        return cls(value, variance, df, n, n, skewness, losses, shares)


@dataclass(frozen=True, eq=False)
class Area:
    """The area under the ROC curve of one class against the rest."""

    auto: ClassVar[str] = "auc"
    ranking: Ranking
    code: int

    @property
    def value(self) -> float:
        return self.ranking.auc


@dataclass(frozen=True, eq=False)
class Statistic:
    """Anything else: a value, and how to compute it again from other rows.

    `influence` gives the first-order influence of each row (mean zero) when it is known. A
    statistic that is a function of means over rows gives `parts`, the columns (n, m) that are
    averaged, and `of_parts`, the function of their means (..., m): its replicates are fast.
    `precision_of` is the code of the class whose average precision this is, if it is that.
    """

    auto: ClassVar[str] = "statistic"
    value: float
    again: Callable[[Rows], float]
    influence: Callable[[Rows], Array] | None = None
    bounds: tuple[float, float] = (-np.inf, np.inf)
    parts: Callable[[Rows], Array] | None = None
    of_parts: Callable[[Array], Array] | None = None
    precision_of: int | None = None


Form = Undefined | Rate | Curved | Blend | Smooth | Mean | Area | Statistic
TableForm = Rate | Curved | Blend | Smooth
