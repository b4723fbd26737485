"""All pairs of classes, coupled to one answer."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, Self

import numpy as np
from scipy.special import logit, softmax
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from heliast._core.errors import InputError
from heliast._core.kinds import Array, RandomState
from heliast.ensembles._base import (
    Ensemble,
    fit_copy,
    generator,
    root_seed,
)
from heliast.ensembles._voting import GrownMembers, Members, Output, Voting, class_codes
from heliast.learners.tree import TreeGrower

# Pairwise probabilities are kept this far from 0 and 1, where no class probabilities fit them.
SMALLEST = 1e-7
# Rows solved at a time (k x k numbers a row stay in cache), in so many steps at most.
ROWS, STEPS, TOLERANCE = 512, 200, 1e-12


class PairwiseVote(Voting, Ensemble):
    """Pairwise coupling: one copy of the estimator for each pair of classes, their answers coupled.

    r_ij = P(class i | class i or j, x) comes from the member of the pair i, j, which was fitted to
    the rows of these two classes. `votes` gives each class's share of the pairs it wins.

    Stages are classes: after stage m the first m + 1 classes have met. After `fit`: `classes_`,
    `pairs_` (i, j) and `estimators_` in their order.

    Parameters
    ----------
    estimator : estimator, optional
        Any scikit-learn classifier; None is `Tree()`. A `Tree` of whose size nothing is said grows
        until its leaves are pure. Without `predict_proba` a pair of m rows is sure of its choice by
        1 - 1/(m + 2).
    coupling : {'hastie-tibshirani', 'votes'}, default 'hastie-tibshirani'
        `hastie-tibshirani` (pairs weighed by their rows), or `votes`: the class that wins most
        pairs.
    bins : int, default 256
        Where the estimator is a `Tree`: a feature with more distinct values than this, 2 to 256, is
        put into so many bins of equally many rows and split between them, which is many times
        faster. None tries every split.
    n_jobs : int, optional
        Processes, as in scikit-learn; results are the same for any number.
    random_state : int, RandomState, optional
        Seed of whatever copies of the estimator leave to chance; None leaves them their own.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = load_iris(return_X_y=True)
    >>> PairwiseVote(LogisticRegression()).fit(X, y).predict_proba(X[70:71]).round(2)
    array([[0.01, 0.51, 0.48]])

    References
    ----------
    Hastie and Tibshirani (1998), *Annals of Statistics* 26, 451-471.
    """

    estimators_: Members

    def __init__(
        self,
        estimator: Any = None,
        *,
        coupling: Literal["hastie-tibshirani", "votes"] = "hastie-tibshirani",
        bins: int | None = 256,
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.estimator = estimator
        self.coupling = coupling
        self.bins = bins
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the estimator to the rows of each pair of classes.

        Parameters
        ----------
        X : array-like or frame
            Training rows, (n, features).
        y : array-like
            True class of each row.
        sample_weight : array-like, optional
            Weight of each row; None is 1 each.

        Returns
        -------
        Self
            The fitted model.

        Raises
        ------
        InputError
            If `coupling` is unknown, or the estimator takes no weights and some are given.
        """
        base, X, y, weight = self._check_training(X, y, sample_weight)
        codes, k = class_codes(y, self.classes_), self.classes_.size
        if k < 2:
            raise InputError(
                f"y holds 1 class only, {self.classes_.tolist()[0]!r}: pairs need two or more"
            )
        mass = np.bincount(codes, weight, k)
        self.pair_rows_ = mass[:, None] + mass
        # Sorted by the later class, so that the first classes have all met before the next comes.
        self.pairs_ = [(i, j) for j in range(1, k) for i in range(j)]
        # Nothing is drawn here: without a seed, fits differ no more than those of the base.
        grown = self._grows(base)
        seed = base.random_state if grown and self.random_state is None else self.random_state
        root = None if seed is None else root_seed(seed)
        if grown:
            self.estimators_ = self._grow(base, X, codes, weight, root)
            return self
        rows = (np.flatnonzero(np.isin(codes, pair)) for pair in self.pairs_)
        models = Parallel(n_jobs=self.n_jobs)(
            delayed(fit_copy)(
                base, X[both], y[both], None if root is None else generator(root, number),
                None if weight is None else weight[both],
            )
            for number, both in enumerate(rows)
        )  # fmt: skip
        self.estimators_ = Members(models, n_jobs=self.n_jobs)
        return self

    def _grow(
        self, base: Any, X: Array, codes: Array, weight: Array | None, root: int | None
    ) -> GrownMembers:
        """A tree for each pair: its second class is side 1, other classes weigh nothing."""
        first, second = np.array(self.pairs_).T
        sides = (np.arange(self.classes_.size)[:, None] == second).astype(np.int64)
        weights = ((codes == first[:, None]) | (codes == second[:, None])).astype(np.uint8)
        grower = TreeGrower(base, X, self._inputs.nominal, root, self.bins, weight=weight)
        trees = grower.grow_columns(codes, sides, weights if weight is None else weights * weight)
        return GrownMembers(trees, [self.classes_[list(pair)] for pair in self.pairs_])

    def pair_probabilities(self, X: Any) -> Array:
        """r_ij (n, k, k): the probability of class i against class j; 1/2 on the diagonal.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).

        Returns
        -------
        array
            Probabilities, (n, k, k), in the order of `classes_`.
        """
        X, k = self._check_rows(X), self.classes_.size
        members, (i, j) = self.estimators_, np.array(self.pairs_).T
        if isinstance(members, GrownMembers):
            answers = 1.0 - members.second_class(X)
        else:
            answers = np.column_stack(
                Parallel(n_jobs=self.n_jobs)(
                    delayed(first_of_pair)(model, X, self.pair_rows_[pair])
                    for model, pair in zip(members.models, self.pairs_, strict=True)
                )
            )
        r = np.full((X.shape[0], k, k), 0.5)
        r[:, i, j], r[:, j, i] = answers, 1 - answers
        return r

    def _last_stage(self) -> int:
        check_is_fitted(self)
        return int(self.classes_.size) - 1

    def _staged(self, X: Any, stages: Sequence[int], kind: str | None = None) -> Iterator[Array]:
        r = self.pair_probabilities(X)
        for stage in stages:
            met = stage + 1
            scores = np.zeros((r.shape[0], self.classes_.size))
            coupling = "votes" if kind == "hard" else self.coupling
            scores[:, :met] = self._coupled(r[:, :met, :met], coupling)
            yield scores

    def _coupled(self, r: Array, coupling: str) -> Array:
        k = r.shape[1]
        if coupling == "hastie-tibshirani":
            return hastie_tibshirani(r, self.pair_rows_[:k, :k])
        return wins(r)

    def outputs(self, X: Any) -> Iterator[Output]:
        """(suffix, labels, scores) of every coupling.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).

        Yields
        ------
        tuple[str, array, array]
            The name of the coupling, labels (n,) and scores (n, k).
        """
        r = self.pair_probabilities(X)
        for coupling in ("hastie-tibshirani", "votes"):
            scores = self._coupled(r, coupling)
            yield coupling, self._decided(scores), scores


