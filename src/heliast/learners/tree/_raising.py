"""Pruning with subtree raising: the larger branch may take the place of its parent."""

from dataclasses import dataclass, replace

import numpy as np

from heliast._core.kinds import Array
from heliast._core.pessimistic import Form, pessimistic_errors
from heliast.learners.tree._nodes import Nodes, deviance_of
from heliast.learners.tree._pruning import errors_of


@dataclass
class _Node:
    """A node while the tree is being changed: the split of `at`, or a leaf; its training rows."""

    at: int
    rows: Array
    counts: Array
    left: "_Node | None" = None
    right: "_Node | None" = None

    def become(self, other: "_Node") -> None:
        self.at, self.left, self.right = other.at, other.left, other.right


def raised(
    nodes: Nodes,
    X: Array,
    truth: Array,
    weight: Array,
    confidence: float = 0.25,
    form: Form = "c4.5",
) -> Nodes:
    """Pessimistic pruning in which a node may become a leaf or be replaced by its larger branch.

    From the leaves up, the least of three pessimistic errors wins: the node as a leaf, the larger
    branch with all rows of the node sent down it, the subtree as it is. A branch that was raised
    is pruned again with its new rows. Needs the training rows the tree was grown on.

    Reference: J. R. Quinlan (1993). C4.5: programs for machine learning, section 4.2.
    """
    return _Raising(nodes, X, truth, weight, confidence, form).run()


class _Raising:
    def __init__(
        self, nodes: Nodes, X: Array, truth: Array, weight: Array, confidence: float, form: Form
    ) -> None:
        self.nodes, self.X, self.truth, self.weight = nodes, X, truth, weight
        self.k = nodes.counts.shape[1]
        self.confidence, self.form = confidence, form

    def run(self) -> Nodes:
        root = self._copy()
        self._settle(root)
        return self._flat(root)

    def _copy(self) -> _Node:
        """The tree as linked nodes with their rows."""
        root = self._node(0, np.flatnonzero(self.weight > 0))
        todo = [root]
        while todo:
            node = todo.pop()
            if self.nodes.feature[node.at] < 0:
                continue
            left = self._goes_left(node.at, node.rows)
            node.left = self._node(int(self.nodes.left[node.at]), node.rows[left])
            node.right = self._node(int(self.nodes.right[node.at]), node.rows[~left])
            todo += [node.left, node.right]
        return root

    def _node(self, at: int, rows: Array) -> _Node:
        return _Node(at, rows, np.bincount(self.truth[rows], self.weight[rows], self.k))

    def _goes_left(self, at: int, rows: Array) -> Array:
        nodes, value = self.nodes, self.X[rows, self.nodes.feature[at]]
        subset, values = nodes.subset(at), nodes.values[nodes.feature[at]]
        if subset is None:
            known, left = ~np.isnan(value), value <= nodes.threshold[at]
        else:
            known, left = np.isin(value, values), np.isin(value, subset)
        return np.asarray(np.where(known, left, not nodes.missing_right[at]))

    def _settle(self, top: _Node) -> None:
        """Decide every node below and including `top`, children first."""
        for node in _children_first(top):
            if node.left is None or node.right is None:
                continue
            larger = node.left if len(node.left.rows) >= len(node.right.rows) else node.right
            leaf = self._leaf_errors(node.counts)
            as_is = self._errors(node)
            branch = self._errors(self._sent_down(larger, node.rows))
            if leaf <= as_is and leaf <= branch:
                node.left = node.right = None
            elif branch <= as_is:
                node.become(self._sent_down(larger, node.rows))
                self._settle(node)

    def _sent_down(self, top: _Node, rows: Array) -> _Node:
        """A copy of the subtree with these rows in it."""
        copy = self._node(top.at, rows)
        todo = [(top, copy)]
        while todo:
            old, new = todo.pop()
            if old.left is None or old.right is None:
                continue
            left = self._goes_left(old.at, new.rows)
            new.left = self._node(old.left.at, new.rows[left])
            new.right = self._node(old.right.at, new.rows[~left])
            todo += [(old.left, new.left), (old.right, new.right)]
        return copy

    def _errors(self, top: _Node) -> float:
        leaves = [node.counts for node in _children_first(top) if node.left is None]
        return self._leaf_errors(np.array(leaves))

    def _leaf_errors(self, counts: Array) -> float:
        counts = np.atleast_2d(counts)
        limits = pessimistic_errors(
            errors_of(counts), counts.sum(axis=1), self.confidence, self.form
        )
        return float(limits.sum())

    def _flat(self, root: _Node) -> Nodes:
        """The linked nodes as arrays again, parents before children."""
        order = [root]
        left: list[int] = []
        depth = [0]
        for i, node in enumerate(order):  # the list grows while it is read
            left.append(-1 if node.left is None else len(order))
            if node.left is not None and node.right is not None:
                order += [node.left, node.right]
                depth += [depth[i] + 1] * 2
        at = np.array([node.at for node in order])
        child, leaf = np.array(left), np.array(left) < 0
        counts = np.array([node.counts for node in order])
        old = self.nodes
        return replace(
            old,
            feature=np.where(leaf, -1, old.feature[at]),
            threshold=np.where(leaf, np.nan, old.threshold[at]),
            left=child,
            right=np.where(leaf, -1, child + 1),
            counts=counts,
            rows=np.array([float(len(node.rows)) for node in order]),
            deviance=deviance_of(counts),
            depth=np.array(depth),
            mean=old.mean[at],
            missing_right=old.missing_right[at] & ~leaf,
            set_at=np.where(leaf, -1, old.set_at[at]).astype(np.int32),
        )


def _children_first(top: _Node) -> list[_Node]:
    order = [top]
    for node in order:  # the list grows while it is read
        if node.left is not None and node.right is not None:
            order += [node.left, node.right]
    return order[::-1]
