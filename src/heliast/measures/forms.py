"""The forms a measure can take. What an interval method needs to know of a measure is its form.

A measure returns a form: a rate, a function of a rate, a weighted sum of rates, another smooth
function of the contingency table, a mean of row losses, an area under the ROC curve, or any other
statistic. Which interval is the default of a form stands in `estimates`.

Every smooth form gives `influence(rows)`, a number psi_i for each row with its weight inside:
psi_i = n d value / d log w_i, n the sum of the weights. So psi sums to zero over the rows that the
form was computed from (within each class, if class counts were fixed by design; given prevalences
are inside, too), and to first order

    Var(value) = sum of psi_i^2 / n^2          independent rows, sampling weights
                 sum of psi_i^2 / w_i / n^2       weights that count rows
                 sum over groups of (sum of psi_i in the group)^2 / n^2.

For a form of the contingency table `table.variance(form.by_cell)` is all of this from its cells, so
that scanned tables have it, too. A `Statistic` whose influence is not known has `psi` None.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from heliast._core.clusters import adjusted, equal_groups
from heliast._core.kinds import Array
from heliast._kernels.ranking import MergeSums, placements
from heliast.measures.summaries import Contingency, Counted, Moments
from heliast.measures.summaries.contingency import Covariance, Margins
from heliast.predictions import Rows

TableFunction = Callable[[Array], Array]
Derivative = Callable[[Array, Array], Array]
Losses = Callable[[Rows], Array]

SMALL = 1 << 16  # numbers up to which influences are kept as a plain matrix
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


# --- functions of the contingency table ----------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Cells:
    """Some cells of a table: so many times the hits, row sum and column sum of a class, and all.

    Without a class (`code`) the hits are those of all classes. `flags` (k, k) name any cells.

    >>> Cells(code=1, hit=-1, row=1).total(Margins.of(np.array([[7.0, 3.0], [5.0, 15.0]]))).item()
    5.0
    """

    code: int | None = None
    hit: float = 0.0
    row: float = 0.0
    column: float = 0.0
    all: float = 0.0
    flags: Array | None = None

    def total(self, margins: Margins) -> Array:
        """The rows in these cells."""
        if self.flags is not None:
            return np.asarray(margins.cells()[..., self.flags].sum(axis=-1))
        total = self.all * margins.total if self.all else 0.0
        if self.code is None:
            return np.asarray(total + self.hit * margins.hits.sum(axis=-1))
        for times, part in zip((self.hit, self.row, self.column), margins, strict=False):
            if times:
                total = total + times * part[..., self.code]
        return np.asarray(total)

    def at(self, rows: Array, columns: Array) -> Array:
        """How often each of some cells is among these, less `all`."""
        if self.flags is not None:
            return self.flags[rows, columns].astype(float)
        in_row = rows == self.code if self.code is not None else np.ones(rows.shape, bool)
        total: Array = self.hit * (in_row & (rows == columns)) + self.row * in_row
        return total + self.column * (columns == self.code) if self.column else total


ALL = Cells(all=1.0)


def cells_of_class(code: int) -> dict[str, Cells]:
    """The cells and margins of the two by two table of a class against the rest."""
    return {
        "TP": Cells(code, hit=1.0),
        "FN": Cells(code, hit=-1.0, row=1.0),
        "FP": Cells(code, hit=-1.0, column=1.0),
        "TN": Cells(code, hit=1.0, row=-1.0, column=-1.0, all=1.0),
        "actual": Cells(code, row=1.0),
        "other": Cells(code, row=-1.0, all=1.0),
        "decided": Cells(code, column=1.0),
        "undecided": Cells(code, column=-1.0, all=1.0),
        "either": Cells(code, hit=-1.0, row=1.0, column=1.0),
    }


class TableForm:
    """A smooth function of the contingency table: its `rule` of margins, and its derivative.

    `at(rows, columns)` is n times the derivative by the weight of a row in some cells, up to a
    constant.
    """

    table: Contingency

    def rule(self, margins: Margins) -> Array:
        """The value from the margins of one table, or of many."""
        raise NotImplementedError

    def at(self, rows: Array, columns: Array) -> Array:
        raise NotImplementedError

    @cached_property
    def value(self) -> float:
        return self.of_table(self.table)

    def of_table(self, table: Contingency) -> float:
        """The value of another table."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(self.rule(table.margins))

    def function(self, tables: Array) -> Array:
        """The values of whole tables (..., k, k)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.rule(Margins.of(tables)))

    @property
    def by_cell(self) -> Array:
        """The influence of a row in each cell of the table that occurs, up to a constant."""
        return self.at(self.table.rows, self.table.columns)

    def influence(self, rows: Rows) -> Array:
        """What each row adds to the value, see the head of this file."""
        table, centre = self.table, self.table.centre(self.by_cell)
        psi = self.at(rows.y_true, rows.y_pred)
        psi = psi - (centre[rows.y_true] if table.by_class else centre[0])
        return _weighted(psi * table.factor[rows.y_true], rows)


@dataclass(frozen=True, eq=False)
class Rate(TableForm):
    """Successes out of trials, the rows in some `hits` among those in `base`: binomial given these.

    `effective` is the number of independent rows the trials are worth (trials themselves, fewer
    with groups, sampling weights or prevalences), `df` the degrees of freedom when groups estimate
    it. `within_class` says that all trials are rows of one class.
    """

    table: Contingency
    hits: Cells
    base: Cells
    within_class: bool = False

    @classmethod
    def of(
        cls, table: Contingency, hits: Cells, base: Cells, reason: str, within_class: bool = False
    ) -> "Rate | Blend | Undefined":
        """The share of the cells `hits` among the cells `base`; `reason` if these are empty.

        >>> table = Contingency.of_counts([[7, 3], [7, 13]], ("c1", "c2"))
        >>> Rate.of(table, Cells(hit=-1.0, all=1.0), ALL, "no rows").value
        0.3333333333333333
        """
        if not base.total(table.plain) > 1e-12 * table.n:
            return Undefined(reason)
        if table.by_class and not within_class:
            if table.prevalence is None or table.lacking:
                return Undefined(FIXED if table.prevalence is None else NO_STRATUM)
            if base is ALL and hits.flags is None:  # the mean of the rates of each class
                codes = np.flatnonzero(table.prevalence > 0).tolist()
                name = "TP" if hits.hit > 0 else "FN"
                parts = [cells_of_class(code) for code in codes]
                rates = tuple(cls(table, part[name], part["actual"], True) for part in parts)
                return Blend(table, tuple(table.prevalence[codes].tolist()), rates)
        return cls(table, hits, base, within_class)

    def rule(self, margins: Margins) -> Array:
        return np.asarray(self.hits.total(margins) / self.base.total(margins))

    def of_table(self, table: Contingency) -> float:
        value = super().of_table(table)
        # Sums and differences of weights may leave a little more, or less, than all or nothing.
        return float(round(value)) if min(abs(value), abs(1 - value)) < 1e-12 else value

    def at(self, rows: Array, columns: Array) -> Array:
        size = float(self.base.total(self.table.margins)) / self.table.n
        away: Array = self.hits.at(rows, columns) - self.value * self.base.at(rows, columns)
        return away / size

    @cached_property
    def trials(self) -> float:
        return float(self.base.total(self.table.plain))

    @property
    def successes(self) -> float:
        return self.value * self.trials

    @cached_property
    def effective(self) -> float:
        table, value, most = self.table, self.value, self.trials
        reweighted = table.prevalence is not None and not self.within_class
        if table.groups is None and table.squares is None and not reweighted:
            return most
        inside = self.base.at(table.rows, table.columns) + self.base.all
        if table.groups is None and table.squares is not None:
            heavy = table.squares * table.factor[table.rows] ** 2
            most = float(inside @ table.weight) ** 2 / float(inside @ heavy)
        # Weights that go with the hits make the rate vary more than their own spread tells.
        variance = table.variance(self.by_cell) if 0 < value < 1 else 0.0
        if variance > 0:
            return min(most, value * (1 - value) / variance)
        # No spread seen: count groups, or rows of the smallest class that counts, as one row each.
        if table.groups is not None:
            return float(np.count_nonzero(table.groups @ inside))
        if reweighted:
            sizes = np.bincount(table.rows, table.count * inside, table.k)
            return float(sizes[sizes > 0].min())
        return most

    @property
    def df(self) -> float | None:
        return self.table.df


@dataclass(frozen=True, eq=False)
class Curved(TableForm):
    """An increasing function of a rate; its limits are the function of the rate's limits."""

    rate: Rate
    curve: Callable[[Any], Any]

    @property
    def table(self) -> Contingency:  # type: ignore[override]
        return self.rate.table

    def rule(self, margins: Margins) -> Array:
        curved: Array = self.curve(self.rate.rule(margins))
        return curved

    @property
    def slope(self) -> float:
        """The derivative of the curve at the rate."""
        return float(np.imag(self.curve(self.rate.value + 1e-30j))) / 1e-30

    def at(self, rows: Array, columns: Array) -> Array:
        return self.slope * self.rate.at(rows, columns)