def first_of_pair(model: Any, X: Any, rows: float) -> Array:
    """The probability of the pair's first class; a bare choice is as sure as its rows are many."""
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(X)[:, 0], np.float64)
    doubt = 1 / (rows + 2)
    return np.where(model.predict(X) == model.classes_[0], 1 - doubt, doubt)


# --- coupling ----------------------------------------------------------------------------------


def hastie_tibshirani(pairs: Array, counts: Array | None = None) -> Array:
    """The p whose pairs m_ij = p_i/(p_i + p_j) are nearest to r_ij in Kullback-Leibler divergence.

    `pairs` (n, k, k) holds r_ij = P(class i | class i or j); `counts` (k, k) weighs the pairs by
    the rows they were learned from. At the solution Σ_j n_ij m_ij = Σ_j n_ij r_ij for every class.
    The authors scale class after class towards that; Newton's steps in log p get there in few.

    >>> p = np.array([0.5, 0.3, 0.2])
    >>> hastie_tibshirani(p[:, None] / (p[:, None] + p)[None])[0].round(6)
    array([0.5, 0.3, 0.2])

    Reference: Hastie and Tibshirani (1998), *Annals of Statistics* 26, 451-471.
    """
    k = pairs.shape[1]
    weight = np.ones((k, k)) if counts is None else np.array(counts, np.float64)
    np.fill_diagonal(weight, 0.0)
    weight /= weight.max(initial=1e-300)
    r = np.clip(pairs, SMALLEST, 1 - SMALLEST)
    wanted = (weight * r).sum(axis=2)
    # If some p fits all pairs exactly, the mean log odds of a class are log p, but for a constant.
    log_p = logit(r).mean(axis=2)
    p = softmax(log_p, axis=1)
    for start in range(0, len(r), ROWS):
        rows = np.arange(start, min(start + ROWS, len(r)))
        for _ in range(STEPS):
            m = 1 / (1 + np.exp(log_p[rows, None, :] - log_p[rows, :, None]))
            missing = wanted[rows] - (weight * m).sum(axis=2)
            step = laplacian_step(weight * m * (1 - m), missing)
            # In the flat far ends of the curve a step may overshoot: none is longer than 2.
            longest = np.abs(step).max(axis=1, keepdims=True)
            log_p[rows] += step * np.minimum(1, 2 / np.maximum(longest, 1e-300))
            before, p[rows] = p[rows], softmax(log_p[rows], axis=1)
            rows = rows[np.abs(p[rows] - before).max(axis=1) > TOLERANCE]
            if not rows.size:
                break
    return np.asarray(p)


def laplacian_step(slope: Array, missing: Array) -> Array:
    """Solves the Laplacian of the pairs; the constant it leaves open is set to sum 0."""
    k = slope.shape[1]
    total = slope.sum(axis=2)
    laplacian = total.mean(axis=1)[:, None, None] / k - slope
    laplacian[:, np.arange(k), np.arange(k)] += total
    return np.asarray(np.linalg.solve(laplacian, missing[:, :, None])[:, :, 0])


def wins(pairs: Array) -> Array:
    """Each class's share of the pairs that it wins; r_ij = 1/2 counts for the first class.

    >>> wins(np.array([[[0.5, 0.9, 0.4], [0.1, 0.5, 0.3], [0.6, 0.7, 0.5]]])).round(3)
    array([[0.333, 0.   , 0.667]])
    """
    k = pairs.shape[1]
    first = np.triu(pairs >= 0.5, 1)
    won = first.sum(axis=2) + np.arange(k) - first.sum(axis=1)
    return np.asarray(won / max(k * (k - 1) / 2, 1))
