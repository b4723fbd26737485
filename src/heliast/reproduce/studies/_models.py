"""Classifiers of the documents' experiments, as scikit-learn estimators."""

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from heliast._core.kinds import Array
from heliast.learners import Tree
from heliast.learners.tree import Path

LEAST = 1e-6
"""Errors of 0 and 1 have no finite weight."""


class PrintedBoosting(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """AdaBoost by drawing to the letter: a member with error above 1/2 gets a negative vote.

    With e the weight of the rows that a member gets wrong, w becomes w e / (1 - e) where it is
    right, and its vote is log((1 - e) / e).

    Reference: thesis, section 2.5.2, which has no rule for members worse than a coin.
    """

    def __init__(self, base: Any = None, rounds: int = 100, random_state: Any = None) -> None:
        self.base = base
        self.rounds = rounds
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        X, y = np.asarray(X), np.asarray(y)
        rng = np.random.default_rng(self.random_state)
        weights = np.full(len(y), 1 / len(y))
        self.classes_ = np.unique(y)
        self.members_: list[Any] = []
        self.votes_: list[float] = []
        for _ in range(self.rounds):
            rows = rng.choice(len(y), len(y), p=weights)
            self.members_.append(clone(self.base).fit(X[rows], y[rows]))
            wrong = self.members_[-1].predict(X) != y
            error = min(max(float(weights[wrong].sum()), LEAST), 1 - LEAST)
            weights = np.where(wrong, weights, weights * error / (1 - error))
            weights /= weights.sum()
            self.votes_.append(float(np.log((1 - error) / error)))
        return self

    def staged_predict(self, X: Any) -> Iterator[Array]:
        """The labels after the first member, the second, ..."""
        X = np.asarray(X)
        total, each = np.zeros((len(X), len(self.classes_))), np.arange(len(X))
        for member, vote in zip(self.members_, self.votes_, strict=True):
            total[each, np.searchsorted(self.classes_, member.predict(X))] += vote
            yield self.classes_[total.argmax(axis=1)]

    def predict(self, X: Any) -> Array:
        *_, label = self.staged_predict(X)
        return label


class LabelsOnly(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A vote that offers labels only: its scores at every stage are not wanted."""

    def __init__(self, vote: Any = None, random_state: Any = None) -> None:
        self.vote = vote
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        self.vote_ = clone(self.vote).set_params(random_state=self.random_state).fit(X, y)
        self.classes_ = self.vote_.classes_
        return self

    def predict(self, X: Any) -> Array:
        return np.asarray(self.vote_.predict(X))


class AtStages(LabelsOnly):
    """A vote whose outputs are its labels at chosen numbers of members; fewer members: the last."""

    def __init__(self, vote: Any = None, stages: tuple[int, ...] = (), random_state: Any = None):
        super().__init__(vote, random_state)
        self.stages = stages

    def outputs(self, X: Any) -> Iterator[tuple[str, Array, None]]:
        label: Array | None = None
        wanted = list(self.stages)
        for stage, found in enumerate(self.vote_.staged_predict(X), 1):
            label = found
            if wanted and stage == wanted[0]:
                yield f"B={wanted.pop(0)}", label, None
        for stage in wanted:
            assert label is not None
            yield f"B={stage}", label, None


class Decoded(LabelsOnly):
    """A coded vote that offers some decoders only, and scores only where they are asked for.

    Scores of every class at every number of columns would fill a disk.
    """

    def __init__(
        self,
        vote: Any = None,
        decoders: tuple[str, ...] = (),
        scores: tuple[str, ...] = (),
        random_state: Any = None,
    ) -> None:
        super().__init__(vote, random_state)
        self.decoders = decoders
        self.scores = scores

    def outputs(self, X: Any) -> Iterator[tuple[str, Array, Array | None]]:
        for name, label, scores in self.vote_.outputs(X):
            if name.partition("/")[0] in self.decoders:
                yield name, label, scores if name in self.scores else None


class Estimates(Decoded):
    """The scores as the document has them, D-bar for ECOC: not clipped to be probabilities."""

    def outputs(self, X: Any) -> Iterator[tuple[str, Array, Array | None]]:
        for name, label, _ in super().outputs(X):
            decoder, _, columns = name.partition("/B=")
            wanted = name in self.scores
            yield name, label, self.vote_.scores(X, decoder, int(columns)) if wanted else None


class Leafy(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A tree pruned by deviance, weakest links first, until it has at most `leaves`.

    Ten classes of five rows each often leave two classes with five rows in one leaf. Which of them
    such a leaf stands for is drawn: a fixed rule would turn variance into bias.

    Reference: thesis, section 3.6.
    """

    def __init__(self, tree: Any = None, leaves: int | None = None, random_state: Any = None):
        self.tree = tree
        self.leaves = leaves
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Grow, prune, and draw the classes of the leaves."""
        self.tree_ = clone(self.tree or Tree(limits="s-plus")).fit(X, y)
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
        return np.asarray(self.label_[self.tree_.apply(X)])