@dataclass(frozen=True, eq=False)
class Blend(TableForm):
    """constant + sum of weights x rates (or curved rates), such as the mean recall over classes."""

    table: Contingency
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
                pairs += [
                    (weight * part, rate)
                    for part, rate in zip(form.weights, form.rates, strict=True)
                ]
                constant += weight * form.constant
            else:
                pairs.append((weight, form))
        weights, rates = zip(*pairs, strict=True)
        return cls(forms[0].table, weights, rates, constant)

    def rule(self, margins: Margins) -> Array:
        pairs = zip(self.weights, self.rates, strict=True)
        total = sum(weight * rate.rule(margins) for weight, rate in pairs)
        return np.asarray(total) + self.constant

    def at(self, rows: Array, columns: Array) -> Array:
        pairs = zip(self.weights, self.rates, strict=True)
        return np.asarray(sum(weight * rate.at(rows, columns) for weight, rate in pairs))

    @property
    def covariance(self) -> Covariance:
        """How the rates vary together."""
        return covariance(self.rates)


@dataclass(frozen=True, eq=False)
class Smooth(TableForm):
    """Any other smooth function of the contingency table (kappa, MCC, weighted F, ...).

    `derive(table, value)` gives the derivative, a function of cells; `agreement` says that this is
    a measure of agreement in [-1, 1].
    """

    table: Contingency
    of_margins: Callable[[Margins], Array]
    derive: Callable[[Contingency, float], Derivative]
    agreement: bool = False

    def rule(self, margins: Margins) -> Array:
        return self.of_margins(margins)

    def at(self, rows: Array, columns: Array) -> Array:
        return self.derive(self.table, self.value)(rows, columns)


