"""The fast path: members that are trees, all grown from one binned copy of the rows."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from sklearn.utils import check_array

from heliast._core.kinds import Array
from heliast._kernels.crew import threads
from heliast.ensembles._ballots import codes_of
from heliast.ensembles._draws import Draws
from heliast.learners.tree import Grove, Tree, Trees, each_probabilities, joined

BLOCK, ROOM = 64, 1 << 25
"""Members whose samples are held at a time: so many, or what fits into so many bytes."""


def grows(base: Any) -> bool:
    """Whether the base is a tree that the engine grows as `fit` would, many at once."""
    plain = type(base) is Tree and base.class_weight is None and base.cost is None
    return plain and base.prune is None


def as_rows(X: Any) -> Array:
    """Inputs as the engine takes them: numbers, missing ones allowed; float32 is not copied."""
    numbers = (np.float64, np.float32)
    return np.asarray(check_array(X, dtype=numbers, order="C", ensure_all_finite="allow-nan"))


class GrownMembers:
    """Members that are trees of one grove."""

    def __init__(self, trees: Trees, classes: Array) -> None:
        self.trees = trees
        self.classes = classes

    def __len__(self) -> int:
        return self.trees.members

    def __getitem__(self, at: int) -> Tree:
        tree = self.trees.member(range(len(self))[at])
        tree.classes_ = self.classes
        return tree

    def joined(self, more: "GrownMembers") -> "GrownMembers":
        return GrownMembers(joined([self.trees, more.trees]), self.classes)

    def has_probabilities(self) -> bool:
        return True

    def labels(self, X: Any) -> Array:
        return self.trees.labels(as_rows(X))

    def shares(self, X: Any, weights: Array) -> Array:
        """The share of votes of each class, without the ballots."""
        return np.asarray(self.trees.votes(as_rows(X), weights / weights.sum()))

    def probabilities(self, X: Any) -> Iterator[Array]:
        return each_probabilities(self.trees, as_rows(X))

    def mean(self, X: Any) -> Array:
        return self.trees.mean_probabilities(as_rows(X))

    def left_out(self, X: Any, draws: Draws, soft: bool) -> Array:
        """For each training row, what the members say that did not see it, summed (n, k)."""
        total = np.zeros((draws.n, self.classes.size))
        answers = self.probabilities(X) if soft else iter(self.labels(X).T)
        for member, said in enumerate(answers):
            rows = np.flatnonzero(draws.counts(member) == 0)
            if soft:
                total[rows] += said[rows]
            else:
                total[rows, said[rows]] += 1
        return total


class Growing:
    """A grove that gives boosting its members, round by round."""

    leaves_to_chance = False

    def __init__(
        self, base: Tree, X: Any, y: Array, classes: Array, seed: int, bins: int | None,
        weight: Array | None = None,
    ) -> None:  # fmt: skip
        self.X = as_rows(X)
        self.truth = codes_of(y, classes).astype(np.int32)
        self.classes = classes
        self.grove = Grove(base, self.X, base.nominal, seed, bins, weight=weight)

    def drawn(self, counts: Array, rng: Any) -> tuple[Trees, Array]:
        return self._tree(counts)

    def weighted(self, weights: Array, rng: Any) -> tuple[Trees, Array]:
        return self._tree(weights)

    def _tree(self, weights: Array) -> tuple[Trees, Array]:
        k = self.classes.size
        trees = self.grove.classes(self.truth, k, weights[None], keep_training=True)
        label = trees.labels_on_training()[:, 0]
        elsewhere = np.flatnonzero(label < 0)
        if elsewhere.size:
            label[elsewhere] = trees.labels(self.X[elsewhere])[:, 0]
        trees.where = None
        return trees, label

    def answers(self, trees: Trees, X: Any) -> Array:
        return np.asarray(trees.labels(as_rows(X))[:, 0])

    def gathered(self, parts: Sequence[Trees]) -> GrownMembers:
        return GrownMembers(joined(parts), self.classes)


def bagged_trees(
    base: Tree, X: Any, y: Array, classes: Array, draws: Draws, which: range, bins: int | None,
    drawn: int,
) -> GrownMembers:  # fmt: skip
    """The members of a bag, by their numbers; `drawn` inputs for each node, 0 is all."""
    rows = as_rows(X)
    truth = codes_of(y, classes).astype(np.int32)
    grove = Grove(base, rows, base.nominal, draws.root, bins, drawn)
    grove._members = which.start  # ties are broken by the member's number, whenever it is grown
    parts, size = [], min(max(ROOM // draws.n, threads()), BLOCK)
    for start in range(which.start, which.stop, size):
        block = range(start, min(start + size, which.stop))
        counts = np.stack([_in_few_bytes(draws.counts(member)) for member in block])
        parts.append(grove.classes(truth, classes.size, counts))
    return GrownMembers(joined(parts), classes)


def _in_few_bytes(counts: Array) -> Array:
    return counts.astype(np.min_scalar_type(counts.max(initial=0)))


class GrownPairs:
    """A tree for each pair of classes: rows of other classes weigh nothing in it."""

    def __init__(self, trees: Trees, classes: Array, pairs: list[tuple[int, int]]) -> None:
        self.trees = trees
        self.classes = classes
        self.pairs = pairs

    def __len__(self) -> int:
        return self.trees.members

    def __getitem__(self, at: int) -> Tree:
        at = range(len(self))[at]
        tree = self.trees.member(at)
        tree.classes_ = self.classes[list(self.pairs[at])]
        return tree

    def first_of_pair(self, X: Any, rows: Array) -> Iterator[Array]:
        """The probability of each pair's first class, pair by pair."""
        return iter(1.0 - self.trees.probabilities(as_rows(X)).T.astype(np.float64))


def paired_trees(
    base: Tree, X: Any, truth: Array, weight: Array | None, classes: Array,
    pairs: list[tuple[int, int]], seed: int | None, bins: int | None,
) -> GrownPairs:  # fmt: skip
    """A tree that tells the second class of each pair (side 1) from the first."""
    grove = Grove(base, as_rows(X), base.nominal, seed, bins, weight=weight)
    parts = []
    for start in range(0, len(pairs), BLOCK):
        block = pairs[start : start + BLOCK]
        code = np.zeros((classes.size, len(block)), np.int64)
        weights = np.zeros((len(block), truth.size), np.uint8 if weight is None else np.float64)
        for at, (i, j) in enumerate(block):
            code[j, at] = 1
            rows = np.flatnonzero((truth == i) | (truth == j))
            weights[at, rows] = 1 if weight is None else weight[rows]
        parts.append(grove.dichotomies(truth, code, weights))
    return GrownPairs(joined(parts), classes, pairs)
