"""One binned copy of the features, from which any number of trees grows."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike
from heliast._kernels import packed
from heliast._kernels.growing import (
    COUNT,
    LABEL,
    MOMENT,
    SQUARED_ERROR,
    WEIGHT,
    Grown,
    Rules,
    Sample,
    grow_tree,
)
from heliast._kernels.threads import spread
from heliast.learners.tree._bins import FEW, bins_of, check_bins
from heliast.learners.tree._inputs import as_numbers, nominal_flags
from heliast.learners.tree._settings import in_rows, rules_of
from heliast.learners.tree._trees import Trees, trees_of

if TYPE_CHECKING:
    from heliast.learners.tree._tree import Tree

Grow = Callable[[int, Rules, Array], Grown]
TABLE = 1 << 20  # largest whole weight whose x log x is looked up and not computed


class TreeGrower:
    """One binned copy of the features, from which any number of trees grows.

    `settings` is a `Tree` whose rules all members follow. Ties between features go to the first
    one, or with `seed` to the first from a place that is drawn for every node, so that the members
    of an ensemble differ as they should. A feature with more than `bins` distinct values is put
    into so many bins of equally many rows, or of equal `weight` (n,), and split between them; None
    tries every split. Each node looks at `drawn` features of its own; 0 is all. Members grow on
    all threads, each the same whatever their number. Whole weights are copies of rows and count so
    for `min_samples_leaf` and `min_samples_split`; with real weights, every row that weighs
    anything counts once. Members are not pruned.

    >>> import numpy as np
    >>> from heliast.learners.tree import TreeGrower, Tree
    >>> X = np.array([[1.0], [2.0], [3.0], [4.0]])
    >>> grower = TreeGrower(Tree(min_samples_leaf=1, min_samples_split=2), X)
    >>> trees = grower.grow_columns(np.array([0, 0, 1, 2]), np.array([[0, 0], [1, 0], [1, 1]]))
    >>> trees.probabilities(np.array([[2.4], [3.6]]))
    array([[0., 0.],
           [1., 1.]], dtype=float32)
    """

    def __init__(
        self,
        settings: "Tree",
        X: Array,
        nominal: ArrayLike | None = None,
        seed: int | None = None,
        bins: int | None = None,
        drawn: int = 0,
        weight: Array | None = None,
    ) -> None:
        X = as_numbers(X)
        check_bins(bins)
        if X.ndim != 2 or X.shape[0] == 0:
            raise InputError(f"X must have rows and columns, got shape {X.shape}")
        self.settings, self.seed = settings, seed
        self.rules = rules_of(settings)._replace(drawn=drawn if drawn < X.shape[1] else 0)
        self.rows = X.shape[0]
        self.bins = bins_of(X, nominal_flags(nominal, X.shape[1]), bins, weight)
        self.codes = self.bins.encode(X)

    def grow_columns(self, y: Array, code: Array, weights: Any = None, first: int = 0) -> Trees:
        """One two-class tree for each column of the code: class r is a one where code[r, b] is 1.

        `y` are class numbers (n,), `code` has shape (k, B); `weights` are None, one a row (n,) or
        one a row and member (B, n). Ties are broken as in members `first`, `first` + 1, ...
        """
        code = np.asarray(code)
        if code.ndim != 2 or not np.isin(code, (0, 1)).all():
            raise InputError("code must be a table of 0 and 1 with a row for each class")
        y, members = self._labels(y, len(code)), code.shape[1]
        checked = Weights.of(weights, self.rows, members)
        ones = np.ascontiguousarray(code.T, dtype=np.int32)
        if self._can_pack(checked):
            grow = self._packed(y, ones, checked)
        else:
            grow = self._general(lambda b: ones[b][y], 2, checked)
        return self._grow(grow, members, 2, checked, first, is_code=True)

    def grow_classes(
        self,
        y: Array,
        k: int,
        weights: Any = None,
        keep_training: bool = False,
        class_weights: Array | None = None,
        first: int = 0,
    ) -> Trees:
        """Trees that tell k classes apart, one for each row of weights (B, n); None: one tree.

        `class_weights` multiply the weights and, where weights are copies, the copies.
        """
        y, members = self._labels(y, k), members_of(weights)
        factor = None if class_weights is None else np.asarray(class_weights, np.float64)[y]
        checked = Weights.of(weights, self.rows, members, factor)
        grow = self._general(lambda b: y, k, checked)
        return self._grow(grow, members, k, checked, first, keep_training)

    def grow_numbers(
        self, y: Array, weights: Any = None, keep_training: bool = False, first: int = 0
    ) -> Trees:
        """Trees that predict numbers, one for each row of weights (B, n); None: one tree."""
        y, members = np.asarray(y, np.float64), members_of(weights)
        checked = Weights.of(weights, self.rows, members)
        grow = self._general(lambda b: y, 1, checked)
        return self._grow(grow, members, 1, checked, first, keep_training)

    def _labels(self, y: Array, k: int) -> Array:
        y = np.ascontiguousarray(y, dtype=np.int32)
        if y.shape != (self.rows,):
            raise InputError(f"y: {self.rows} class numbers are needed, got {y.shape}")
        if y.size and (y.min() < 0 or y.max() >= k):
            raise InputError(f"y: class numbers must be from 0 to {k - 1}")
        return y

    def _grow(
        self, grow: Grow, members: int, k: int, weights: "Weights", first: int,
        keep_training: bool = False, is_code: bool = False,
    ) -> Trees:  # fmt: skip
        """All members, on all threads."""
        where = np.full((members, self.rows if keep_training else 0), -1, np.int32)

        def grow_member(b: int) -> Grown:
            rules = in_rows(self.rules, lambda: float(weights.member(b)[1].sum()))
            if self.seed is not None:
                rules = rules._replace(seed=(self.seed * 1_000_003 + first + b) % (1 << 62))
            return grow(b, rules, where[b])

        grown = spread(grow_member, [(b,) for b in range(members)])
        kept = where if keep_training else None
        return trees_of(self.settings, self.bins, k, is_code, grown, kept)

    def _general(self, target: Callable[[int], Array], k: int, weights: "Weights") -> Grow:
        """Any features, weights and rules; `target` gives the classes or numbers of a member."""
        table, count = weights.table(), self.bins.count.astype(np.int64)
        limited = WEIGHT if weights.are_copies else COUNT

        def grow(b: int, rules: Rules, where: Array) -> Grown:
            weight, copies = weights.member(b)
            rows = np.flatnonzero(weight)
            known = np.zeros((4, rows.size))
            known[WEIGHT], known[COUNT] = weight[rows], copies[rows]
            if rules.criterion == SQUARED_ERROR:
                known[MOMENT] = weight[rows] * target(b)[rows]
            else:
                known[LABEL] = target(b)[rows]
            codes = self.codes if rows.size == self.rows else self.codes[rows]
            sample = Sample(codes, count, self.bins.nominal, known, table)
            leaf = np.empty(rows.size if where.size else 0, np.int32)
            grown = grow_tree(sample, rules._replace(limited=limited), k, leaf)
            if where.size:
                where[rows] = leaf
            return grown

        return grow

    def _can_pack(self, weights: "Weights") -> bool:
        """Whether the packed grower serves: few bins, whole weights, depth first, all features."""
        bins, rules = self.bins, self.rules
        plain = not (bins.nominal.any() or bins.missing.any() or rules.max_leaves or rules.drawn)
        return plain and bins.count.max(initial=1) <= FEW and 0 < weights.largest <= TABLE

    def _packed(self, y: Array, ones: Array, weights: "Weights") -> Grow:
        """Columns of a code, where the packed grower serves."""
        cells = packed.arrange_cells(self.bins.count)
        codes = np.ascontiguousarray(self.codes[:, cells.feature], dtype=np.uint8)
        # The smaller child comes first: at most log2(rows) larger ones wait.
        slots, size = int(np.log2(self.rows)) + 4, int(cells.first[-1])
        table, by_class = weights.table(), None
        if weights.are_shared:
            by_class = np.zeros((ones.shape[1], size), np.uint64)
            copies = weights.member(0)[0].astype(np.int64)
            packed.count_classes(codes, y, copies, cells.first, by_class)

        def grow(b: int, rules: Rules, where: Array) -> Grown:
            factor = np.uint64(1) + (ones[b].astype(np.uint64) << packed.HALF)
            counts = weights.member(b)[0].astype(np.uint64) * factor[y]
            rows = np.flatnonzero(counts).astype(np.int32)
            histograms = np.zeros((slots, size), np.uint64)
            if by_class is None:
                packed.add_rows(codes, counts, rows, cells.first, histograms[0])
            else:
                histograms[0] = (by_class * factor[:, None]).sum(axis=0)
            return packed.grow_packed(codes, counts, rows, cells, rules, table, histograms)

        return grow


def members_of(weights: Any) -> int:
    return len(weights) if np.ndim(weights) == 2 else 1


@dataclass(frozen=True)
class Weights:
    """Weights of the rows in each member: copies if they are whole, amounts if they are not."""

    values: Array | None  # (n,), (B, n) or None
    rows: int
    largest: int  # the largest sum of copies in any member; 0 if weights are real
    factor: Array | None = None  # (n,): class weights, which multiply

    @classmethod
    def of(cls, weights: Any, rows: int, members: int, factor: Array | None = None) -> "Weights":
        """Checked weights."""
        if weights is None:
            return cls(None, rows, rows, factor)
        values = np.asarray(weights)
        if values.shape not in ((rows,), (members, rows)):
            raise InputError(
                f"weights must have shape ({rows},) or ({members}, {rows}), got {values.shape}"
            )
        total = values.sum(axis=-1, dtype=np.float64)
        if not np.isfinite(total).all() or (values.size and values.min() < 0):
            raise InputError("weights must be finite and not negative")
        if not (total > 0).all():
            raise InputError("weights: every member needs a row that weighs more than zero")
        is_whole = values.dtype.kind in "biu" or bool((values == np.floor(values)).all())
        return cls(values, rows, int(total.max()) if is_whole else 0, factor)

    @property
    def are_copies(self) -> bool:
        """Whether the weights as they came count copies."""
        return self.largest > 0

    @property
    def are_shared(self) -> bool:
        """Whether all members have the same weights."""
        return self.values is None or self.values.ndim == 1

    def table(self) -> Array:
        """x log x of whole numbers, if all weights are whole; empty otherwise."""
        if self.factor is not None or not 0 < self.largest <= TABLE:
            return np.empty(0)
        x = np.arange(self.largest + 1, dtype=np.float64)
        x[1:] *= np.log(x[1:])
        return x

    def member(self, b: int) -> tuple[Array, Array]:
        """Weight of each row in a member, and what limits count it as.

        Class weights multiply copies too: a class that weighs twice is as good as there twice.
        """
        if self.values is None:
            weight = np.ones(self.rows)
        else:
            weight = self.values if self.are_shared else self.values[b]
            weight = weight.astype(np.float64, copy=False)
        if self.factor is not None:
            weight = weight * self.factor
        return weight, weight if self.are_copies else (weight > 0).astype(np.float64)
