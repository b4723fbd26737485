"""Which kernel grows a member, and the memory that members use one after the other."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np

from heliast._core.kinds import Array
from heliast._kernels.class_trees import PAD, Hists, cells_of, class_tree, space
from heliast._kernels.dichotomies import count_classes, dichotomy, join_classes, pack
from heliast._kernels.growing import Grown, Rows, Rules, scratch, tree
from heliast.learners.tree._bins import FEW, Bins
from heliast.learners.tree._settings import NEVER_EMPTY
from heliast.learners.tree._weights import Weights

T = TypeVar("T")

TABLE = 1 << 20
"""Largest whole weight whose x log x is looked up and not computed."""
UNITS = 52
"""Powers of two in the sum of weights that are counted in units: as many as float64 holds."""
LITTLE = 1 << 25
"""Bytes that histograms may take however small the inputs are."""


class Spare:
    """Working memory that threads lend and give back; as many pieces as were used at a time."""

    def __init__(self) -> None:
        self._free: dict[Any, list[Any]] = {}

    @contextmanager
    def lend(self, key: Any, make: Callable[[], T]) -> Iterator[T]:
        free = self._free.setdefault(key, [])
        # Taking from a list is one step, so that no two threads get the same piece.
        try:
            piece = free.pop()
        except IndexError:
            piece = make()
        yield piece
        free.append(piece)


class Binned:
    """The binned inputs, in the order that the kernels want, made when first asked for."""

    def __init__(self, X: Array, bins: Bins) -> None:
        self.bins = bins
        self.n, self.d = X.shape
        self.most = int((bins.count + bins.missing).max(initial=0))
        self.small = bins.plain and self.most <= FEW
        self.cells = cells_of(bins.count)
        self._rows: Array | None = None
        self._columns: Array | None = None
        if self.small:
            self._rows = bins.encode(X, np.empty(X.shape, np.uint8), self.cells.column)
        else:
            self._columns = np.empty(X.shape[::-1], np.uint16)
            bins.encode(X, self._columns.T)

    @property
    def rows(self) -> Array:
        """(n, d) uint8, where bins are few; columns in the order of `cells`."""
        if self._rows is None:
            raise RuntimeError("too many bins for one byte")
        return self._rows

    @property
    def columns(self) -> Array:
        """(d, n) uint16."""
        if self._columns is None:
            self._columns = self.rows.T[self.cells.column].astype(np.uint16)
        return self._columns

    @property
    def size(self) -> int:
        """Bins of a histogram."""
        return int(self.cells.first[-1])

    def slots(self, rules: Rules) -> int:
        """Histograms that are alive at a time where the smaller child always comes first."""
        return min(int(np.log2(self.n + 1)) + 4, rules.max_depth + 3)

    def fits(self, needed: int) -> bool:
        """Whether histograms of so many bytes are possible and need no more than the inputs."""
        return self.small and needed <= max(8 * self.n * self.d, LITTLE)


class General:
    """Any inputs, weights and rules."""

    def __init__(
        self, binned: Binned, spare: Spare, labels: Callable[[int], Array], k: int,
        weighed: Weights, rules: Rules,
    ) -> None:  # fmt: skip
        self.binned, self.spare, self.labels, self.k = binned, spare, labels, k
        self.weighed, self.table = weighed, table_of(weighed, rules.gini)

    def grow(self, b: int, rules: Rules, where: Array) -> Grown:
        bins = self.binned.bins
        weight, count, idx = self.weighed.member(b)
        weighed = self.weighed
        rows = Rows(
            self.binned.columns, bins.count, bins.nominal, self.labels(b), weight, count,
            plain=bins.plain, whole=weighed.whole, by_weight=by_weight(weighed),
        )  # fmt: skip
        with self.spare.lend(("general", self.k), self._space) as space:
            return tree(rows, idx, rules, space._replace(table=self.table), where)

    def _space(self) -> Any:
        bins = self.binned.bins
        nominal = int(bins.count[bins.nominal == 1].max(initial=0))
        binned = self.binned
        return scratch(binned.n, binned.d, self.k, binned.most + 1, nominal, self.table)


class Dichotomies:
    """Two classes, whole weights, few bins, no best first."""

    def __init__(
        self, binned: Binned, spare: Spare, truth: Array, bits: Array, weighed: Weights,
        rules: Rules,
    ) -> None:  # fmt: skip
        self.binned, self.spare, self.truth, self.bits = binned, spare, truth, bits
        self.weighed, self.table = weighed, table_of(weighed, rules.gini)
        self.slots = binned.slots(rules)
        self.by_class = None
        if weighed.given is None or weighed.given.ndim == 1:
            self.by_class = np.zeros((bits.shape[1], binned.size), np.uint64)
            first = binned.cells.first
            count_classes(binned.rows, truth, weighed.copies_of(0), first, self.by_class)

    @staticmethod
    def can(binned: Binned, weighed: Weights, rules: Rules) -> bool:
        return (
            binned.fits(binned.slots(rules) * binned.size * 8)
            and weighed.whole
            and weighed.largest <= (TABLE if not rules.gini else 1 << 31)
            and rules.max_leaves == 0
        )

    def grow(self, b: int, rules: Rules, where: Array) -> Grown:
        with self.spare.lend("dichotomies", self._space) as (hists, packed, *lent):
            copies = self.weighed.copies_of(b)
            pack(self.truth, self.bits[b], copies, packed)
            if copies is None:
                idx = np.arange(self.binned.n, dtype=np.int32)
            else:
                idx = np.flatnonzero(copies).astype(np.int32)
            ready = self.by_class is not None
            if self.by_class is not None:
                join_classes(self.by_class, self.bits[b], hists[0])
            return dichotomy(
                self.binned.cells, self.binned.rows, packed, idx, rules, self.table, hists, *lent,
                ready, where,
            )  # fmt: skip

    def _space(self) -> Any:
        n, size = self.binned.n, self.binned.size
        hists = np.empty((self.slots, size + PAD), np.uint64)
        rows, leaf = np.empty((2, n), np.uint64)
        return hists, rows, np.empty(n, np.int32), np.empty((5, 2 * n), np.int32), leaf


class Classes:
    """k classes, few bins, any weights, depth first or best first."""

    def __init__(
        self, binned: Binned, spare: Spare, truth: Array, k: int, weighed: Weights, rules: Rules
    ) -> None:
        self.binned, self.spare, self.truth, self.k = binned, spare, truth, k
        self.weighed, self.table = weighed, table_of(weighed, rules.gini)
        self.slots, self.size = _slots(binned, rules), _size(binned, rules)
        # Depth first, what waits is the larger half of what was divided last.
        self.open = min(rules.max_leaves, binned.n) + 2 if rules.max_leaves else 64
        self.single = _single(weighed)
        self.by_weight = by_weight(weighed)
        # Where no limit counts rows, real weights are taken as whole numbers of a tiny unit: their
        # sums are exact then, and rows need not be counted beside them.
        no_limit = rules.min_cut in (NEVER_EMPTY, 1) and rules.min_size in (0, 1, 2)
        self.fine = rules.gini and no_limit and not (weighed.whole or self.by_weight)
        self.whole = weighed.whole or self.fine

    @staticmethod
    def can(binned: Binned, k: int, weighed: Weights, rules: Rules) -> bool:
        bytes_ = 4 if _single(weighed) else 8
        return binned.fits(_slots(binned, rules) * _size(binned, rules) * bytes_ * (k + 1))

    def grow(self, b: int, rules: Rules, where: Array) -> Grown:
        weight, count, idx = self.weighed.member(b)
        unit = 1.0
        if self.fine:
            unit = 2.0 ** (math.frexp(weight.sum())[1] - UNITS)
            weight = np.maximum(np.rint(weight / unit), count)
        key = ("classes", self.k, self.single, self.slots, self.open, self.whole)
        with self.spare.lend(key, self._space) as lent:
            grown = class_tree(
                self.binned.cells, self.binned.rows, self.truth, weight, count, idx, rules,
                self.table, self.by_weight, where, lent,
            )  # fmt: skip
        return grown._replace(weight=grown.weight * unit) if self.fine else grown

    def _space(self) -> Any:
        size = self.slots * self.size
        weights = size * self.k + PAD
        hists = Hists(
            single=np.empty(weights if self.single else 0, np.float32),
            double=np.empty(0 if self.single else weights),
            copies=np.empty(0 if self.whole else size + PAD),
        )
        return space(self.binned.cells, self.binned.n, self.k, hists, self.slots, self.open)


def _slots(binned: Binned, rules: Rules) -> int:
    """Best first keeps a histogram for every open node; one is enough where inputs are drawn."""
    if rules.drawn > 0:
        return 1
    return binned.slots(rules) if rules.max_leaves == 0 else min(rules.max_leaves, binned.n) + 2


def _size(binned: Binned, rules: Rules) -> int:
    """Cells of a histogram, that of all inputs or of those drawn."""
    drawn = binned.most * -(-rules.drawn // PAD) * PAD
    return max(binned.size, drawn)


def _single(weighed: Weights) -> bool:
    """Whether four bytes hold all sums of weights exactly."""
    return weighed.whole and weighed.largest < 1 << 24


def by_weight(weighed: Weights) -> bool:
    """Whether real weights are copies times class weights, and count so for the limits."""
    return weighed.copies and weighed.factor is not None


def table_of(weighed: Weights, gini: bool) -> Array:
    """x log x of whole numbers, if all weights are whole; empty otherwise, and where few ask."""
    if gini or not weighed.whole or weighed.largest > TABLE:
        return np.empty(0)
    x = np.arange(weighed.largest + 1, dtype=np.float64)
    x[1:] *= np.log(x[1:])
    return x
