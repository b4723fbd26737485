"""Classifiers of the documents' experiments, as scikit-learn estimators."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone

LEAST_ERROR = 1e-6  # errors of 0 and 1 have no finite weight


class PrintedBoosting(ClassifierMixin, BaseEstimator):
    """AdaBoost by drawing to the letter: a member with error above 1/2 gets a negative vote.

    With e the weight of the rows that a member gets wrong, w becomes w e / (1 - e) where it is
    right, and its vote is log((1 - e) / e).

    Reference: thesis, section 2.5.2, which has no rule for members worse than a coin.
    """

    def __init__(self, base=None, rounds=100, random_state=None):
        self.base = base
        self.rounds = rounds
        self.random_state = random_state

    def fit(self, X, y):
        X, y = np.asarray(X), np.asarray(y)
        rng = np.random.default_rng(self.random_state)
        weights = np.full(len(y), 1 / len(y))
        self.classes_ = np.unique(y)
        self.estimators_, self.votes_ = [], []
        for _ in range(self.rounds):
            rows = rng.choice(len(y), len(y), p=weights)
            member = clone(self.base).fit(X[rows], y[rows])
            wrong = member.predict(X) != y
            error = np.clip(weights[wrong].sum(), LEAST_ERROR, 1 - LEAST_ERROR)
            weights = np.where(wrong, weights, weights * error / (1 - error))
            weights /= weights.sum()
            self.estimators_.append(member)
            self.votes_.append(float(np.log((1 - error) / error)))
        return self

    def staged_predict(self, X):
        """The labels after the first member, the second, ..."""
        X = np.asarray(X)
        total, rows = np.zeros((len(X), len(self.classes_))), np.arange(len(X))
        for member, vote in zip(self.estimators_, self.votes_, strict=True):
            total[rows, np.searchsorted(self.classes_, member.predict(X))] += vote
            yield self.classes_[total.argmax(axis=1)]

    def predict(self, X):
        *_, label = self.staged_predict(X)
        return label


class LabelsOnly(ClassifierMixin, BaseEstimator):
    """A vote that offers labels only, so that its scores fill no disk."""

    def __init__(self, vote=None, random_state=None):
        self.vote = vote
        self.random_state = random_state

    def fit(self, X, y):
        self.vote_ = clone(self.vote).set_params(random_state=self.random_state).fit(X, y)
        self.classes_ = self.vote_.classes_
        return self

    def predict(self, X):
        return self.vote_.predict(X)


class AtStages(LabelsOnly):
    """A vote whose outputs are its labels at chosen numbers of members; fewer members: the last."""

    def __init__(self, vote=None, stages=(), random_state=None):
        super().__init__(vote, random_state)
        self.stages = stages

    def outputs(self, X):
        labels = list(self.vote_.staged_predict(X))
        for stage in self.stages:
            yield f"B={stage}", labels[min(stage, len(labels)) - 1], None


class Decoded(LabelsOnly):
    """A coded vote with some decoders only; scores, D-bar for ECOC, of the outputs in `scored`."""

    def __init__(self, vote=None, decoders=(), scored=(), random_state=None):
        super().__init__(vote, random_state)
        self.decoders = decoders
        self.scored = scored

    def outputs(self, X):
        for name, label, _ in self.vote_.outputs(X):
            decoder, _, columns = name.partition("/B=")
            if decoder in self.decoders:
                scored = name in self.scored
                yield name, label, self.vote_.scores(X, decoder, int(columns)) if scored else None


class Leafy(ClassifierMixin, BaseEstimator):
    """A tree pruned by deviance, weakest links first, until it has at most `leaves`.

    Ten classes of five rows each often leave two classes with five rows in one leaf. Which of them
    such a leaf stands for is drawn: a fixed rule would turn variance into bias.

    Reference: thesis, section 3.6.
    """

    def __init__(self, tree=None, leaves=None, random_state=None):
        self.tree = tree
        self.leaves = leaves
        self.random_state = random_state

    def fit(self, X, y):
        self.tree_ = clone(self.tree).fit(X, y)
        self.classes_ = self.tree_.classes_
        nodes = self.tree_.nodes_
        most = nodes.counts == nodes.counts.max(axis=1, keepdims=True)
        rng = np.random.default_rng(self.random_state)
        drawn = np.where(most, rng.random(most.shape), 0).argmax(axis=1)
        self.label_ = self.classes_[drawn][leaf_of_nodes(nodes, self.leaves or len(nodes))]
        return self

    def predict(self, X):
        return self.label_[self.tree_.apply(X)]


def leaf_of_nodes(nodes, most_leaves):
    """For each node the leaf that it belongs to after pruning, itself if it is above one."""
    leaf, owner = nodes.is_leaf.copy(), np.arange(len(nodes))
    children = np.column_stack([nodes.left, nodes.right])
    lowest = 0.0
    while True:
        below, leaves = nodes.deviance.copy(), np.ones(len(nodes))
        for node in np.flatnonzero(~leaf)[::-1]:  # a node stands before its children
            below[node] = below[children[node]].sum()
            leaves[node] = leaves[children[node]].sum()
        if leaves[0] <= most_leaves:
            return owner
        inner = np.flatnonzero(~leaf)
        price = (nodes.deviance - below)[inner] / (leaves[inner] - 1)
        lowest = max(lowest, price.min())
        leaf[inner[price <= lowest * (1 + 1e-12) + 1e-15]] = True
        for node in np.flatnonzero(~nodes.is_leaf):
            if leaf[node]:
                leaf[children[node]] = True
                owner[children[node]] = owner[node]
