"""Trees as section 3.6 has them: cut back to so many leaves, tied classes of a leaf drawn."""

from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from heliast.learners import Tree
from heliast.learners.tree._pruning import Path

Array = npt.NDArray[Any]


class Leafy(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A tree pruned by deviance, weakest links first, until it has at most `leaves`.

    Ten classes of five rows each often leave two classes with five rows in one leaf. Which of them
    such a leaf stands for is drawn: a fixed rule would turn variance into bias.
    """

    def __init__(self, tree: Any = None, leaves: int | None = None, random_state: Any = None):
        self.tree = tree
        self.leaves = leaves
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Grow, prune, and draw the classes of the leaves."""
        self.tree_ = clone(self.tree or Tree()).fit(X, y)
        self.classes_ = self.tree_.classes_
        counts = self.tree_.nodes_.counts
        chance = np.random.default_rng(self.random_state)
        drawn = np.where(
            counts == counts.max(axis=1, keepdims=True), chance.random(counts.shape), 0
        )
        self.label_ = self.classes_[drawn.argmax(axis=1)][self._owners()]
        return self

    def _owners(self) -> Array:
        """For each node of the grown tree, the one that speaks for it in the pruned tree."""
        nodes = self.tree_.nodes_
        owner = np.arange(len(nodes))
        if self.leaves is None or nodes.leaves <= self.leaves:
            return owner
        path = Path.of(nodes, nodes.deviance)
        first = int(np.flatnonzero(path.leaves <= self.leaves)[0])
        cut = path.cut_at <= path.complexities[first] * (1 + 1e-12)
        for i in np.flatnonzero(~nodes.is_leaf):  # a node stands before its children
            if cut[i] or owner[i] != i:
                owner[[nodes.left[i], nodes.right[i]]] = owner[i]
        return owner

    def predict(self, X: Any) -> Array:
        """The class drawn for the leaf that each row reaches."""
        label: Array = self.label_[self.tree_.apply(X)]
        return label
