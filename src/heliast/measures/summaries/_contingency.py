"""Contingency: how often each true class was given each label."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from heliast._core.clusters import adjusted, equal_groups
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._kernels.counting import contingency
from heliast.measures.summaries._cells import Cells
from heliast.measures.summaries._clusters import Clusters
from heliast.measures.summaries._influence import Influence, covariance, tiny
from heliast.predictions import Rows
from heliast.predictions.scan import ScannedRows


@dataclass(frozen=True, eq=False)
class Contingency:
    """Counts with rows = true class and columns = label (weights summed, if there are any).

    `squares` holds the squared weights per cell when weights are sampling weights, `clusters` the
    counts per group when rows come in groups, and `prevalence` the class shares of the population
    when the number of rows per class was fixed by design. Two tables of the same classes add up.

    >>> table = Contingency.of_counts([[7, 3], [7, 13]], classes=("c1", "c2"), positive="c1")
    >>> table.n, table.actual, table.decided
    (30.0, array([10., 20.]), array([14., 16.]))
    """

    counts: Array
    classes: tuple[Label, ...]
    positive: int | None = None
    squares: Array | None = None
    clusters: Clusters | None = None
    by_class: bool = False
    prevalence: Array | None = None

    @classmethod
    def of(cls, rows: Rows, prevalences: Mapping[Label, float] | None = None) -> "Contingency":
        """Count the rows of one model in one pass."""
        if prevalences is not None and rows.design != "classes":
            raise InputError(
                "prevalences: these rows were drawn at random, so their class shares are the "
                "population's; say design='classes' if the number of rows per class was fixed"
            )
        if isinstance(rows, ScannedRows):
            return cls._of_cells(rows, prevalences)
        k = len(rows.classes)
        counts = contingency(rows.truth, rows.label, k, rows.weight)
        squares = clusters = None
        if rows.weight_kind == "sampling" and rows.weight is not None:
            squares = contingency(rows.truth, rows.label, k, rows.weight**2)
        if rows.group is not None:
            cell = rows.truth.astype(np.int64) * k + rows.label
            clusters = Clusters.of(rows.group, cell, rows.weight)
        return cls(
            counts.astype(np.float64),
            rows.classes,
            rows.positive,
            squares,
            clusters,
            rows.design == "classes",
            _shares(prevalences, rows.classes),
        )

    @classmethod
    def _of_cells(
        cls, rows: ScannedRows, prevalences: Mapping[Label, float] | None
    ) -> "Contingency":
        """What the engine has counted."""
        _, counts, squares = rows.cells
        return cls(
            counts,
            rows.classes,
            rows.positive,
            squares if rows.weight_kind == "sampling" else None,
            by_class=rows.design == "classes",
            prevalence=_shares(prevalences, rows.classes),
        )

    @classmethod
    def of_counts(
        cls, counts: object, classes: tuple[Label, ...], positive: Label | None = None
    ) -> "Contingency":
        """A table that somebody else counted, rows = true class."""
        table = np.asarray(counts, np.float64)
        if table.shape != (len(classes), len(classes)) or (table < 0).any():
            raise InputError(
                f"counts: expected {len(classes)} x {len(classes)} counts >= 0, rows = true class"
            )
        if positive is None and len(classes) == 2:
            positive = classes[-1]
        return cls(table, tuple(classes), None if positive is None else classes.index(positive))

    def __add__(self, other: "Contingency") -> "Contingency":
        if self.classes != other.classes:
            raise InputError("only tables of the same classes can be added")
        if (self.clusters is None, self.squares is None) != (
            other.clusters is None,
            other.squares is None,
        ):
            raise InputError("only tables that all have groups, or sampling weights, can be added")
        clusters = squares = None
        if self.clusters is not None and other.clusters is not None:
            clusters = self.clusters + other.clusters
        if self.squares is not None and other.squares is not None:
            squares = self.squares + other.squares
        return replace(self, counts=self.counts + other.counts, squares=squares, clusters=clusters)

    # --- margins ---------------------------------------------------------------------------

    @property
    def k(self) -> int:
        return len(self.classes)

    @cached_property
    def n(self) -> float:
        """Rows in the table (the sum of weights, if weights are counts)."""
        return float(self.counts.sum())

    @cached_property
    def _whole(self) -> bool:
        """Whether counts are whole numbers, so that sums and differences are exact."""
        return bool((self.counts == np.floor(self.counts)).all())

    def total(self, cells: Cells) -> float:
        """Rows in some cells."""
        if cells.but and self._whole:
            return self.n - float(self.counts.ravel()[cells.places].sum())
        return float(cells.total(self.counts))

    @cached_property
    def actual(self) -> Array:
        """Rows truly of each class."""
        margin: Array = self.counts.sum(axis=1)
        return margin

    @cached_property
    def decided(self) -> Array:
        """Rows labelled as each class."""
        margin: Array = self.counts.sum(axis=0)
        return margin

    @cached_property
    def hits(self) -> Array:
        """Rows of each class that were labelled so."""
        return np.diagonal(self.counts).copy()

    @cached_property
    def chance(self) -> Array:
        """What a random classifier with the same margins would give: row total x column total / n.

        >>> t = Contingency.of_counts([[88, 14, 18], [10, 40, 10], [2, 6, 12]], ("a", "b", "c"))
        >>> float(t.chance.trace())
        82.0
        """
        expected: Array = np.outer(self.actual, self.decided) / self.n
        return expected

    @cached_property
    def shares(self) -> Array:
        """The table as probabilities: counts / n, or reweighted to the given prevalences."""
        if self.prevalence is None:
            share: Array = self.counts / self.n
            return share
        with np.errstate(divide="ignore", invalid="ignore"):
            within: Array = self.counts / self.actual[:, None] * self.prevalence[:, None]
        return within

    # --- how sure ----------------------------------------------------------------------------

    def variance(self, influence: Array) -> float:
        """Variance of an estimate whose first-order influence per cell (k, k) is given.

        As `covariance`, where the rules stand.
        """
        psi = (self._strata if self.by_class else self._about_mean)(influence).ravel()
        if self.clusters is not None:
            sums = adjusted(self.clusters.sums(psi), self.clusters.size)
            return float((sums**2).sum()) / self.n**2
        weight = self.counts if self.squares is None else self.squares
        return float((weight.ravel() * psi**2).sum()) / self.n**2

    def covariance(self, influences: Sequence[Influence]) -> Array:
        """Covariances (m, m) of m estimates whose first-order influences are given."""
        return covariance(self, influences)

    def _about_mean(self, influence: Array) -> Array:
        centred: Array = influence - (self.shares * influence).sum()
        return centred

    @property
    def stratum_share(self) -> Array:
        """The weight of each class as a stratum; 0 is hardly anything, as its own rates vary."""
        return self.actual / self.n if self.prevalence is None else tiny(self.prevalence)

    def _strata(self, influence: Array) -> Array:
        """Deviations within each class, scaled from its share of the rows to its prevalence."""
        there = self.actual > 0
        size = np.where(there, self.actual, 1.0)[:, None]
        mean = (self.counts / size * influence).sum(axis=1, keepdims=True)
        scaled: Array = (
            np.where(there, self.stratum_share, 0.0)[:, None] * self.n / size * (influence - mean)
        )
        return scaled

    @property
    def df(self) -> float | None:
        """Degrees of freedom of the variance by groups, else none (normal quantiles)."""
        return None if self.clusters is None else equal_groups(self.clusters.size) - 1.0

    def smoothed(self, amount: float) -> "Contingency":
        """The table with `amount` added to every cell."""
        return replace(self, counts=self.counts + amount, clusters=self.clusters)


def _shares(prevalences: Mapping[Label, float] | None, classes: tuple[Label, ...]) -> Array | None:
    if prevalences is None:
        return None
    unknown = [label for label in prevalences if label not in classes]
    if unknown or len(prevalences) != len(classes):
        raise InputError(
            f"prevalences: give one share for each class ({', '.join(map(repr, classes))})"
        )
    shares = np.array([float(prevalences[label]) for label in classes])
    if (shares < 0).any() or abs(shares.sum() - 1) > 1e-9:
        raise InputError(f"prevalences: shares must be >= 0 and sum to 1, got {shares.sum():g}")
    return shares
