"""The fitted columns of a code: what each answers, and the leaves that rows fall in."""

import sys
from typing import Any, Protocol

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.utils.parallel import Parallel, delayed

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.decoders import shares_of
from heliast.ensembles._draws import Clones, generator
from heliast.ensembles._fitting import fit_rows
from heliast.ensembles._members import Fitted


class Columns(Protocol):
    """One fitted two-sided model for each column of a code."""

    def __len__(self) -> int: ...

    def __getitem__(self, at: int) -> Any: ...

    def answers(self, X: Any) -> Array:
        """(n, B): the probability of side 1 that each column gives each row."""

    def leaves(self, X: Any) -> Array:
        """(n, B): the leaf of each row in the tree of each column."""

    def shares(self, X: Any, truth: Array, k: int, weight: Array | None) -> list[Array]:
        """For each column (leaves, k): the class shares of these rows in its leaves."""


class GrownColumns:
    """Columns that are trees of one grove."""

    def __init__(self, trees: Any) -> None:
        self.trees = trees

    def __len__(self) -> int:
        return int(self.trees.members)

    def __getitem__(self, at: int) -> Any:
        return self.trees.member(range(len(self))[at])

    def answers(self, X: Any) -> Array:
        return np.asarray(self.trees.probabilities(X))

    def leaves(self, X: Any) -> Array:
        return np.asarray(self.trees.leaves(X))

    def shares(self, X: Any, truth: Array, k: int, weight: Array | None) -> list[Array]:
        refit = self.trees.refit(X, truth, k, weight)
        found = []
        for b in range(len(self)):
            counts = refit.member(b)
            total = counts.sum(axis=1, keepdims=True)
            even = np.full(counts.shape, 1 / k)
            found.append(np.divide(counts, total, out=even, where=total > 0))
        return found


class RefittedColumns(Fitted):
    """Columns that are fitted copies of any scikit-learn classifier."""

    def answers(self, X: Any) -> Array:
        jobs = (delayed(side_one)(model, X) for model in self.models)
        return np.column_stack(Parallel(n_jobs=self.n_jobs)(jobs))

    def leaves(self, X: Any) -> Array:
        return np.column_stack([_leaf(model, X) for model in self.models])

    def shares(self, X: Any, truth: Array, k: int, weight: Array | None) -> list[Array]:
        found = []
        for model in self.models:
            leaf = _leaf(model, X)
            # Trees number all their nodes: room for those that no training row reaches.
            size = max(int(leaf.max()) + 1, _nodes(model))
            found.append(shares_of(leaf, truth, k, size, weight))
        return found


def side_one(model: Any, X: Any) -> Array:
    """The probability of side 1: as said, from a decision by the logistic curve, or a hard 0 or 1.

    >>> side_one(DummyClassifier(strategy="prior").fit([[0]] * 4, [0, 1, 1, 1]), [[5]])
    array([0.75])
    """
    sides = list(model.classes_)
    if hasattr(model, "predict_proba"):
        found = np.asarray(model.predict_proba(X), np.float64)
        return found[:, sides.index(1)] if 1 in sides else np.zeros(found.shape[0])
    if hasattr(model, "decision_function") and len(sides) == 2:
        from scipy.special import expit

        return np.asarray(expit(np.asarray(model.decision_function(X), np.float64)))
    return np.asarray(model.predict(X) == 1, np.float64)


def _leaf(model: Any, X: Any) -> Array:
    if isinstance(model, DummyClassifier):
        return np.zeros(X.shape[0], np.int64)
    found = np.asarray(model.apply(X)) if hasattr(model, "apply") else np.empty(0)
    if found.ndim != 1 or found.size != X.shape[0]:
        raise InputError(
            f"decoder='substitution': {type(model).__name__} has no leaves (`apply` with one leaf "
            "a row); use heliast's Tree or a scikit-learn tree as base, or another decoder"
        )
    return found


def _nodes(model: Any) -> int:
    inner = getattr(model, "tree_", None)
    if inner is not None:
        return int(inner.node_count)
    return len(model.nodes_.counts) if hasattr(model, "nodes_") else 1


def has_leaves(base: Any) -> bool:
    """Whether the base says in which of its leaves a row falls."""
    from heliast.learners.tree import Tree

    # Nobody has one of scikit-learn's trees who has not imported them, which takes a while.
    trees = sys.modules.get("sklearn.tree")
    known = (Tree,) if trees is None else (Tree, trees.DecisionTreeClassifier)
    return isinstance(base, known)


def refit_columns(
    base: Any, X: Any, sides: Array, rows: list[Array] | None, weight: Array | None,
    path: tuple[int, ...], n_jobs: Any,
) -> RefittedColumns:  # fmt: skip
    """A copy of the base for each column of `sides` (n, B), on all rows or those of the column."""
    clones = Clones(base)
    jobs = (
        delayed(fit_rows)(
            clones, X, sides[:, b], None if rows is None else rows[b], generator(*path, b), True,
            weight,
        )
        for b in range(sides.shape[1])
    )  # fmt: skip
    return RefittedColumns(Parallel(n_jobs=n_jobs)(jobs), n_jobs)
