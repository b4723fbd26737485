"""Pruning a grown tree: by pessimistic errors, or by its complexity."""

import numpy as np

from heliast._core.kinds import Array
from heliast._core.pessimistic import Form, pessimistic_errors
from heliast.learners.tree._nodes import Nodes


def errors_of(counts: Array) -> Array:
    """The weight of the rows that a leaf with these class counts gets wrong."""
    wrong: Array = counts.sum(axis=-1) - counts.max(axis=-1)
    return wrong


def pessimistic(nodes: Nodes, confidence: float = 0.25, form: Form = "c4.5") -> Nodes:
    """Collapse every subtree whose root, as a leaf, has no more pessimistic errors than its leaves.

    From the leaves up: a node becomes a leaf if its own pessimistic error is at most the sum of
    those of the leaves below it, as these are after pruning. `heliast.learners.tree.raised` may
    also put a branch in the place of its parent. How sure a share of errors is depends on the rows,
    what it is worth on their weight: weights times a constant prune alike.

    Reference: J. R. Quinlan (1993). C4.5: programs for machine learning, section 4.2.
    """
    alone = pessimistic_share(nodes, confidence, form) * nodes.counts.sum(axis=1)
    below = alone.copy()
    collapse = np.zeros(len(nodes), bool)
    for i in np.flatnonzero(~nodes.is_leaf)[::-1]:
        below[i] = below[nodes.left[i]] + below[nodes.right[i]]
        if alone[i] <= below[i]:
            below[i] = alone[i]
            collapse[i] = True
    return nodes.pruned(collapse)


def pessimistic_share(nodes: Nodes, confidence: float = 0.25, form: Form = "c4.5") -> Array:
    """The upper limit of the error of each node, if it were a leaf."""
    weight = nodes.counts.sum(axis=1)
    each = np.divide(weight, nodes.rows, out=np.ones(len(nodes)), where=weight > 0)
    wrong = each * pessimistic_errors(errors_of(nodes.counts) / each, nodes.rows, confidence, form)
    share: Array = np.divide(wrong, weight, out=np.zeros(len(nodes)), where=weight > 0)
    return share


def cost_complexity(nodes: Nodes, complexity: float) -> Nodes:
    """The smallest subtree that minimises error + complexity * leaves (weakest links cut first).

    The error is the share of the training weight that is wrong.

    Reference: L. Breiman, J. Friedman, R. Olshen, C. Stone (1984). Classification and regression
    trees, chapter 3.
    """
    path = complexity_path(nodes)
    # Links whose price is the complexity itself are cut: the smallest of equals.
    return nodes.pruned(path.cut_at <= complexity * (1 + 1e-12))


def complexity_path(nodes: Nodes) -> "Path":
    """At which complexity each node becomes a leaf, or is gone with one above it."""
    error = errors_of(nodes.counts) / nodes.counts[0].sum()
    return Path.of(nodes, error)


class Path:
    """The nested subtrees of a tree: `complexities` rise, `leaves` fall.

    `cut_at` holds for every node the complexity from which on it is a leaf; infinite for leaves.
    """

    def __init__(self, cut_at: Array, complexities: Array, leaves: Array) -> None:
        self.cut_at = cut_at
        self.complexities = complexities
        self.leaves = leaves

    @classmethod
    def of(cls, nodes: Nodes, error: Array) -> "Path":
        """Cut the weakest link again and again: least error gained for each leaf that goes."""
        inner = np.flatnonzero(~nodes.is_leaf)
        cut_at = np.full(len(nodes), np.inf)
        complexities, leaves = [0.0], [nodes.leaves]
        lowest = 0.0
        while inner.size:
            below, size = _sums(nodes, error, cut_at)
            price = (error[inner] - below[inner]) / np.maximum(size[inner] - 1, 1)
            lowest = max(lowest, float(price.min()))
            weak = inner[price <= lowest * (1 + 1e-12) + 1e-15]
            cut_at[weak] = lowest
            inner = _open(nodes, cut_at)
            complexities.append(lowest)
            leaves.append(int(_sums(nodes, error, cut_at)[1][0]))
        return cls(cut_at, np.array(complexities), np.array(leaves))


def _sums(nodes: Nodes, error: Array, cut_at: Array) -> tuple[Array, Array]:
    """Error and number of the leaves below each node, where what is cut is a leaf."""
    leaf = nodes.is_leaf | np.isfinite(cut_at)
    below, size = error.copy(), np.ones(len(nodes), np.int64)
    for i in np.flatnonzero(~leaf)[::-1]:
        below[i] = below[nodes.left[i]] + below[nodes.right[i]]
        size[i] = size[nodes.left[i]] + size[nodes.right[i]]
    return below, size


def _open(nodes: Nodes, cut_at: Array) -> Array:
    """Inner nodes that are neither cut nor below one that is."""
    alive = np.zeros(len(nodes), bool)
    alive[0] = not nodes.is_leaf[0] and np.isinf(cut_at[0])
    for i in np.flatnonzero(~nodes.is_leaf):
        if alive[i]:
            for child in (nodes.left[i], nodes.right[i]):
                alive[child] = not nodes.is_leaf[child] and np.isinf(cut_at[child])
    return np.flatnonzero(alive)
