"""All pairs of classes, coupled to one answer."""

from collections.abc import Iterator
from typing import Any, Literal, Self

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from heliast._core.errors import InputError
from heliast._core.kinds import Array, RandomState
from heliast._core.told import FITTED, TO_FIT, TO_PREDICT, told
from heliast.ensembles._ballots import codes_of
from heliast.ensembles._coupling import hastie_tibshirani, wins, wu_lin_weng
from heliast.ensembles._draws import Clones, generator, root_seed
from heliast.ensembles._ensemble import SETTINGS, Ensemble
from heliast.ensembles._fitting import fit_rows, needs_weights
from heliast.ensembles._grown import grows, paired_trees
from heliast.ensembles._members import Fitted
from heliast.ensembles._voting import Voting

Coupling = Literal["hastie-tibshirani", "wu-lin-weng", "votes"]


@told(SETTINGS)
class PairwiseVote(Voting, Ensemble):
    """One copy of the base for each pair of classes; their answers are coupled to probabilities.

    r_ij = P(class i | class i or j, x) comes from the member of the pair i, j, which was fitted to
    the rows of these two classes. `votes` gives each class's share of the pairs it wins.

    Stages are classes: after stage m the first m + 1 classes have met. After `fit`: `classes_`,
    `pairs_` (i, j) and `members_` in their order.

    Parameters
    ----------
    base : estimator, optional
        Any scikit-learn classifier; None is `Tree()`. A `Tree` of whose size nothing is said grows
        until its leaves are pure. Without `predict_proba` a pair of m rows is sure of its choice by
        1 - 1/(m + 2).
    coupling : {'hastie-tibshirani', 'wu-lin-weng', 'votes'}, default 'hastie-tibshirani'
        `hastie-tibshirani` (pairs weighed by their rows), `wu-lin-weng` (a linear system), or
        `votes`: the class that wins most pairs.
    random_state : int, RandomState, optional
        Seed of whatever copies of the base leave to chance; None leaves them the base's own.

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

    def __init__(
        self,
        base: Any = None,
        *,
        coupling: Coupling = "hastie-tibshirani",
        bins: int | None = 256,
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.base = base
        self.coupling = coupling
        self.bins = bins
        self.n_jobs = n_jobs
        self.random_state = random_state

    @told(
        TO_FIT,
        returns=FITTED,
        raises="If `coupling` is unknown, or the base takes no weights and some are given.",
    )
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the base to the rows of each pair of classes."""
        base = self._base()
        if self.coupling not in ("hastie-tibshirani", "wu-lin-weng", "votes"):
            raise InputError(
                f"coupling={self.coupling!r}: choose 'hastie-tibshirani', 'wu-lin-weng' or 'votes'"
            )
        X, y, weight = self._counting(*self._training(X, y), sample_weight)
        if weight is not None:
            needs_weights(base)
        truth = codes_of(y, self.classes_)
        k = self.classes_.size
        if k < 2:
            raise InputError(
                f"y holds 1 class only, {self.classes_.tolist()[0]!r}: pairs need two or more"
            )
        mass = np.bincount(truth, weight, k)
        if not (mass.all() or grows(base)):  # our own tree learns from the other class alone
            absent = self.classes_[np.argmin(mass)]
            raise InputError(f"sample_weight: every row of class {absent!r} has weight 0")
        self.pair_rows_ = mass[:, None] + mass
        # Sorted by the later class, so that the first classes have all met before the next comes.
        self.pairs_ = [(i, j) for j in range(1, k) for i in range(j)]
        self.members_ = self._fit_pairs(base, X, y, truth, weight)
        return self

    def _fit_pairs(self, base: Any, X: Any, y: Array, truth: Array, weight: Array | None) -> Any:
        # Nothing is drawn here: without a seed, fits differ no more than those of the base.
        seed = base.random_state if grows(base) and self.random_state is None else self.random_state
        root = None if seed is None else root_seed(seed)
        if grows(base):
            return paired_trees(base, X, truth, weight, self.classes_, self.pairs_, root, self.bins)
        clones = Clones(base)
        by_class = [np.flatnonzero(truth == code) for code in range(self.classes_.size)]
        return FittedPairs(
            Parallel(n_jobs=self.n_jobs)(
                delayed(_fit_pair)(
                    clones, X, y, np.concatenate([by_class[i], by_class[j]]), weight, root, at
                )
                for at, (i, j) in enumerate(self.pairs_)
            ),
            self.n_jobs,
        )

    @told(TO_PREDICT, returns="array: Probabilities, (n, k, k), in the order of `classes_`.")
    def pair_probabilities(self, X: Any) -> Array:
        """r_ij (n, k, k): the probability of class i against class j; 1/2 on the diagonal."""
        X = self._testing(X)
        k = self.classes_.size
        r = np.full((X.shape[0], k, k), 0.5)
        rows = np.array([self.pair_rows_[pair] for pair in self.pairs_])
        found = self.members_.first_of_pair(X, rows)
        for (i, j), first in zip(self.pairs_, found, strict=True):
            r[:, i, j] = first
            r[:, j, i] = 1 - first
        return r

    def _coupled(self, r: Array) -> Array:
        if self.coupling == "votes":
            return wins(r)
        if self.coupling == "wu-lin-weng":
            return wu_lin_weng(r)
        k = r.shape[1]
        return hastie_tibshirani(r, self.pair_rows_[:k, :k])

    def _stages(self) -> int:
        return self.classes_.size - 1

    def _shares(self, X: Any) -> Array:
        return wins(self.pair_probabilities(X))

    def _scores(self, X: Any) -> Array:
        return self._coupled(self.pair_probabilities(X))

    def _staged_shares(self, X: Any) -> Iterator[Array]:
        return self._staged(wins, X)

    def _staged_scores(self, X: Any) -> Iterator[Array]:
        return self._staged(self._coupled, X)

    def _staged(self, solve: Any, X: Any) -> Iterator[Array]:
        r = self.pair_probabilities(X)
        for met in range(2, self.classes_.size + 1):
            whole = np.zeros((r.shape[0], self.classes_.size))
            whole[:, :met] = solve(r[:, :met, :met])
            yield whole

    @told(
        TO_PREDICT,
        yields="tuple[str, array, array]: The name of the coupling, labels (n,) and scores (n, k).",
    )
    def outputs(self, X: Any) -> Iterator[tuple[str, Array, Array]]:
        """(suffix, labels, scores) of every coupling."""
        r = self.pair_probabilities(X)
        for name, scores in (
            ("hastie-tibshirani", hastie_tibshirani(r, self.pair_rows_)),
            ("wu-lin-weng", wu_lin_weng(r)),
            ("votes", wins(r)),
        ):
            yield name, self._decided(scores), scores


class FittedPairs(Fitted):
    """A fitted copy of the base for each pair."""

    def first_of_pair(self, X: Any, rows: Array) -> Iterator[Array]:
        """The probability of each pair's first class, pair by pair."""
        found: Iterator[Array] = Parallel(n_jobs=self.n_jobs, return_as="generator")(
            delayed(_first_of_pair)(model, X, count)
            for model, count in zip(self.models, rows.tolist(), strict=True)
        )
        return found


def _fit_pair(
    clones: Clones, X: Any, y: Array, rows: Array, weight: Array | None, root: int | None, at: int
) -> Any:
    rng = None if root is None else generator(root, at)
    return fit_rows(clones, X, y, np.sort(rows), rng, False, weight)


def _first_of_pair(model: Any, X: Any, rows: float) -> Array:
    """The probability of the pair's first class; a bare choice is as sure as its rows are many."""
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(X)[:, 0], np.float64)
    doubt = 1 / (rows + 2)
    return np.where(model.predict(X) == model.classes_[0], 1 - doubt, doubt)