def covariance(forms: Sequence[TableForm]) -> Covariance:
    """How functions of one table vary together, such as the recalls of all classes."""
    table = forms[0].table
    if len(forms) * table.rows.size <= SMALL:
        return Covariance(table, np.column_stack([form.by_cell for form in forms]))
    from scipy.sparse import csc_array

    # Of many classes most derivatives are 0: each class has those by its own cells.
    places, values = [], []
    for form in forms:
        part = form.by_cell
        places.append(np.flatnonzero(part))
        values.append(part[places[-1]])
    starts = np.cumsum([0, *map(len, places)])
    sparse = np.concatenate(values), np.concatenate(places), starts
    return Covariance(table, csc_array(sparse, shape=(table.rows.size, len(forms))))


# --- means of row losses, areas, anything else ----------------------------------------------------


@dataclass(frozen=True, eq=False)
class Mean:
    """The mean of a loss of each row, which `losses` computes.

    `shares` and `means` are those of the classes, when each class was sampled on its own and the
    shares in the population are given. `blend` is the same mean as a mix of rates, for a loss that
    takes few values. `squared` says that losses are squares of errors, which a few large ones
    decide. `bounds` are those that every loss must lie between, where they are known; such rows are
    worth no more than `most` that are 0 or 1, and `at_bounds` is the share of what they are made of
    that lies at a bound. `attempts` is how many an item has on average, `within` the share of the
    variance of the mean that comes from them and not from items; NaN where that is not known.
    `ranked` says that the value is the share up to a quantile, which was asked for and not seen.
    """

    value: float
    variance: float
    df: float
    n: float
    n_effective: float
    skewness: float
    losses: Losses | None = None
    shares: Array | None = None
    means: Array | None = None
    blend: Blend | None = None
    squared: bool = False
    bounds: tuple[float, float] | None = None
    most: float = np.inf
    at_bounds: float = 1.0
    attempts: float = np.nan
    within: float = np.nan
    ranked: bool = False

    @classmethod
    def of(
        cls, counted: Counted, losses: Losses, moments: Moments | None = None
    ) -> "Mean | Undefined":
        """The mean over the rows, or over classes with given shares; `moments` if known."""
        rows = counted.rows
        if rows.design == "classes":
            return cls._of_strata(counted, losses)
        if moments is None:
            moments = Moments.over(rows, losses)
        variance, df = moments.variance, moments.df
        if rows.group is not None:
            sums = _weighted(losses(rows) - moments.mean, rows)
            place = np.unique(rows.group, return_inverse=True)[1]
            size = np.bincount(place, rows.weight)
            units = adjusted(np.bincount(place, sums), size)
            variance = float((units**2).sum()) / moments.weight**2
            df = equal_groups(size) - 1.0
        return cls(
            moments.mean, variance, df, moments.weight, moments.n_effective, moments.skewness,
            losses,
        )  # fmt: skip

    @classmethod
    def _of_strata(cls, counted: Counted, losses: Losses) -> "Mean | Undefined":
        shares = counted.contingency.prevalence
        if shares is None:
            return Undefined(FIXED)
        held, means = np.flatnonzero(shares), np.zeros(shares.size)
        parts = [Moments.over(counted.rows, losses, int(code)) for code in held]
        if any(not part.weight for part in parts):
            return Undefined(NO_STRATUM)
        means[held] = [part.mean for part in parts]
        variance = float(shares[held] ** 2 @ [part.variance for part in parts])
        n, df = sum(part.weight for part in parts), min(part.df for part in parts)
        skewness = max(abs(part.skewness) for part in parts)
        return cls(float(shares @ means), variance, df, n, n, skewness, losses, shares, means)

    def psi(self, rows: Rows) -> Array:
        """The influence of each row, without its weight."""
        assert self.losses is not None
        losses = self.losses(rows)
        if self.shares is None or self.means is None:
            return np.asarray(losses - self.value)
        sizes = rows.class_sizes(weighted=True)
        scale = self.shares * sizes.sum() / np.where(sizes > 0, sizes, 1.0)
        return np.asarray(scale[rows.y_true] * (losses - self.means[rows.y_true]))

    def influence(self, rows: Rows) -> Array:
        """What each row adds to the value, see the head of this file."""
        return _weighted(self.psi(rows), rows)


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

    def psi(self, rows: Rows) -> Array:
        """The placement of each row less AUC, over the share of its class."""
        own = rows.is_class(self.code)
        positive, negative = self.sums.positive, self.sums.negative
        share = np.where(own == 1, positive, negative) / (positive + negative)
        placed: Array = placements(own, rows.score_of(self.code), rows.weight) - self.value
        return placed / share

    def influence(self, rows: Rows) -> Array:
        """What each row adds to the value, see the head of this file."""
        return _weighted(self.psi(rows), rows)


