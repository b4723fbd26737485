"""Grown trees as flat arrays: what many members predict for many rows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._kernels.descent import Forest, add_shares, take, vote
from heliast._kernels.growing import Grown
from heliast.learners.tree._bins import Bins
from heliast.learners.tree._nodes import Nodes, levels_of
from heliast.learners.tree._settings import smoothing_of

if TYPE_CHECKING:
    from heliast.learners.tree._tree import Tree


@dataclass(eq=False)
class Trees:
    """Any number of trees on the same features.

    `grown` holds the arrays of all members, one member after the other; numbers of nodes and leaves
    in them count from the beginning of the member.
    """

    settings: "Tree"
    bins: Bins
    k: int
    two: bool  # whether the members tell the ones of a code from its zeros
    grown: Grown
    sizes: Array  # (B, 3): nodes, leaves and values in `sets` of each member
    # Leaf of each training row in each member, (B, n), counted in the member; -1: not drawn.
    where: Array | None = field(default=None, repr=False)

    @property
    def members(self) -> int:
        return len(self.sizes)

    def __len__(self) -> int:
        return self.members

    def __repr__(self) -> str:
        return f"Trees({self.members} members, {self.k} classes, {self.grown.feature.size} nodes)"

    # Where things begin ------------------------------------------------------------------------

    @cached_property
    def first(self) -> Array:
        """Where the nodes, leaves and sets of each member begin, and their ends: (B + 1, 3)."""
        return np.concatenate([np.zeros((1, 3), np.int64), np.cumsum(self.sizes, axis=0)])

    @cached_property
    def start(self) -> Array:
        """Where the entries of each leaf begin, and one more at the end."""
        return np.concatenate([[0], np.cumsum(self.grown.entries)])

    @cached_property
    def threshold(self) -> Array:
        """The number that each node compares with: the middle of the gap between its rows.

        Infinite where all known values go left and the missing ones right; NaN in leaves and at
        nominal features.
        """
        grown, bins = self.grown, self.bins
        threshold = np.full(grown.feature.size, np.nan)
        at = np.flatnonzero(grown.low >= 0)
        column = grown.feature[at]
        left = bins.upper[bins.first[column] + grown.low[at]]
        alone = grown.high[at] == bins.count[column]
        lower = np.append(bins.lower, np.inf)
        right = np.where(alone, np.inf, lower[bins.first[column] + grown.high[at]])
        middle = left / 2 + right / 2
        # Between neighbours in floating point the middle may round up to the right one.
        threshold[at] = np.where((middle >= right) & ~alone, left, middle)
        return threshold

    @cached_property
    def _forest(self) -> Forest:
        grown, (nodes, leaves, sets) = self.grown, self.first[:-1].T
        begins = (np.repeat(begin, self.sizes[:, 0]).astype(np.int32) for begin in (nodes, leaves))
        set_at = grown.set_at + np.repeat(sets, self.sizes[:, 0])
        return Forest(
            first=self.first[:, 0].copy(),
            feature=grown.feature,
            threshold=self.threshold,
            child=grown.child + np.where(grown.feature >= 0, *begins),
            right=grown.right,
            set_at=np.where(grown.set_at >= 0, set_at, -1).astype(np.int32),
            sets=grown.sets,
            values=self.bins.nominal_values,
        )

    # What the leaves say -----------------------------------------------------------------------

    @cached_property
    def _label(self) -> Array:
        """The class with the largest weight in each leaf; the first of equal ones."""
        grown = self.grown
        leaf = np.repeat(np.arange(grown.entries.size), grown.entries)
        most = np.maximum.reduceat(grown.weight, self.start[:-1])[leaf]
        at = np.flatnonzero(grown.weight == most)[::-1]  # the last stays: the first class
        label = np.empty(grown.entries.size, np.int32)
        label[leaf[at]] = grown.class_[at]
        return label

    @cached_property
    def _shares(self) -> tuple[Array, Array, Array, Array, Array]:
        """Entries of the leaves as `add_shares` takes them.

        Start, class and smoothed share of the entries, what each leaf leaves to the prior, and the
        prior of each member.
        """
        grown, (amount, is_even) = self.grown, smoothing_of(self.settings.smoothing, self.k)
        total = np.add.reduceat(np.append(grown.weight, 0.0), self.start[:-1])
        share = grown.weight / (np.repeat(total, grown.entries) + amount)
        if amount == 0.0:
            return self.start, grown.class_, share, np.empty(0), np.empty((0, self.k))
        prior = np.full((self.members, self.k), 1.0 / self.k)
        if not is_even:
            member = np.repeat(np.repeat(np.arange(self.members), self.sizes[:, 1]), grown.entries)
            prior = np.zeros((self.members, self.k))
            np.add.at(prior, (member, grown.class_), grown.weight)
            prior /= prior.sum(axis=1, keepdims=True)
        return self.start, grown.class_, share, amount / (total + amount), prior

    @cached_property
    def _ones(self) -> Array:
        """P(one) in each leaf of a dichotomy, float32."""
        _, class_, share, rest, prior = self._shares
        ones, is_one = np.zeros(self.grown.entries.size), class_ == 1
        ones[np.repeat(np.arange(ones.size), self.grown.entries)[is_one]] = share[is_one]
        if rest.size:
            ones += rest * np.repeat(prior[:, 1], self.sizes[:, 1])
        return ones.astype(np.float32)

    # Answers -----------------------------------------------------------------------------------

    def _answer(
        self, X: Array, of_leaves: Callable[..., None], arguments: tuple[Any, ...], out: Array
    ) -> Array:
        X, columns = np.asarray(X), self.bins.nominal.size
        if X.ndim != 2 or X.shape[1] != columns:
            raise InputError(f"X has shape {X.shape}; the trees were grown on {columns} columns")
        return self._forest.answer(X, of_leaves, arguments, out)

    def _of_leaves(self, X: Array, value: Array) -> Array:
        """The value of the leaf that each row reaches in each member, (n, B)."""
        return self._answer(X, take, (value,), np.empty((len(X), self.members), value.dtype))

    def leaves(self, X: Array) -> Array:
        """The leaf of each row in each member, (n, B), counted in the member."""
        number = np.arange(self.grown.entries.size) - np.repeat(
            self.first[:-1, 1], self.sizes[:, 1]
        )
        return self._of_leaves(X, number.astype(np.int32))

    def labels(self, X: Array) -> Array:
        """The class that each member decides for, (n, B); ties go to the first class."""
        return self._of_leaves(X, self._label)

    def numbers(self, X: Array) -> Array:
        """The number that each member predicts, (n, B)."""
        return self._of_leaves(X, self.grown.value)

    def probabilities(self, X: Array) -> Array:
        """P(one) that each member of a dichotomy gives each row, (n, B), float32."""
        if not self.two:
            raise InputError("these trees tell k classes apart: ask for mean_probabilities")
        return self._of_leaves(X, self._ones)

    def mean_probabilities(self, X: Array) -> Array:
        """Class probabilities, the mean of those of all members, (n, k)."""
        out = self._answer(X, add_shares, self._shares, np.zeros((len(X), self.k)))
        out /= self.members
        return out

    def each_probabilities(self, X: Array) -> Iterator[Array]:
        """The class probabilities (n, k) of one member after the other; rows run down once."""
        leaf = self.leaves(X) + self.first[:-1, 1].astype(np.int32)
        for b in range(self.members):
            out = np.zeros((len(leaf), self.k))
            add_shares(np.ascontiguousarray(leaf[None, :, b]), b, *self._shares, out)
            yield out

    def votes(self, X: Array, weights: Sequence[float] | Array | None = None) -> Array:
        """The weight of the members that decide for each class, (n, k)."""
        weight = np.ones(self.members) if weights is None else np.asarray(weights, np.float64)
        if weight.shape != (self.members,):
            raise InputError(f"weights: one number per member ({self.members}), got {weight.shape}")
        return self._answer(X, vote, (self._label, weight), np.zeros((len(X), self.k)))

    def leaves_on_training(self) -> Array:
        """The leaf of each training row in each member, (n, B); -1 where it was not drawn."""
        if self.where is None:
            raise InputError("training rows were not kept: grow with keep_training=True")
        return self.where.T

    def labels_on_training(self) -> Array:
        """What each member decides for each training row, (n, B); -1 where it was not drawn."""
        leaf = self.leaves_on_training()
        label: Array = self._label.take(leaf + self.first[:-1, 1])
        return label if leaf.size and leaf.min() >= 0 else np.where(leaf >= 0, label, -1)

    # Members -----------------------------------------------------------------------------------

    def nodes(self, b: int) -> Nodes:
        """The nodes of one member; what inner nodes hold is the sum of their leaves'."""
        grown, (node, leaf, set_) = self.grown, self.first[b]
        own, end = slice(node, self.first[b + 1, 0]), self.first[b + 1, 1]
        feature, child = grown.feature[own], grown.child[own]
        is_leaf = feature < 0
        left = np.where(is_leaf, -1, child).astype(np.int64)
        place = np.empty(end - leaf, np.int64)  # the node of each leaf
        place[child[is_leaf]] = np.flatnonzero(is_leaf)
        entries = slice(self.start[leaf], self.start[end])
        counts, rows, mean = np.zeros((feature.size, self.k)), *np.zeros((2, feature.size))
        in_leaf = np.repeat(place, grown.entries[leaf:end])
        counts[in_leaf, grown.class_[entries]] = grown.weight[entries]
        rows[place] = grown.count[leaf:end]
        if grown.value.size:
            mean[place] = grown.value[leaf:end]
        for level in reversed(levels_of(left)):
            below = left[level], left[level] + 1
            counts[level], rows[level] = (
                sums[below[0]] + sums[below[1]] for sums in (counts, rows)
            )
            weight = counts.sum(axis=1)
            mean[level] = sum(weight[child] * mean[child] for child in below) / weight[level]
        return Nodes(
            feature=feature.copy(),
            threshold=self.threshold[own].copy(),
            left=left,
            counts=counts,
            rows=rows,
            mean=mean,
            missing_right=grown.right[own] == 1,
            set_at=grown.set_at[own].copy(),
            sets=grown.sets[set_ : self.first[b + 1, 2]],
            values=self.bins.nominal_values,
        )

    def member(self, b: int) -> "Tree":
        """One member as a fitted Tree, its classes the numbers 0 .. k - 1."""
        from sklearn.base import clone

        tree: Tree = clone(self.settings)
        return tree._take(self.nodes(b), np.arange(self.k))


def trees_of(
    settings: "Tree", bins: Bins, k: int, two: bool, grown: list[Grown], where: Array | None
) -> Trees:
    """Members, as they leave the kernels, put one after the other."""
    sizes = [(tree.feature.size, tree.entries.size, tree.sets.size) for tree in grown]
    return Trees(settings, bins, k, two, _chained(grown), np.array(sizes), where)


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
    grown, sizes = _chained([part.grown for part in parts]), [part.sizes for part in parts]
    return replace(parts[0], grown=grown, sizes=np.concatenate(sizes), where=None)


def _chained(parts: Sequence[Grown]) -> Grown:
    return Grown(*map(np.concatenate, zip(*parts, strict=True)))
