"""Grown trees as flat arrays: what many members predict for many rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._kernels.descent import add_shares, take, vote
from heliast._kernels.growing import Grown
from heliast.learners.tree._bins import Bins
from heliast.learners.tree._descent import Descent
from heliast.learners.tree._nodes import Nodes, nodes_of
from heliast.learners.tree._settings import Smoothing

if TYPE_CHECKING:
    from heliast.learners.tree._tree import Tree


@dataclass(frozen=True)
class Refit:
    """Class weights of other rows in the leaves of grown trees.

    counts[first[b] + l, c] is the weight of class c in leaf l of member b.
    """

    first: Array
    counts: Array

    def member(self, b: int) -> Array:
        """Class weights in the leaves of one member, (leaves, k)."""
        return self.counts[self.first[b] : self.first[b + 1]]


@dataclass(eq=False)
class Trees:
    """Any number of trees on the same inputs.

    Nodes of all members stand in one array, member b's from first[b] on. `feature` is -1 in
    leaves; the children of node i are child[i] and child[i] + 1; in a leaf, child is its number,
    which counts through all members. Leaf l holds the classes class_[start[l]:start[l + 1]] with
    their weights; `value` is the mean of a leaf's numbers.
    """

    settings: "Tree"
    bins: Bins
    k: int
    two: bool  # whether the members tell the ones of a code from its zeros
    first: Array
    first_leaf: Array
    feature: Array
    low: Array
    high: Array
    child: Array
    right: Array
    set_at: Array
    sets: Array
    start: Array
    class_: Array
    weight: Array
    count: Array
    value: Array
    where: Array | None = field(default=None, repr=False)
    # Leaf of each training row in each member, (B, n), counted in the member; -1: not drawn.

    @property
    def members(self) -> int:
        return self.first.size - 1

    def __len__(self) -> int:
        return self.members

    def __repr__(self) -> str:
        return f"Trees({self.members} members, {self.k} classes, {self.feature.size} nodes)"

    @cached_property
    def threshold(self) -> Array:
        """The number that each node compares with: the middle of the gap between its rows.

        Infinite where all known values go left and the missing ones right; NaN in leaves and at
        nominal inputs.
        """
        threshold = np.full(self.feature.size, np.nan)
        at = np.flatnonzero(self.low >= 0)
        column = self.feature[at]
        upper = np.append(self.bins.upper, np.inf)
        lower = np.append(self.bins.lower, np.inf)
        left = upper[self.bins.first[column] + self.low[at]]
        alone = self.high[at] == self.bins.count[column]
        right = np.where(alone, np.inf, lower[self.bins.first[column] + self.high[at]])
        middle = left / 2 + right / 2
        # Between neighbours in floating point the middle may round up to the right one.
        threshold[at] = np.where((middle >= right) & ~alone, left, middle)
        return threshold

    @cached_property
    def _descent(self) -> Descent:
        return Descent(
            first=self.first,
            feature=self.feature,
            threshold=self.threshold,
            child=self.child,
            right=self.right,
            set_at=self.set_at,
            sets=self.sets,
            values=self.bins.nominal_values,
        )

    def leaves(self, X: Array) -> Array:
        """The leaf of each row in each member, (n, B), counted in the member."""
        return np.asarray(self._descent.leaves(X) - self.first_leaf[:-1].astype(np.int32))

    @cached_property
    def _totals(self) -> Array:
        """Weight in each leaf."""
        return np.add.reduceat(np.append(self.weight, 0.0), self.start[:-1])

    @cached_property
    def _label(self) -> Array:
        """The class with the largest weight in each leaf; the first of equal ones."""
        size = np.diff(self.start)
        leaf = np.repeat(np.arange(size.size), size)
        most = np.maximum.reduceat(self.weight, self.start[:-1])[leaf]
        at = np.flatnonzero(self.weight == most)[::-1]  # the last assignment stays: the first class
        label = np.empty(size.size, np.int32)
        label[leaf[at]] = self.class_[at]
        return label

    @cached_property
    def _shares(self) -> tuple[Array, Array, Array]:
        """Smoothed share of each entry, what each leaf leaves to the prior, prior by member."""
        smoothing = Smoothing.of(self.settings.smoothing, self.k)
        leaf = np.repeat(np.arange(self.start.size - 1), np.diff(self.start))
        amount = smoothing.amount
        share = self.weight / (self._totals[leaf] + amount)
        if amount == 0.0:
            return share, np.empty(0), np.empty((0, self.k))
        member = np.repeat(np.arange(self.members), np.diff(self.first_leaf))[leaf]
        prior = np.full((self.members, self.k), 1.0 / self.k)
        if not smoothing.even:
            prior = np.zeros((self.members, self.k))
            np.add.at(prior, (member, self.class_), self.weight)
            prior /= prior.sum(axis=1, keepdims=True)
        return share, amount / (self._totals + amount), prior

    @cached_property
    def _entries(self) -> tuple[Array, Array, Array, Array, Array]:
        """What `add_shares` needs of the leaves."""
        share, rest, prior = self._shares
        return self.start, self.class_, share, rest, prior

    @cached_property
    def _ones(self) -> Array:
        """P(one) in each leaf of a dichotomy, float32."""
        share, rest, prior = self._shares
        ones = np.zeros(self.start.size - 1)
        leaf = np.repeat(np.arange(self.start.size - 1), np.diff(self.start))
        is_one = self.class_ == 1
        ones[leaf[is_one]] = share[is_one]
        if rest.size:
            ones += rest * np.repeat(prior[:, 1], np.diff(self.first_leaf))
        return ones.astype(np.float32)

    def probabilities(self, X: Array) -> Array:
        """P(one) that each member of a dichotomy gives each row, (n, B), float32."""
        if not self.two:
            raise InputError("these trees tell k classes apart: ask for mean_probabilities")
        out = np.empty((len(X), self.members), np.float32)
        return self._descent.answer(X, take, (self._ones,), out)

    def mean_probabilities(self, X: Array) -> Array:
        """Class probabilities, the mean of those of all members, (n, k)."""
        out = np.zeros((len(X), self.k))
        self._descent.answer(X, add_shares, self._entries, out)
        out /= self.members
        return out

    def labels(self, X: Array) -> Array:
        """The class that each member decides for, (n, B); ties go to the first class."""
        out = np.empty((len(X), self.members), self._label.dtype)
        return self._descent.answer(X, take, (self._label,), out)

    def numbers(self, X: Array) -> Array:
        """The number that each member predicts, (n, B)."""
        out = np.empty((len(X), self.members))
        return self._descent.answer(X, take, (self.value,), out)

    def votes(self, X: Array, weights: Sequence[float] | Array | None = None) -> Array:
        """The weight of the members that decide for each class, (n, k)."""
        weight = np.ones(self.members) if weights is None else np.asarray(weights, np.float64)
        if weight.shape != (self.members,):
            raise InputError(f"weights: one number per member ({self.members}), got {weight.shape}")
        return self._descent.answer(X, vote, (self._label, weight), np.zeros((len(X), self.k)))

    def leaves_on_training(self) -> Array:
        """The leaf of each training row in each member, (n, B); -1 where it was not drawn."""
        if self.where is None:
            raise InputError("training rows were not kept: grow with keep_training=True")
        return self.where.T

    def labels_on_training(self) -> Array:
        """What each member decides for each training row, (n, B); -1 where it was not drawn."""
        local = self.leaves_on_training()
        label: Array = self._label.take(local + self.first_leaf[:-1])
        return label if local.size and local.min() >= 0 else np.where(local >= 0, label, -1)

    def refit(self, X: Array, y: Array, k: int | None = None, weights: Any = None) -> Refit:
        """Class weights of the given rows in every leaf: what substitution reads instead.

        `y` are class numbers 0 .. k - 1 (k: largest number + 1 if not given); `weights` (n,) if
        the rows do not all weigh one.
        """
        y = np.asarray(y, np.int64)
        k = int(y.max(initial=0)) + 1 if k is None else k
        counts, leaves = np.zeros((self.start.size - 1, k)), self.leaves(X)
        for b, first in enumerate(self.first_leaf[:-1].tolist()):
            last = int(self.first_leaf[b + 1])
            sums = np.bincount(leaves[:, b] * k + y, weights, (last - first) * k)
            counts[first:last] = sums.reshape(-1, k)
        return Refit(self.first_leaf, counts)

    def nodes(self, b: int) -> Nodes:
        """The nodes of one member, with their class weights."""
        return nodes_of(self, b)

    def member(self, b: int) -> "Tree":
        """One member as a fitted Tree, its classes the numbers 0 .. k - 1."""
        from sklearn.base import clone

        tree: Tree = clone(self.settings)
        return tree._take(self.nodes(b), np.arange(self.k))


def trees_of(
    settings: "Tree", bins: Bins, k: int, two: bool, grown: list[Grown], where: Any
) -> Trees:
    """Members, as they leave the kernels, put one after the other."""
    parts = []
    for tree in grown:
        first, first_leaf = np.array([0, tree.feature.size]), np.array([0, tree.count.size])
        parts.append(Trees(settings, bins, k, two, first, first_leaf, *tree))
    trees = joined(parts)
    trees.where = where
    return trees


def joined(parts: Sequence[Trees]) -> Trees:
    """The members of all parts, one part after the other. All must come from the same bins.

    >>> from heliast.learners.tree import TreeGrower, Tree
    >>> X = np.array([[1.0], [2.0], [3.0], [4.0]])
    >>> grower = TreeGrower(Tree(min_samples_leaf=1, min_samples_split=2), X)
    >>> parts = [grower.grow_classes(np.array(truth), 2) for truth in ([0, 0, 0, 1], [0, 1, 1, 1])]
    >>> joined(parts).labels(np.array([[1.2], [2.2], [3.9]]))
    array([[0, 0],
           [0, 1],
           [1, 1]], dtype=int32)
    """
    if len(parts) == 1:
        return parts[0]
    sizes = [part.feature.size for part in parts]
    nodes, leaves = _ends(sizes), _ends([part.count.size for part in parts])
    entries = _ends([part.class_.size for part in parts])
    sets = _ends([part.sets.size for part in parts])

    def put(name: str) -> Array:
        return np.concatenate([getattr(part, name) for part in parts])

    def shifted(name: str, by: Array) -> Array:
        """Positions of each part moved by what stands before it, and the end of all."""
        moved = [
            getattr(part, name)[:-1] + at for part, at in zip(parts, by.tolist(), strict=False)
        ]
        return np.append(np.concatenate(moved), by[-1])

    feature, child, set_at = put("feature"), put("child"), put("set_at")
    before = np.where(feature >= 0, np.repeat(nodes[:-1], sizes), np.repeat(leaves[:-1], sizes))
    child += before.astype(np.int32)
    set_at[set_at >= 0] += np.repeat(sets[:-1], sizes)[set_at >= 0].astype(np.int32)
    return replace(
        parts[0], first=shifted("first", nodes), first_leaf=shifted("first_leaf", leaves),
        feature=feature, low=put("low"), high=put("high"), child=child, right=put("right"),
        set_at=set_at, sets=put("sets"), start=shifted("start", entries), class_=put("class_"),
        weight=put("weight"), count=put("count"), value=put("value"), where=None,
    )  # fmt: skip


def _ends(sizes: list[int]) -> Array:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def each_probabilities(trees: Trees, X: Array) -> Iterator[Array]:
    """The class probabilities (n, k) of one member after the other; rows run down once."""
    numbered = trees._descent.leaves(X)
    for b in range(trees.members):
        out = np.zeros((numbered.shape[0], trees.k))
        add_shares(np.ascontiguousarray(numbered[None, :, b]), b, *trees._entries, out)
        yield out
