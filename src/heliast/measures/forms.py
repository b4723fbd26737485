"""The forms a measure can take. What an interval method needs to know of a measure is its form.

A measure returns a form: a rate, a function of a rate, a mix of rates, a smooth function of the
contingency table, a mean of per-row losses, an area under the ROC curve, or any other statistic.
Each interval method names the forms it is valid for; which is the default of a form stands in one
table, `estimates/_default.py`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from heliast._core.derivative import CellFunction, CellSlopes, MarginFunction, Slopes, margins
from heliast._core.kinds import Array
from heliast._kernels.ranking import MergeSums, placements
from heliast.measures._rate_forms import (
    BEYOND_PREVALENCES,
    FIXED,
    NO_STRATUM,
    Blend,
    Curved,
    Rate,
    TableFunction,
    Undefined,
)
from heliast.measures.summaries import Contingency, Moments, Places
from heliast.predictions import Rows

__all__ = [
    "BEYOND_PREVALENCES",
    "FIXED",
    "Area",
    "Blend",
    "Curved",
    "CurvedMean",
    "Form",
    "Mean",
    "Rate",
    "Smooth",
    "Statistic",
    "TableForm",
    "TableFunction",
    "Undefined",
]


@dataclass(frozen=True, eq=False)
class Smooth:
    """Any other smooth function of the contingency table (kappa, MCC, weighted F, ...).

    A function of the diagonal and the sums of rows and columns, or of all cells; `agreement` says
    that this is a measure of agreement in [-1, 1]. `of_class` is the same from the hits and margins
    of one class and the sum of the table, where it is about one class.
    """

    rule: MarginFunction | CellFunction
    table: Contingency
    agreement: bool = False
    of_class: Callable[..., Array] | None = None

    def function(self, tables: Array) -> Array:
        if isinstance(self.rule, CellFunction):
            return self.rule(tables)
        return self.rule(*margins(tables))

    def gradient(self, places: Places) -> Array:
        """The derivative by the share of each of some cells."""
        return self.slopes(self.table).at(places.rows, places.columns)

    def slopes(self, table: Contingency) -> Slopes | CellSlopes:
        """The derivatives by the margins, or the cells, of a table."""
        if isinstance(self.rule, CellFunction):
            return self.rule.slopes(table.shares)
        return self.rule.slopes(*table.margins)

    @property
    def value(self) -> float:
        # Counts where they will do: whole numbers leave a perfect 1 exactly 1.
        if self.table.prevalence is None:
            return self.of_table(self.table)
        return self.of_shares(self.table)

    def of_table(self, table: Contingency) -> float:
        """The same of another table."""
        if isinstance(self.rule, CellFunction):
            return float(self.rule(table.counts))
        return float(self.rule(table.hits, table.actual, table.decided))

    def of_shares(self, table: Contingency) -> float:
        """The same of the shares of a table's cells, see `Contingency.share`."""
        if isinstance(self.rule, CellFunction):
            return float(self.rule(table.shares))
        return float(self.rule(*table.margins))


@dataclass(frozen=True, eq=False)
class Mean:
    """The mean of a per-row loss. `losses` recomputes them from rows, for the bootstrap.

    `shares` are those of the classes in the population, when each class was sampled on its own.
    `blend` is the same mean as a mix of rates, for a loss that takes few values. `squared` says
    that losses are squares of errors of numbers, which a few large ones decide. `bounds` are those
    that every loss must lie between, where they are known; such rows are worth no more than `most`
    that are 0 or 1, and `whole` is the share of what they are made of that lies at a bound.
    `attempts` is how many an item has on average, `within` the share of the variance of the mean
    that comes from them and not from items; NaN where that is not known. `ranked` says that the
    value is the share up to a quantile, which was asked for and not seen.
    """

    value: float
    variance: float
    df: float
    n: float
    n_effective: float
    skewness: float
    losses: Callable[[Rows], Array] | None = None
    shares: Array | None = None
    blend: Blend | None = None
    squared: bool = False
    bounds: tuple[float, float] | None = None
    most: float = np.inf
    whole: float = 1.0
    attempts: float = np.nan
    within: float = np.nan
    ranked: bool = False

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
            return Undefined(NO_STRATUM)
        value = sum(share * part.mean for share, part in used)
        variance = sum(share**2 * part.variance for share, part in used)
        n = sum(part.weight for _, part in used)
        skewness = max((abs(part.skewness) for _, part in used), default=0.0)
        df = min((part.df for _, part in used), default=float("nan"))
        return cls(value, variance, df, n, n, skewness, losses, shares)


@dataclass(frozen=True, eq=False)
class CurvedMean:
    """An increasing function of a mean, and where in words the mean's limits come from."""

    mean: Mean
    curve: Callable[[float], float]
    words: str


@dataclass(frozen=True, eq=False)
class Area:
    """The area under the ROC curve of one class against the rest."""

    sums: MergeSums
    code: int
    sampling: bool = False

    @property
    def value(self) -> float:
        return self.sums.wins / (self.sums.positive * self.sums.negative)

    def influence(self, rows: Rows) -> Array:
        """The influence of each row: its placement less AUC, over the share of its class."""
        own = rows.is_class(self.code)
        positive, negative = self.sums.positive, self.sums.negative
        share = np.where(own == 1, positive, negative) / (positive + negative)
        placed: Array = placements(own, rows.score_of(self.code), rows.weight) - self.value
        return placed / share


@dataclass(frozen=True, eq=False)
class Statistic:
    """Anything else: a value, and how to compute it again from other rows.

    `influence` gives the first-order influence of each row (mean zero) when it is known. A
    statistic that is a function of means over rows gives `parts`, the columns (n, m) that are
    averaged, and `of_parts`, the function of their means (..., m): its replicates are fast.
    `precision_of` is the code of the class whose average precision this is, if it is that.
    `mix` holds the weights and forms of the classes that this is the mean of, if it is one;
    `of_mean` the mean that this is an increasing function of, if it is one.
    """

    value: float
    again: Callable[[Rows], float]
    influence: Callable[[Rows], Array] | None = None
    bounds: tuple[float, float] = (-np.inf, np.inf)
    parts: Callable[[Rows], Array] | None = None
    of_parts: Callable[[Array], Array] | None = None
    precision_of: int | None = None
    mix: "tuple[tuple[float, Area | Statistic], ...]" = ()
    of_mean: CurvedMean | None = None


Form = Undefined | Rate | Curved | Blend | Smooth | Mean | Area | Statistic
TableForm = Rate | Curved | Blend | Smooth
