"""The nodes of one tree as arrays: what is shown, pruned and predicted from."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from heliast._core.kinds import Array
from heliast._core.pessimistic import Form, pessimistic_errors
from heliast._kernels.descent import Forest


@dataclass(frozen=True)
class Nodes:
    """Node 0 is the root; children have larger numbers than their parents.

    Rows go left where x <= threshold; at nominal features where the value is in `subset`; where a
    value is missing (or was never seen), right if `missing_right`. Leaves have feature -1 and
    children -1.
    """

    feature: Array
    threshold: Array
    left: Array  # the right child is the next node
    counts: Array  # weight of each class in each node, (nodes, k); of numbers all in one column
    rows: Array  # how many training rows, copies counted
    mean: Array  # of the numbers in each node
    missing_right: Array
    set_at: Array  # where in `sets` the values begin, 1 goes left; -1 at numeric features
    sets: Array
    values: tuple[Array | None, ...]  # the values of each nominal feature; None for numeric ones

    def __len__(self) -> int:
        return self.feature.size

    @property
    def is_leaf(self) -> Array:
        return self.feature < 0

    @property
    def leaves(self) -> int:
        """How many leaves there are."""
        return int(self.is_leaf.sum())

    @property
    def right(self) -> Array:
        return np.where(self.is_leaf, -1, self.left + 1)

    @property
    def deviance(self) -> Array:
        """-2 Σ n_c log(n_c / n) of each node."""
        total = self.counts.sum(axis=1, keepdims=True)
        share = np.divide(self.counts, total, out=np.ones_like(self.counts), where=self.counts > 0)
        return np.asarray(-2.0 * (self.counts * np.log(share)).sum(axis=1) + 0.0)

    @property
    def levels(self) -> list[Array]:
        """The nodes with children on each level, from the root down."""
        return levels_of(self.left)

    @property
    def depth(self) -> Array:
        """How many questions lead to each node."""
        depth = np.zeros(len(self), np.int64)
        for number, level in enumerate(self.levels, 1):
            depth[self.left[level]] = depth[self.left[level] + 1] = number
        return depth

    def subset(self, i: int) -> Array | None:
        """The values of a nominal feature that go left from node i; None at numeric features."""
        values = self.values[self.feature[i]]
        if self.feature[i] < 0 or values is None:
            return None
        goes_left = self.sets[self.set_at[i] : self.set_at[i] + values.size] == 1
        return np.asarray(values[goes_left])

    @cached_property
    def forest(self) -> Forest:
        """For rows to run down to the numbers of their leaves among the nodes."""
        return Forest(
            first=np.array([0, len(self)]),
            feature=self.feature.astype(np.int32),
            threshold=self.threshold,
            child=np.where(self.is_leaf, np.arange(len(self)), self.left).astype(np.int32),
            right=self.missing_right.astype(np.int32),
            set_at=self.set_at,
            sets=self.sets,
            values=self.values,
        )

    def pruned(self, collapse: Array) -> "Nodes":
        """The tree in which the chosen nodes (a mask) are leaves and what is below them is gone."""
        kept = np.arange(len(self)) == 0
        for level in self.levels:
            kept[self.left[level]] = kept[self.left[level] + 1] = kept[level] & ~collapse[level]
        number = np.cumsum(kept) - 1
        leaf = (collapse | self.is_leaf)[kept]
        return replace(
            self,
            feature=np.where(leaf, -1, self.feature[kept]),
            threshold=np.where(leaf, np.nan, self.threshold[kept]),
            left=np.where(leaf, -1, number[self.left[kept]]),
            counts=self.counts[kept],
            rows=self.rows[kept],
            mean=self.mean[kept],
            missing_right=self.missing_right[kept] & ~leaf,
            set_at=np.where(leaf, -1, self.set_at[kept]).astype(np.int32),
        )


def levels_of(left: Array) -> list[Array]:
    """The nodes with children on each level.

    >>> levels_of(np.array([1, -1, 3, -1, -1]))
    [array([0]), array([2])]
    """
    levels, level = [], np.flatnonzero(left[:1] >= 0)
    while level.size:
        levels.append(level)
        children = np.concatenate([left[level], left[level] + 1])
        level = children[left[children] >= 0]
    return levels


# Pruning by pessimistic errors ----------------------------------------------------------------


def errors_of(counts: Array) -> Array:
    """The weight of the rows that a leaf with these class counts gets wrong."""
    wrong: Array = counts.sum(axis=-1) - counts.max(axis=-1)
    return wrong


def pessimistic(nodes: Nodes, confidence: float = 0.25, form: Form = "c4.5") -> Nodes:
    """Collapse every subtree whose root, as a leaf, has no more pessimistic errors than its leaves.

    From the leaves up: a node becomes a leaf if its own pessimistic error is at most the sum of
    those of the leaves below it, as these are after pruning. How sure a share of errors is depends
    on the rows, what it is worth on their weight: weights times a constant prune alike.

    Reference: J. R. Quinlan (1993). C4.5: programs for machine learning, section 4.2.
    """
    errors = pessimistic_share(nodes, confidence, form) * nodes.counts.sum(axis=1)
    collapse = np.zeros(len(nodes), bool)
    for level in reversed(nodes.levels):
        below = errors[nodes.left[level]] + errors[nodes.left[level] + 1]
        collapse[level] = errors[level] <= below
        errors[level] = np.minimum(errors[level], below)
    return nodes.pruned(collapse)


def pessimistic_share(nodes: Nodes, confidence: float = 0.25, form: Form = "c4.5") -> Array:
    """The upper limit of the error of each node, if it were a leaf."""
    weight = nodes.counts.sum(axis=1)
    each = np.divide(weight, nodes.rows, out=np.ones(len(nodes)), where=weight > 0)
    wrong = each * pessimistic_errors(errors_of(nodes.counts) / each, nodes.rows, confidence, form)
    share: Array = np.divide(wrong, weight, out=np.zeros(len(nodes)), where=weight > 0)
    return share
