"""Contingency: how often each true class was given each label."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from heliast._core.clusters import adjusted, equal_groups
from heliast._core.derivative import CellSlopes, Slopes
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._kernels.counting import contingency
from heliast.measures.summaries._cells import Cells
from heliast.measures.summaries._clusters import Clusters
from heliast.measures.summaries._influence import Covariance, Influence, tiny
from heliast.measures.summaries._places import Places
from heliast.predictions import Rows
from heliast.predictions.scan import ScannedRows

_DENSE = 1 << 20
"""Cells of a table that is counted whole (8 MB); larger ones are counted by sorting."""


@dataclass(frozen=True, eq=False)
class Contingency:
    """Counts with rows = true class and columns = label (weights summed, if there are any).

    Kept are the cells that occur (`places`) and the `weight` in each: ten thousand classes have a
    hundred million cells, which a few thousand rows leave empty. `heavy` holds the squared weights
    per cell when weights are sampling weights, `clusters` the counts per group when rows come in
    groups, `prevalence` the class shares of the population when the number of rows per class was
    fixed by design, and `every` is what each of all cells holds more. Two tables of the same
    classes add up.

    >>> table = Contingency.of_counts([[7, 3], [7, 13]], classes=("c1", "c2"), positive="c1")
    >>> table.n, table.actual, table.decided
    (30.0, array([10., 20.]), array([14., 16.]))
    """

    places: Places
    weight: Array
    classes: tuple[Label, ...]
    positive: int | None = None
    heavy: Array | None = None
    clusters: Clusters | None = None
    by_class: bool = False
    prevalence: Array | None = None
    every: float = 0.0

    @classmethod
    def of(cls, rows: Rows, prevalences: Mapping[Label, float] | None = None) -> "Contingency":
        """Count the rows of one model in one pass."""
        if rows.task != "classes":
            raise InputError(
                f"a contingency table counts classes, and these rows are of the task {rows.task!r}"
            )
        if prevalences is not None and rows.design != "classes":
            raise InputError(
                "prevalences: these rows were drawn at random, so their class shares are the "
                "population's; say design='classes' if the number of rows per class was fixed"
            )
        sampling, clusters = rows.weight_kind == "sampling", None
        heavy: Array | None
        if isinstance(rows, ScannedRows):
            flat, _, weight, squares = rows.cells
            places, heavy = Places(max(1, len(rows.classes)), flat), squares
        else:
            places, weight, heavy = _counted(rows, sampling)
            if rows.group is not None:
                cell = rows.truth.astype(np.int64) * places.k + rows.label
                clusters = Clusters.of(rows.group, cell, rows.weight)
        return cls(
            places, weight, rows.classes, rows.positive, heavy if sampling else None, clusters,
            rows.design == "classes", _shares(prevalences, rows.classes),
        )  # fmt: skip

    @classmethod
    def of_counts(
        cls,
        counts: object,
        classes: tuple[Label, ...],
        positive: Label | None = None,
        squares: Array | None = None,
        **more: Any,
    ) -> "Contingency":
        """A table that somebody else counted, rows = true class."""
        table = np.asarray(counts, np.float64)
        if table.shape != (len(classes), len(classes)) or (table < 0).any():
            raise InputError(
                f"counts: expected {len(classes)} x {len(classes)} counts >= 0, rows = true class"
            )
        if positive is None and len(classes) == 2:
            positive = classes[-1]
        code = None if positive is None else classes.index(positive)
        places, weight, heavy = _occurring(table, squares)
        return cls(places, weight, tuple(classes), code, heavy, **more)

    def __add__(self, other: "Contingency") -> "Contingency":
        if self.classes != other.classes:
            raise InputError("only tables of the same classes can be added")
        if (self.clusters is None, self.heavy is None) != (
            other.clusters is None,
            other.heavy is None,
        ):
            raise InputError("only tables that all have groups, or sampling weights, can be added")
        clusters = heavy = None
        if self.clusters is not None and other.clusters is not None:
            clusters = self.clusters + other.clusters
        flat, place = np.unique(
            np.concatenate([self.places.flat, other.places.flat]), return_inverse=True
        )
        if self.heavy is not None and other.heavy is not None:
            heavy = np.bincount(place, np.concatenate([self.heavy, other.heavy]))
        weight = np.bincount(place, np.concatenate([self.weight, other.weight]), flat.size)
        places = Places(self.k, flat)
        return replace(self, places=places, weight=weight, heavy=heavy, clusters=clusters)

    # --- margins ---------------------------------------------------------------------------

    @property
    def k(self) -> int:
        return self.places.k

    @cached_property
    def n(self) -> float:
        """Rows in the table (the sum of weights, if weights are counts)."""
        return float(self.weight.sum()) + self.every * self.k**2

    @cached_property
    def _whole(self) -> bool:
        """Whether counts are whole numbers, so that sums and differences are exact."""
        return bool((self.weight == np.floor(self.weight)).all())

    def total(self, cells: Cells) -> float:
        """Rows in some cells."""
        if cells.code is not None and self._whole:
            hits, actual, decided = self._whole_margins
            code = cells.code
            return float(cells.of_class(hits[code], actual[code], decided[code], self.n))
        near = self.places.around(cells)
        if not cells.far or self._whole:
            there = self.weight[near]
            rest = self.n - float(there.sum()) if cells.far else 0.0
            return rest + float(there[self._among(cells, near)].sum())
        # Not the whole less the rest: of fractions, that leaves something where nothing is.
        return float(self.weight[self._among(cells, slice(None))].sum())

    @cached_property
    def _whole_margins(self) -> tuple[list[float], list[float], list[float]]:
        return self.hits.tolist(), self.actual.tolist(), self.decided.tolist()

    def share(self, cells: Cells) -> float:
        """The share of some cells: of the rows, or reweighted to the given prevalences."""
        if self.prevalence is None:
            return self.total(cells) / self.n
        at = slice(None) if cells.far else self.places.around(cells)
        return float(self._shares[at][self._among(cells, at)].sum())

    def _among(self, cells: Cells, at: Array | slice) -> Array:
        return cells.holds(self.places.rows[at], self.places.columns[at])

    @cached_property
    def _shares(self) -> Array:
        """The share of each cell that occurs."""
        if self.prevalence is None:
            share: Array = self.weight / self.n
            return share
        within: Array = self.weight * (self.prevalence / self._sizes)[self.places.rows]
        return within

    @cached_property
    def actual(self) -> Array:
        """Rows truly of each class."""
        return np.bincount(self.places.rows, self.weight, self.k) + self.every * self.k

    @cached_property
    def decided(self) -> Array:
        """Rows labelled as each class."""
        return np.bincount(self.places.columns, self.weight, self.k) + self.every * self.k

    @cached_property
    def hits(self) -> Array:
        """Rows of each class that were labelled so."""
        at = self.places.diagonal
        return np.bincount(self.places.rows[at], self.weight[at], self.k) + self.every

    @property
    def lacking(self) -> bool:
        """Whether a class of the given prevalences has no rows."""
        return self.prevalence is not None and not bool(self.actual.all())

    @cached_property
    def _sizes(self) -> Array:
        """The rows of each class; 1 where there are none."""
        return np.where(self.actual > 0, self.actual, 1.0)

    @property
    def margins(self) -> tuple[Array, Array, Array]:
        """Hits, rows truly and rows labelled of each class, as shares (see `share`)."""
        if self.prevalence is None:
            return self.hits / self.n, self.actual / self.n, self.decided / self.n
        each = self.prevalence / self._sizes
        decided = np.bincount(self.places.columns, self.weight * each[self.places.rows], self.k)
        return self.hits * each, self.actual * each, decided + self.every * each.sum()

    # --- whole tables, of few classes ------------------------------------------------------

    def _table(self, values: Array, every: float = 0.0) -> Array:
        table = np.full(self.k**2, every)
        table[self.places.flat] += values
        return table.reshape(self.k, self.k)

    @cached_property
    def counts(self) -> Array:
        """The whole table (k, k)."""
        return self._table(self.weight, self.every)

    @property
    def squares(self) -> Array | None:
        """The squared weights (k, k), if weights are sampling weights."""
        return None if self.heavy is None else self._table(self.heavy)

    @property
    def chance(self) -> Array:
        """What a random classifier with the same margins would give: row total x column total / n.

        Reweighted to the given prevalences, if there are any.

        >>> t = Contingency.of_counts([[88, 14, 18], [10, 40, 10], [2, 6, 12]], ("a", "b", "c"))
        >>> float(t.chance.trace())
        82.0
        """
        actual, decided = self.actual, self.decided
        if self.prevalence is not None:
            actual, decided = (self.n * share for share in self.margins[1:])
        expected: Array = np.outer(actual, decided) / self.n
        return expected

    @property
    def shares(self) -> Array:
        """The table as probabilities: counts / n, or reweighted to the given prevalences."""
        if self.prevalence is None:
            share: Array = self.counts / self.n
            return share
        with np.errstate(divide="ignore", invalid="ignore"):
            within: Array = self.counts / self.actual[:, None] * self.prevalence[:, None]
        return within

    # --- how sure ----------------------------------------------------------------------------

    def variance(self, influence: Array | Slopes | CellSlopes) -> float:
        """Variance of an estimate whose first-order influence is given.

        Per cell (k, k), per cell that occurs, or by margins. See `covariance` for the rules.
        """
        rows, columns = self.places.rows, self.places.columns
        if not isinstance(influence, np.ndarray):
            psi = influence.at(rows, columns)
            all_ = influence.row_sums if self.every else np.zeros(self.k)
        else:
            psi, all_ = influence if influence.ndim == 1 else influence[rows, columns], np.zeros(1)
        mean, scale = self._centre(psi, self.every * all_)
        psi = scale[rows] * (psi - mean[rows])
        if self.clusters is not None:
            sums = self.clusters.sums(psi[self.places.find(self.clusters.cell)])
            return float((adjusted(sums, self.clusters.size) ** 2).sum()) / self.n**2
        weight = self.weight if self.heavy is None else self.heavy
        found = float((weight * psi**2).sum())
        if not isinstance(influence, np.ndarray) and self.every:
            found += self.every * float((scale**2 * influence.row_squares(mean)).sum())
        return found / self.n**2

    def covariance(self, influences: Sequence[Influence]) -> Covariance:
        """How m estimates vary together whose first-order influences on `places` are given.

        For independent rows: sum over rows of w^2 psi psi' / n^2, psi about its mean. For groups,
        the sums per group replace the rows, see `adjusted`. For class counts fixed by design,
        classes are strata: psi about its mean in the class, scaled from the class's share to its
        prevalence.
        """
        return Covariance.of(self, influences)

    def _centre(self, psi: Array, more: Array) -> tuple[Array, Array]:
        """By true class: the mean that influences are about, and what deviations are scaled by.

        `more` is the influence of what is in every cell, added up by class.
        """
        if not self.by_class:
            mean = (float((self.weight * psi).sum()) + float(more.sum())) / self.n
            return np.full(self.k, mean), np.ones(self.k)
        sums = np.bincount(self.places.rows, self.weight * psi, self.k) + more
        share = np.where(self.actual > 0, self.stratum_share, 0.0)
        return sums / self._sizes, share * self.n / self._sizes

    @property
    def stratum_share(self) -> Array:
        """The weight of each class as a stratum; 0 is hardly anything, as its own rates vary."""
        return self.actual / self.n if self.prevalence is None else tiny(self.prevalence)

    @property
    def df(self) -> float | None:
        """Degrees of freedom of the variance by groups, else none (normal quantiles)."""
        return None if self.clusters is None else equal_groups(self.clusters.size) - 1.0

    def smoothed(self, amount: float) -> "Contingency":
        """The table with `amount` added to every cell."""
        return replace(self, every=self.every + amount)

    def scaled(self, factor: float) -> "Contingency":
        """The table with so many times the rows."""
        return replace(self, weight=factor * self.weight, every=factor * self.every)


def _counted(rows: Rows, sampling: bool) -> tuple[Places, Array, Array | None]:
    """The cells that occur, the weight in each, and the squared weights."""
    k, weight = len(rows.classes), rows.weight
    square = weight**2 if sampling and weight is not None else None
    if k * k <= _DENSE:
        counts = contingency(rows.truth, rows.label, k, weight)
        many = None if square is None else contingency(rows.truth, rows.label, k, square)
        return _occurring(counts, many)
    flat, place = np.unique(rows.truth.astype(np.int64) * k + rows.label, return_inverse=True)
    total = np.bincount(place, weight, flat.size).astype(np.float64)
    heavy = None if square is None else np.bincount(place, square, flat.size)
    there = total > 0
    return Places(k, flat[there]), total[there], None if heavy is None else heavy[there]


def _occurring(counts: Array, squares: Array | None) -> tuple[Places, Array, Array | None]:
    flat = np.flatnonzero(counts)
    weight = counts.ravel()[flat].astype(np.float64)
    return Places(len(counts), flat), weight, None if squares is None else squares.ravel()[flat]


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
