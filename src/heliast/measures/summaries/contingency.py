"""The contingency table (confusion matrix): its margins, and how estimates made of it vary."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from heliast._core.clusters import adjusted, equal_groups
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._kernels.counting import contingency
from heliast.predictions import Rows

if TYPE_CHECKING:
    from heliast.predictions.scan import ScannedRows

DENSE = 1 << 20  # cells that are counted as a whole table (8 MB)
SMOOTHED = 1 << 20  # cells to each of which something is added
ROUNDING = 1e-12  # a variance below this share of what was added up to it is rounding


class Margins(NamedTuple):
    """Hits, row sums and column sums (..., k) of one table or of many, and the sum of all cells."""

    hits: Array
    actual: Array
    decided: Array
    total: Any
    cells: Callable[[], Array]

    @classmethod
    def of(cls, tables: Array) -> "Margins":
        """Those of whole tables (..., k, k)."""
        diagonal = np.diagonal(tables, axis1=-2, axis2=-1)
        actual, decided = tables.sum(axis=-1), tables.sum(axis=-2)
        return cls(diagonal, actual, decided, actual.sum(axis=-1), lambda: tables)


@dataclass(frozen=True, eq=False)
class Contingency:
    """Counts with rows = true class and columns = predicted class (weights, if rows have them).

    Only the cells that occur are kept, as ten thousand classes have a hundred million. Class
    shares of the population (`prevalence`), for rows whose number per class was fixed by design
    (`by_class`), become weights of the cells: `weight` is what measures are computed from, `count`
    what was counted. `squares` are the summed squared sampling weights, `groups` the counts per
    group and cell (sparse).

    >>> table = Contingency.of_counts([[7, 3], [7, 13]], classes=("c1", "c2"), positive="c1")
    >>> table.n, table.actual, table.decided
    (30.0, array([10., 20.]), array([14., 16.]))
    """

    rows: Array
    columns: Array
    count: Array
    classes: tuple[Label, ...]
    positive: int | None = None
    squares: Array | None = None
    groups: Any = None
    by_class: bool = False
    prevalence: Array | None = None

    @classmethod
    def of(cls, rows: Rows, prevalences: Mapping[Label, float] | None = None) -> "Contingency":
        """Count the rows of one model in one pass."""
        if rows.task != "classification":
            raise InputError(f"a contingency table counts classes, and the task is {rows.task!r}")
        if prevalences is not None and rows.design != "classes":
            raise InputError(
                "prevalences: these rows were drawn at random, so their class shares are the "
                "population's; say design='classes' if the number of rows per class was fixed"
            )
        k = max(1, len(rows.classes))
        flat, count, squares = _occurring(rows, k)
        groups = None if rows.group is None else _by_group(rows, rows.group, flat)
        squares = squares if rows.weight_kind == "sampling" else None
        shares = _shares(prevalences, rows.classes)
        return cls(
            flat // k, flat % k, count, rows.classes, rows.positive, squares, groups,
            rows.design == "classes", shares,
        )  # fmt: skip

    @classmethod
    def of_counts(
        cls, counts: object, classes: tuple[Label, ...], positive: Label | None = None, **more: Any
    ) -> "Contingency":
        """A table that was counted elsewhere, rows = true class; `more` are further fields."""
        table = np.asarray(counts, np.float64)
        k = len(classes)
        if table.shape != (k, k) or (table < 0).any():
            raise InputError(f"counts: expected {k} x {k} counts >= 0, rows = true class")
        if positive is None and k == 2:
            positive = classes[-1]
        code = None if positive is None else classes.index(positive)
        rows, columns = np.nonzero(table)
        return cls(rows, columns, table[rows, columns], tuple(classes), code, **more)

    # --- counts ------------------------------------------------------------------------------

    @property
    def k(self) -> int:
        return max(1, len(self.classes))

    @cached_property
    def n(self) -> float:
        """Rows in the table (the sum of weights, if weights are counts)."""
        return float(self.count.sum())

    @cached_property
    def actual(self) -> Array:
        """Rows truly of each class."""
        return np.bincount(self.rows, self.count, self.k)

    @cached_property
    def decided(self) -> Array:
        """Rows predicted as each class."""
        return np.bincount(self.columns, self.count, self.k)

    @cached_property
    def hits(self) -> Array:
        """Rows of each class that were predicted so."""
        return np.bincount(self.rows, self.count * (self.rows == self.columns), self.k)

    @cached_property
    def counts(self) -> Array:
        """The whole table (k, k)."""
        return self._dense(self.count)

    def _dense(self, values: Array) -> Array:
        table = np.zeros((self.k, self.k))
        table[self.rows, self.columns] = values
        return table

    # --- counts as the population has them ---------------------------------------------------

    @cached_property
    def factor(self) -> Array:
        """What a row of each class counts for: 1, or what the given prevalences ask for."""
        if self.prevalence is None:
            return np.ones(self.k)
        size = np.where(self.actual > 0, self.actual, 1.0)
        # A class that hardly occurs still has rates of its own that vary.
        factor: Array = np.maximum(self.prevalence, 1e-100) * self.n / size
        return factor

    @cached_property
    def weight(self) -> Array:
        """The rows in each cell that occurs, reweighted to the given prevalences."""
        weight: Array = self.count * self.factor[self.rows]
        return weight

    @cached_property
    def plain(self) -> Margins:
        """Hits, row sums and column sums as counted."""
        return Margins(self.hits, self.actual, self.decided, self.n, lambda: self.counts)

    @cached_property
    def margins(self) -> Margins:
        """The same of the reweighted table."""
        if self.prevalence is None:
            return self.plain
        decided = np.bincount(self.columns, self.weight, self.k)
        actual, total = self.actual * self.factor, float(self.weight.sum())
        return Margins(
            self.hits * self.factor, actual, decided, total, lambda: self._dense(self.weight)
        )

    @property
    def lacking(self) -> bool:
        """Whether a class of the given prevalences has no rows."""
        return self.prevalence is not None and not bool(self.actual.all())

    @property
    def shares(self) -> Array:
        """The table as probabilities: counts / n, or reweighted to the given prevalences."""
        return self._dense(self.weight / self.n)

    @property
    def chance(self) -> Array:
        """What a random classifier with the same margins would give: row total x column total / n.

        >>> t = Contingency.of_counts([[88, 14, 18], [10, 40, 10], [2, 6, 12]], ("a", "b", "c"))
        >>> float(t.chance.trace())
        82.0
        """
        expected: Array = np.outer(self.margins.actual, self.margins.decided) / self.n
        return expected

    # --- how estimates vary ------------------------------------------------------------------

    def unit_sums(self, influences: Any) -> Any:
        """What each unit that varies independently adds, from the influences of cells (cells, m).

        Without groups one unit stands for all rows of a cell; sums over groups are scaled as
        `_core.clusters.adjusted` has them.
        """
        scale = self.factor[self.rows]
        if self.groups is None:
            scale = scale * np.sqrt(self.count if self.squares is None else self.squares)
            return influences * scale[:, None]
        size = self.groups.sum(axis=1)
        sums = self.groups @ (influences * scale[:, None])
        return sums * adjusted(np.ones(size.size), size)[:, None]

    @property
    def df(self) -> float | None:
        """Degrees of freedom of a variance by groups, else none (normal quantiles)."""
        return None if self.groups is None else equal_groups(self.groups.sum(axis=1)) - 1.0

    @cached_property
    def level(self) -> Array:
        """What the influence of each cell is centred within: all cells, or those of its class."""
        return self.rows if self.by_class else np.zeros(self.rows.size, np.intp)

    def centre(self, influence: Array) -> Array:
        """The mean influence of each level, from that of a row in each cell that occurs."""
        size = np.bincount(self.level, self.weight)
        sums = np.bincount(self.level, self.weight * influence)
        mean: Array = sums / np.where(size > 0, size, 1.0)
        return mean

    def variance(self, influence: Array) -> float:
        """Variance of an estimate, from the influence of a row in each cell that occurs."""
        centred = influence - self.centre(influence)[self.level]
        return float((self.unit_sums(centred[:, None]) ** 2).sum()) / self.n**2

    # --- other tables ------------------------------------------------------------------------

    def smoothed(self, amount: float) -> "Contingency":
        """The table with `amount` added to every cell.

        Of very many classes the same sum is spread over the cells that occur and one wrong cell of
        each class.
        """
        k = self.k
        flat = self.rows * k + self.columns
        if k * k <= SMOOTHED:
            cells = np.arange(k * k)
        else:
            cells = np.union1d(flat, np.arange(k) * k + np.roll(np.arange(k), 1))
        count = np.full(cells.size, amount * k * k / cells.size)
        count[np.searchsorted(cells, flat)] += self.count
        return replace(self, rows=cells // k, columns=cells % k, count=count)

    def scaled(self, factor: float) -> "Contingency":
        """The table with so many times the rows."""
        return replace(self, count=factor * self.count)

    def as_independent(self) -> "Contingency":
        """The same counts, as if of independent rows of one weight."""
        return replace(self, squares=None, groups=None)


class Covariance:
    """How m estimates of one table vary together: their variances, and products with a vector.

    m x m numbers may be too many. `influences` are (cells, m), up to a constant; of very many they
    are sparse.
    """

    def __init__(self, table: Contingency, influences: Any) -> None:
        size = np.bincount(table.level, table.weight)
        levels = table.level[:, None] == np.arange(size.size)
        if size.size > 1 and levels.size > DENSE:
            from scipy.sparse import csr_array

            levels = csr_array(levels)
        mean = levels.T @ (influences * table.weight[:, None])
        self.mean = mean * (1 / np.where(size > 0, size, 1.0))[:, None]
        self.sums = table.unit_sums(influences)
        self.sizes = table.unit_sums(levels * 1.0)
        self.n = table.n

    def times(self, vector: Array) -> Array:
        """The matrix of covariances times a vector."""
        vector = np.where(self.variances > 0, vector, 0.0)
        units = self.sums @ vector - self.sizes @ (self.mean @ vector)
        product = self.sums.T @ units - self.mean.T @ (self.sizes.T @ units)
        return np.where(self.variances > 0, product, 0.0) / self.n**2

    @cached_property
    def variances(self) -> Array:
        """The variance of each estimate; exactly 0 where rounding alone would make one."""
        both = (self.mean * (self.sizes.T @ self.sums)).sum(axis=0)
        centre = (self.mean * (self.sizes.T @ self.sizes @ self.mean)).sum(axis=0)
        added = (self.sums * self.sums).sum(axis=0) + centre
        variance: Array = np.where(added - 2 * both <= ROUNDING * added, 0.0, added - 2 * both)
        return variance / self.n**2

    @property
    def matrix(self) -> Array:
        """All (m, m), for few estimates."""
        return np.column_stack([self.times(unit) for unit in np.eye(self.variances.size)])


def _occurring(rows: Rows, k: int) -> tuple[Array, Array, Array | None]:
    """The cells that occur, the weight in each, and the squared weights."""
    if rows.scanned:
        flat, _, count, squares = cast("ScannedRows", rows).cells
        return flat, count, squares
    weight = rows.weight
    square = None if weight is None else weight**2
    if k * k <= DENSE:
        counts = contingency(rows.y_true, rows.y_pred, k, weight).ravel()
        flat = np.flatnonzero(counts)
        heavy = None
        if rows.weight_kind == "sampling":
            heavy = contingency(rows.y_true, rows.y_pred, k, square).ravel()[flat]
        return flat, counts[flat].astype(np.float64), heavy
    flat, place = np.unique(rows.y_true.astype(np.int64) * k + rows.y_pred, return_inverse=True)
    count = np.bincount(place, weight, flat.size).astype(np.float64)
    some = count > 0
    heavy = None if square is None else np.bincount(place, square, flat.size)[some]
    return flat[some], count[some], heavy


def _by_group(rows: Rows, group: Array, flat: Array) -> Any:
    """The weight of each group in each cell that occurs."""
    from scipy.sparse import csr_array

    names, place = np.unique(group, return_inverse=True)
    k = max(1, len(rows.classes))
    cell = np.searchsorted(flat, rows.y_true.astype(np.int64) * k + rows.y_pred)
    weight = np.ones(rows.n) if rows.weight is None else rows.weight.astype(np.float64)
    some = weight > 0
    return csr_array((weight[some], (place[some], cell[some])), shape=(names.size, flat.size))


def _shares(prevalences: Mapping[Label, float] | None, classes: Sequence[Label]) -> Array | None:
    if prevalences is None:
        return None
    unknown = [label for label in prevalences if label not in classes]
    if unknown or len(prevalences) != len(classes):
        names = ", ".join(map(repr, classes))
        raise InputError(f"prevalences: give one share for each class ({names})")
    shares = np.array([float(prevalences[label]) for label in classes])
    if (shares < 0).any() or abs(shares.sum() - 1) > 1e-9:
        raise InputError(f"prevalences: shares must be >= 0 and sum to 1, got {shares.sum():g}")
    return shares
