"""Bagging, for classes and numbers: members on bootstrap samples, and what they left out."""

import math
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any, Literal, Self

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from heliast._core.errors import InputError
from heliast._core.kinds import Array, RandomState
from heliast._kernels.threads import threads
from heliast.ensembles._base import (
    Ensemble,
    bootstrap_counts,
    check_count,
    fit_copy,
    generator,
    root_seed,
)
from heliast.ensembles._voting import (
    Averaging,
    Combined,
    GrownMembers,
    Members,
    Output,
    Voting,
    class_codes,
)
from heliast.learners.tree import TreeGrower, Trees, joined

# Trees grown at a time, whose samples are held together: so many, or what fits into so many bytes.
BLOCK, ROOM = 64, 1 << 25


class Bagging(Combined, Ensemble):
    """What bags of classifiers and of regressors share."""

    estimators_: Members
    _left_out_name: str

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 100,
        *,
        features: Literal["sqrt", "log2"] | None = None,
        out_of_bag: bool = False,
        bins: int | None = 256,
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.features = features
        self.out_of_bag = out_of_bag
        self.bins = bins
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit every member to its sample.

        Rows are drawn with probability in proportion to `sample_weight`.

        Parameters
        ----------
        X : array-like or frame
            Training rows, (n, features).
        y : array-like
            True class, or number, of each row.
        sample_weight : array-like, optional
            Weight of each row; None is 1 each.

        Returns
        -------
        Self
            The fitted model.

        Raises
        ------
        InputError
            If `n_estimators` is below 1, or rows and targets do not fit.
        """
        check_count("n_estimators", self.n_estimators)
        base, X, y, weight = self._check_training(X, y, sample_weight, drop_zero=False)
        self._root, self._n = root_seed(self.random_state), len(y)
        self._shares = None if weight is None else weight / weight.sum()
        self.estimators_ = (self._grow if self._grows(base) else self._fit_copies)(base, X, y)
        self.estimator_weights_ = np.ones(self.n_estimators)
        if self.out_of_bag:
            answers = self._left_out(X)
            setattr(self, self._left_out_name, answers)
            losses = self._losses(answers, y)
            known = np.isfinite(losses)
            self.out_of_bag_error_ = float(losses[known].mean()) if known.any() else float("nan")
        return self

    def drawn(self, member: int) -> Array:
        """How often each training row is in the sample of one member.

        Parameters
        ----------
        member : int
            Number of the member, from 0.

        Returns
        -------
        array
            Counts, one a training row.
        """
        return bootstrap_counts(generator(self._root, member, 0), self._n, self._shares)

    def _fit_copies(self, base: Any, X: Any, y: Array) -> Members:
        if self.features is not None:
            raise InputError(
                f"features={self.features!r} draws features for every node, which needs a Tree "
                "without pruning and class_weight; give the estimator its own setting, such "
                "as max_features"
            )
        samples = (np.repeat(np.arange(self._n), counts) for counts in self._samples())
        models = Parallel(n_jobs=self.n_jobs)(
            delayed(fit_copy)(base, X[rows], y[rows], generator(self._root, member, 2))
            for member, rows in enumerate(samples)
        )
        return Members(models, getattr(self, "classes_", None), self.n_jobs)

    def _samples(self) -> Iterator[Array]:
        return map(self.drawn, range(self.n_estimators))

    def _grow(self, base: Any, X: Any, y: Array) -> GrownMembers:
        d, classes, per_node = X.shape[1], getattr(self, "classes_", None), 0
        if self.features is not None:
            per_node = max(1, math.isqrt(d) if self.features == "sqrt" else d.bit_length() - 1)
        grower = TreeGrower(base, X, self._inputs.nominal, self._root, self.bins, per_node)
        grow: Any = partial(grower.grow_numbers, y)
        if classes is not None:
            grow = partial(grower.grow_classes, class_codes(y, classes), classes.size)
        size, samples = min(max(ROOM // self._n, threads()), BLOCK), self._samples()
        parts: list[Trees] = []
        while block := list(islice(samples, size)):
            counts = np.stack(block).astype(np.min_scalar_type(np.max(block)))
            parts.append(grow(counts, first=len(parts) * size))
        return GrownMembers(joined(parts), classes)

    # --- out of bag ------------------------------------------------------------------------

    def _answers(self, X: Any) -> Iterable[Array]:
        """What the members say of the rows, one after the other."""
        return self.estimators_.numbers(X)

    def _left_out(self, X: Any) -> Array:
        """For each training row, the mean answer of the members that did not draw it, or NaN."""
        total, count = np.empty(0), np.zeros(self._n)
        for answer, counts in zip(self._answers(X), self._samples(), strict=True):
            left_out = counts == 0
            total = total if total.size else np.zeros(answer.shape)
            total[left_out] += answer[left_out]
            count += left_out
        with np.errstate(invalid="ignore"):
            return np.asarray((total.T / count).T)

    def _losses(self, answers: Array, y: Array) -> Array:
        """What each row loses by these answers; NaN where there is none."""
        return np.asarray((answers - y) ** 2)


class BaggedVote(Voting, Bagging):
    """Bagging: the majority vote of copies of a classifier, each fitted to a bootstrap sample.

    C(x) = argmax_c Σ_b I(h_b(x) = c), h_b fitted to n rows drawn with replacement. Less variance,
    hardly less bias: for unstable classifiers, such as deep trees.

    After `fit`: `classes_`; `estimators_`, whose [b] is a fitted classifier; `drawn(b)`, how often
    each row was in its sample.

    Parameters
    ----------
    estimator : estimator, optional
        Any scikit-learn classifier; None is `Tree()`. A `Tree` of whose size nothing is said grows
        until its leaves are pure.
    n_estimators : int, default 100
        Number of copies B, at least 1.
    kind : {'hard', 'soft'}, default 'hard'
        `hard` counts each member's class, `soft` averages their probabilities. One fit serves
        both: see `outputs`.
    features : {'sqrt', 'log2'}, optional
        A random forest: every node of every tree draws so many features of its own to split on,
        the root of their number or its logarithm (Breiman 2001); the estimator must be a `Tree`.
        None is all.
    out_of_bag : bool, default False
        Whether to keep, for every training row, the vote of the members that did not see it, as
        `out_of_bag_votes_` (NaN where all saw it), and its error, `out_of_bag_error_`.
    bins : int, default 256
        Where the estimator is a `Tree`: a feature with more distinct values than this, 2 to 256, is
        put into so many bins of equally many rows and split between them, which is many times
        faster. None tries every split.
    n_jobs : int, optional
        Processes, as in scikit-learn; results are the same for any number.
    random_state : int, RandomState, optional
        Seed of the samples. That of a member depends on its number and this only.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> bag = BaggedVote(DecisionTreeClassifier(), 25, random_state=1, out_of_bag=True).fit(X, y)
    >>> bag.votes(X[70:71])
    array([[0.  , 0.56, 0.44]])
    >>> round(bag.out_of_bag_error_, 3)
    0.033

    References
    ----------
    Breiman (1996), *Machine Learning* 24, 123-140; Breiman (2001), *Machine Learning* 45, 5-32.
    """

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 100,
        *,
        kind: Literal["hard", "soft"] = "hard",
        features: Literal["sqrt", "log2"] | None = None,
        out_of_bag: bool = False,
        bins: int | None = 256,
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        super().__init__(
            estimator, n_estimators, features=features, out_of_bag=out_of_bag, bins=bins,
            n_jobs=n_jobs, random_state=random_state,
        )  # fmt: skip
        self.kind = kind

    _left_out_name = "out_of_bag_votes_"

    def _kind(self) -> str:
        return self.kind

    def outputs(self, X: Any) -> Iterator[Output]:
        """(suffix, labels, scores): `hard/B=...` and, if there are probabilities, `soft/B=...`.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).

        Yields
        ------
        tuple[str, array, array]
            Suffix, labels (n,) and scores (n, k).
        """
        for kind in ("hard", "soft") if self.estimators_.has_probabilities else ("hard",):
            yield from self._at_stages(X, kind, f"{kind}/")

    def _answers(self, X: Any) -> Iterable[Array]:
        if self.kind == "soft":
            return self.estimators_.probabilities(X)
        one_hot = np.eye(self.classes_.size, dtype=bool)
        return (one_hot[labels] for labels in self.estimators_.labels(X).T)

    def _losses(self, answers: Array, y: Array) -> Array:
        wrong = answers.argmax(axis=1) != class_codes(y, self.classes_)
        return np.where(np.isfinite(answers[:, 0]), wrong, np.nan)


class BaggedMean(Averaging, Bagging):
    """Bagging for numbers: the mean of copies of a regressor, each fitted to a bootstrap sample.

    f(x) = (1/B) Σ_b f_b(x). With `out_of_bag`, `out_of_bag_prediction_` (NaN where all members saw
    the row) and the mean squared error `out_of_bag_error_`.

    Parameters
    ----------
    estimator : estimator, optional
        Any scikit-learn regressor; None is `Tree("squared_error")`. Such a `Tree` of whose size
        nothing is said grows until its leaves are pure.
    n_estimators : int, default 100
        Number of copies B, at least 1.
    features : {'sqrt', 'log2'}, optional
        Features that every node of every tree draws, as in `BaggedVote`; None is all.
    out_of_bag : bool, default False
        Whether to keep, for every training row, the mean of the members that did not see it.
    bins : int, default 256
        Bins of a feature where the estimator is a `Tree`, as in `BaggedVote`.
    n_jobs : int, optional
        Processes, as in scikit-learn; results are the same for any number.
    random_state : int, RandomState, optional
        Seed of what is drawn; None differs from fit to fit.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> bag = BaggedMean(n_estimators=20, random_state=1, out_of_bag=True).fit(X, y)
    >>> bool(bag.out_of_bag_error_ < np.var(y))
    True

    References
    ----------
    Breiman (1996), *Machine Learning* 24, 123-140.
    """

    _regression = True
    _left_out_name = "out_of_bag_prediction_"