@dataclass(frozen=True, eq=False)
class Statistic:
    """Anything else: a value, and how to compute it again from other rows.

    `psi` gives the influence of each row without its weight, None where it is not known. A
    statistic that is a function of means over rows gives `parts`, the columns (n, m) that are
    averaged, and `of_parts`, the function of their means (..., m): its replicates are fast.
    `precision_of` is the code of the class whose average precision this is, if it is that.
    `mix` holds the weights and forms of the classes that this is the mean of, if it is one;
    `of_mean` the mean that this is an increasing function of, if it is one.
    """

    value: float
    again: Callable[[Rows], float]
    psi: Callable[[Rows], Array] | None = None
    bounds: tuple[float, float] = (-np.inf, np.inf)
    parts: Callable[[Rows], Array] | None = None
    of_parts: Callable[[Array], Array] | None = None
    precision_of: int | None = None
    mix: "tuple[tuple[float, Area | Statistic], ...]" = ()
    of_mean: CurvedMean | None = None

    def influence(self, rows: Rows) -> Array:
        """What each row adds to the value, where that is known; see the head of this file.

        Parameters
        ----------
        rows : Rows
            Rows of one model.

        Returns
        -------
        array
            One number a row.
        """
        assert self.psi is not None
        return _weighted(self.psi(rows), rows)


def _weighted(psi: Array, rows: Rows) -> Array:
    """Times the weight of each row; a row that weighs nothing adds nothing, whatever its loss."""
    if rows.weight is None:
        return psi
    return np.where(rows.weight > 0, rows.weight * psi, 0.0)


Form = Undefined | TableForm | Mean | Area | Statistic
