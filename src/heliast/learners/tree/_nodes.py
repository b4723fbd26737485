"""The nodes of one tree as arrays: what is drawn, pruned and exported."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from heliast._core.kinds import Array
from heliast.learners.tree._descent import Descent

if TYPE_CHECKING:
    from heliast.learners.tree._trees import Trees


@dataclass(frozen=True)
class Nodes:
    """Node 0 is the root; children have larger numbers than their parents.

    Rows go left where x <= threshold; at nominal inputs where the value is in `subset`; where a
    value is missing (or was never seen), right if `missing_right`. Leaves have feature -1 and
    children -1.
    """

    feature: Array
    threshold: Array
    left: Array
    right: Array
    counts: Array  # weight of each class in each node, (nodes, k); of numbers all in one column
    rows: Array  # how many training rows, copies counted
    deviance: Array  # -2 Σ n_c log(n_c / n); 0 for numbers
    depth: Array
    missing_right: Array
    set_at: Array  # where in `sets` the values begin, 1 goes left; -1 at numeric features
    sets: Array
    values: tuple[Array | None, ...]  # the values of each nominal feature; None for numeric ones
    mean: Array  # of the numbers in each node

    def __len__(self) -> int:
        return self.feature.size

    @property
    def is_leaf(self) -> Array:
        return self.feature < 0

    @property
    def leaves(self) -> int:
        """How many leaves there are."""
        return int(self.is_leaf.sum())

    def subset(self, i: int) -> Array | None:
        """The values of a nominal input that go left from node i; None at numeric inputs."""
        values = self.values[self.feature[i]]
        if self.feature[i] < 0 or values is None:
            return None
        goes_left = self.sets[self.set_at[i] : self.set_at[i] + values.size] == 1
        return np.asarray(values[goes_left])

    def descent(self) -> Descent:
        """For rows to run down to the numbers of their leaves among the nodes."""
        number = np.arange(len(self))
        return Descent(
            first=np.array([0, len(self)]),
            feature=self.feature.astype(np.int32),
            threshold=self.threshold,
            child=np.where(self.is_leaf, number, self.left).astype(np.int32),
            right=self.missing_right.astype(np.int32),
            set_at=self.set_at,
            sets=self.sets,
            values=self.values,
        )

    def pruned(self, collapse: Array) -> "Nodes":
        """The tree in which the chosen nodes are leaves and what is below them is gone.

        `collapse` is a mask over the nodes or a list of node numbers.
        """
        chosen = np.zeros(len(self), bool)
        if np.size(collapse):
            chosen[np.asarray(collapse)] = True
        kept = np.zeros(len(self), bool)
        kept[0] = True
        for i in range(len(self)):
            if kept[i] and not chosen[i] and self.feature[i] >= 0:
                kept[self.left[i]] = kept[self.right[i]] = True
        number = np.cumsum(kept) - 1
        leaf = (chosen | self.is_leaf)[kept]
        return replace(
            self,
            feature=np.where(leaf, -1, self.feature[kept]),
            threshold=np.where(leaf, np.nan, self.threshold[kept]),
            left=np.where(leaf, -1, number[self.left[kept]]),
            right=np.where(leaf, -1, number[self.right[kept]]),
            counts=self.counts[kept],
            rows=self.rows[kept],
            deviance=self.deviance[kept],
            depth=self.depth[kept],
            mean=self.mean[kept],
            missing_right=self.missing_right[kept] & ~leaf,
            set_at=np.where(leaf, -1, self.set_at[kept]).astype(np.int32),
        )


def deviance_of(counts: Array) -> Array:
    """-2 Σ n_c log(n_c / n) of each row of class weights.

    >>> deviance_of(np.array([[1.0, 1.0], [4.0, 0.0]]))
    array([2.77258872, 0.        ])
    """
    total = counts.sum(axis=-1, keepdims=True)
    share = np.divide(counts, total, out=np.ones_like(counts), where=counts > 0)
    # Adding zero turns the negative zero of a pure node into zero.
    value: Array = -2.0 * (counts * np.log(share)).sum(axis=-1) + 0.0
    return value


def nodes_of(trees: "Trees", b: int) -> Nodes:
    """The nodes of member b; counts of inner nodes are the sums of their leaves'."""
    begin, end = trees.first[b], trees.first[b + 1]
    feature = trees.feature[begin:end]
    inner = np.flatnonzero(feature >= 0)
    left = np.full(feature.size, -1, np.int64)
    left[inner] = trees.child[begin:end][inner] - begin
    depth = _depths(left, inner)
    counts, rows, mean = np.zeros((feature.size, trees.k)), *np.zeros((2, feature.size))
    at = np.flatnonzero(feature < 0)
    leaf = trees.child[begin:end][at]
    sizes = trees.start[leaf + 1] - trees.start[leaf]
    entry = np.repeat(trees.start[leaf] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
    counts[np.repeat(at, sizes), trees.class_[entry]] = trees.weight[entry]
    rows[at] = trees.count[leaf]
    mean[at] = trees.value[leaf] if trees.value.size else 0.0
    for level in range(int(depth.max(initial=0)) - 1, -1, -1):
        parent = inner[depth[inner] == level]
        counts[parent] = counts[left[parent]] + counts[left[parent] + 1]
        rows[parent] = rows[left[parent]] + rows[left[parent] + 1]
        weight = counts.sum(axis=1)
        sums = [weight[child] * mean[child] for child in (left[parent], left[parent] + 1)]
        mean[parent] = (sums[0] + sums[1]) / weight[parent]
    return Nodes(
        feature=feature.copy(),
        threshold=trees.threshold[begin:end].copy(),
        left=left,
        right=np.where(left >= 0, left + 1, -1),
        counts=counts,
        rows=rows,
        deviance=deviance_of(counts),
        depth=depth,
        missing_right=trees.right[begin:end] == 1,
        set_at=trees.set_at[begin:end].copy(),
        sets=trees.sets,
        values=trees.bins.nominal_values,
        mean=mean,
    )


def _depths(left: Array, inner: Array) -> Array:
    depth = np.zeros(left.size, np.int64)
    at = np.array([0]) if inner.size else np.empty(0, np.int64)
    level = 0
    while at.size:
        depth[at] = level
        below = left[at[left[at] >= 0]]
        at = np.concatenate([below, below + 1])
        level += 1
    return depth
