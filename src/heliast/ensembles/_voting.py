"""Fitted members, how their answers become one (shares, means, medians), what ensembles offer."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin, is_regressor
from sklearn.dummy import DummyClassifier
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.learners.tree import Tree, Trees

Output = tuple[str, Array, Array | None]


def class_codes(labels: Any, classes: Array, name: str = "y") -> Array:
    """The position of each label in the sorted classes; refuses labels that are none of them.

    >>> class_codes(["b", "a"], np.array(["a", "b"]))
    array([1, 0])
    """
    labels = np.asarray(labels)
    codes = np.minimum(np.searchsorted(classes, labels), classes.size - 1)
    unknown = labels[classes[codes] != labels].tolist()
    if unknown:
        raise InputError(f"{name}: {unknown[0]!r} is none of the classes {classes.tolist()[:8]}")
    return np.asarray(codes)


def staged_shares(labels: Array, weights: Array, k: int, stages: Sequence[int]) -> Iterator[Array]:
    """Shares of the votes of the first members, Σ_t w_t I(h_t(x) = c) / Σ_t w_t, at each stage.

    `labels` (n, B) are the members' classes as codes. A negative weight is a vote for the other of
    two classes.

    >>> next(staged_shares(np.array([[0, 0, 1]]), np.ones(3), 2, [3])).round(3)
    array([[0.667, 0.333]])
    """
    ballots = (
        np.eye(k)[label] if weight >= 0 else 1 - np.eye(k)[label]
        for label, weight in zip(labels.T, weights, strict=True)
    )
    return averages(ballots, np.abs(weights), "hard", stages)


def averages(
    answers: Iterable[Array], weights: Array, kind: str, stages: Sequence[int]
) -> Iterator[Array]:
    """The weighted mean (or median, if that is the kind) of the first members' answers.

    >>> next(averages([np.array([1.0, 2.0]), np.array([5.0, 4.0])], np.array([3, 1]), "mean", [2]))
    array([2. , 2.5])
    """
    if kind == "median":
        numbers = np.column_stack(list(answers))
        yield from (weighted_median(numbers[:, :stage], weights[:stage]) for stage in stages)
        return
    total, mass = np.zeros(()), 0.0
    for member, (weight, answer) in enumerate(zip(weights, answers, strict=True), 1):
        total = total + weight * answer
        mass += weight
        if member in stages:
            with np.errstate(invalid="ignore"):  # NaN as long as no member weighs anything
                yield total / mass


def weighted_median(numbers: Array, weights: Array) -> Array:
    """In each row the smallest number up to which at least half of the weight lies.

    >>> weighted_median(np.array([[3.0, 1.0, 2.0]]), np.array([5.0, 1.0, 1.0]))
    array([3.])
    """
    order = np.argsort(numbers, axis=1, kind="stable")
    reached = np.cumsum(weights[order], axis=1)
    # Half is half in whichever order the weights are added: 0.3 is that of 0.3, 0.1 and 0.2.
    half = 0.5 * (1 - 1e-12) * reached[:, -1:]
    place = (reached >= half).argmax(axis=1)
    rows = np.arange(numbers.shape[0])
    return np.asarray(numbers[rows, order[rows, place]])


def margins_of(shares: Array, codes: Array) -> Array:
    """Share of the true class less the largest share of another: above 0 where the vote is right.

    >>> margins_of(np.array([[0.5, 0.3, 0.2]]), np.array([2])).round(3)
    array([-0.3])

    Reference: Schapire, Freund, Bartlett and Lee (1998), *Annals of Statistics* 26, 1651-1686.
    """
    rows = np.arange(codes.size)
    others = shares.copy()
    others[rows, codes] = -np.inf if shares.shape[1] > 1 else 0.0
    return np.asarray(shares[rows, codes] - others.max(axis=1))


def shown_stages(last: int) -> list[int]:
    """The stages that stand for all: 1, 2, 5, 10, 20, 50, ... and the last.

    >>> shown_stages(30)
    [1, 2, 5, 10, 20, 30]
    """
    steps = (digit * 10**power for power in range(9) for digit in (1, 2, 5))
    return [*takewhile(lambda step: step < last, steps), last]


class Members:
    """Fitted models in a row."""

    has_probabilities = True

    def __init__(
        self, models: Sequence[Any], classes: Array | None = None, n_jobs: int | None = None
    ) -> None:
        self.models, self.n_jobs = list(models), n_jobs
        self.classes = np.empty(0) if classes is None else classes
        self.has_probabilities = all(hasattr(model, "predict_proba") for model in self.models)

    def __len__(self) -> int:
        return len(self.models)

    def __getitem__(self, at: int) -> Any:
        return self.models[at]

    def combined(self, X: Any, weights: Array, kind: str, stages: Sequence[int]) -> Iterator[Array]:
        """Shares of votes, mean probabilities, or mean or median numbers at each stage."""
        if kind == "hard":
            return staged_shares(self.labels(X), weights, self.classes.size, stages)
        answers = self.probabilities(X) if kind == "soft" else self.numbers(X)
        return averages(answers, weights, kind, stages)

    def labels(self, X: Any) -> Array:
        """The class that each member chooses in each row, as codes (n, B)."""
        codes = [class_codes(labels, self.classes, "predicted") for labels in self.numbers(X)]
        return np.column_stack(codes)

    def probabilities(self, X: Any) -> Iterator[Array]:
        """Each member's probabilities (n, k), one member after the other."""
        for model, answers in zip(self.models, self._ask("predict_proba", X), strict=True):
            yield spread_out(answers, model.classes_, self.classes)

    def numbers(self, X: Any) -> Iterator[Array]:
        """What each member predicts, one after the other."""
        return map(np.ravel, self._ask("predict", X))

    def second_class(self, X: Any) -> Array:
        """(n, B): the probability that each member of two classes gives the second one."""
        jobs = (delayed(side_one)(model, X) for model in self.models)
        return np.column_stack(Parallel(n_jobs=self.n_jobs)(jobs))

    def leaves(self, X: Any) -> Array:
        """(n, B): the leaf of each row in each member; a constant has one."""
        one_leaf = np.zeros(X.shape[0], np.int64)
        return np.column_stack(
            [
                one_leaf if isinstance(model, DummyClassifier) else model.apply(X)
                for model in self.models
            ]
        )

    def _ask(self, method: str, X: Any) -> Any:
        jobs = (delayed(getattr(model, method))(X) for model in self.models)
        return Parallel(n_jobs=self.n_jobs, return_as="generator")(jobs)


class GrownMembers(Members):
    """Members that are trees of one grower; `classes`, if any, are those that each tells apart."""

    def __init__(self, trees: Trees, classes: Any = None) -> None:
        self.trees, self.classes = trees, classes

    def __len__(self) -> int:
        return self.trees.members

    def __getitem__(self, at: int) -> Tree:
        at = range(len(self))[at]
        tree = self.trees.member(at)
        if self.classes is not None:
            apart = self.classes
            tree.classes_ = apart if isinstance(apart, np.ndarray) else apart[at]
        return tree

    def combined(self, X: Any, weights: Array, kind: str, stages: Sequence[int]) -> Iterator[Array]:
        if list(stages) == [len(self)] and weights.min() >= 0:
            if kind == "hard":
                return iter([self.trees.votes(X, weights) / weights.sum()])
            if kind == "soft":  # members of a bag weigh the same
                return iter([self.trees.mean_probabilities(X)])
        return super().combined(X, weights, kind, stages)

    def labels(self, X: Any) -> Array:
        return self.trees.labels(X)

    def numbers(self, X: Any) -> Iterator[Array]:
        return iter(self.trees.numbers(X).T)

    def probabilities(self, X: Any) -> Iterator[Array]:
        return self.trees.each_probabilities(X)

    def second_class(self, X: Any) -> Array:
        return np.asarray(self.trees.probabilities(X), np.float64)

    def leaves(self, X: Any) -> Array:
        return self.trees.leaves(X)


def side_one(model: Any, X: Any) -> Array:
    """The probability of side 1: as said, from a decision by the logistic curve, or a hard 0 or 1.

    >>> from sklearn.dummy import DummyClassifier
    >>> side_one(DummyClassifier(strategy="prior").fit([[0]] * 4, [0, 1, 1, 1]), [[5]])
    array([0.75])
    """
    if hasattr(model, "predict_proba"):
        return spread_out(model.predict_proba(X), model.classes_, np.arange(2))[:, 1]
    if hasattr(model, "decision_function"):
        from scipy.special import expit

        return np.asarray(expit(np.asarray(model.decision_function(X), np.float64)))
    return np.asarray(model.predict(X) == 1, np.float64)


def spread_out(answers: Any, own: Any, classes: Array) -> Array:
    """A model's columns at the places of its classes among all; 0 for those that it never saw.

    >>> spread_out(np.array([[1.0]]), ["b"], np.array(["a", "b"]))
    array([[0., 1.]])
    """
    probabilities: Array = np.asarray(answers, np.float64)
    if len(own) == classes.size:
        return probabilities
    spread = np.zeros((len(probabilities), classes.size))
    spread[:, class_codes(own, classes)] = probabilities
    return spread


class Combined:
    """Predictions, stages, outputs and score of fitted `estimators_` that are combined.

    `_kind()` is how: `hard` (shares of votes) or `soft` (mean probabilities), of numbers `mean` or
    `median`.
    """

    estimators_: Any
    estimator_weights_: Array
    _check_rows: Callable[[Any], Any]

    def _kind(self) -> str:
        return "hard"

    def _staged(self, X: Any, stages: Sequence[int], kind: str | None = None) -> Iterator[Array]:
        """What decides after so many members: shares or means (n, k), or numbers (n,)."""
        kind, weights = kind or self._kind(), self.estimator_weights_
        yield from self.estimators_.combined(self._check_rows(X), weights, kind, stages)

    def _last_stage(self) -> int:
        check_is_fitted(self)
        return len(self.estimators_)

    def _most_stages(self) -> int:
        """The last stage that `outputs` offers, though members may have ended before."""
        return self._last_stage()

    def _all(self, X: Any, kind: str | None = None) -> Array:
        return next(self._staged(X, [self._last_stage()], kind))

    def _each(self, X: Any, kind: str | None = None) -> Iterator[Array]:
        return self._staged(X, range(1, self._last_stage() + 1), kind)

    def _decided(self, scores: Array) -> Array:
        return scores

    def predict(self, X: Any) -> Array:
        """The class with the largest score in each row (ties go to the first), or the number.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).

        Returns
        -------
        array
            Predictions, (n,).
        """
        return self._decided(self._all(X))

    def staged_predict(self, X: Any) -> Iterator[Array]:
        """What `predict` gives after the first stage, the second, ...

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).

        Yields
        ------
        array
            Predictions, (n,), of one stage.
        """
        yield from map(self._decided, self._each(X))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The accuracy; of numbers R².

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).
        y : array-like
            True class, or number, of each row.
        sample_weight : array-like, optional
            Weight of each row; None is 1 each.

        Returns
        -------
        float
            Accuracy, or R².
        """
        return self._score(y, self.predict(X), sample_weight)

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """What `score` gives after the first stage, the second, ...

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).
        y : array-like
            True class, or number, of each row.
        sample_weight : array-like, optional
            Weight of each row; None is 1 each.

        Yields
        ------
        float
            Accuracy, or R², of one stage.
        """
        for prediction in self.staged_predict(X):
            yield self._score(y, prediction, sample_weight)

    def _score(self, y: Any, prediction: Array, sample_weight: Any) -> float:
        score = r2_score if is_regressor(self) else accuracy_score
        return float(score(y, prediction, sample_weight=sample_weight))

    def outputs(self, X: Any) -> Iterator[Output]:
        """(suffix, predictions, scores) of the stages 1, 2, 5, 10, 20, ... and the last.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).

        Yields
        ------
        tuple[str, array, array or None]
            The suffix `B=stage`, predictions (n,), and scores (n, k) if there are any.
        """
        yield from self._at_stages(X)

    def _at_stages(self, X: Any, kind: str | None = None, prefix: str = "") -> Iterator[Output]:
        last = self._last_stage()
        shown = shown_stages(self._most_stages())
        stages = sorted({min(stage, last) for stage in shown})
        scores = dict(zip(stages, self._staged(X, stages, kind), strict=True))
        for stage in shown:
            score = scores[min(stage, last)]
            yield f"{prefix}B={stage}", self._decided(score), None if score.ndim == 1 else score


class Voting(Combined, ClassifierMixin):  # type: ignore[misc]
    """A combination that decides between `classes_`."""

    classes_: Array

    def _decided(self, scores: Array) -> Array:
        """The class of the largest score; ties go to the first."""
        return np.asarray(self.classes_[scores.argmax(axis=1)])

    def predict_proba(self, X: Any) -> Array:
        """One number a class, rows summing to 1: what the label is decided by.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).

        Returns
        -------
        array
            Scores, (n, k), in the order of `classes_`.
        """
        return self._all(X)

    def votes(self, X: Any) -> Array:
        """Each class's weighted share of the members' votes, rows summing to 1.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).

        Returns
        -------
        array
            Shares of votes, (n, k), in the order of `classes_`.
        """
        return self._all(X, "hard")

    def margins(self, X: Any, y: Any) -> Array:
        """Share of votes of the true class less the largest share of another, from -1 to 1.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).
        y : array-like
            True class of each row.

        Returns
        -------
        array
            Margins, (n,), from -1 to 1.
        """
        return margins_of(self.votes(X), class_codes(y, self.classes_))

    def staged_predict_proba(self, X: Any) -> Iterator[Array]:
        """What `predict_proba` gives after the first stage, the second, ...

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).

        Yields
        ------
        array
            Scores, (n, k), of one stage.
        """
        yield from self._each(X)

    def staged_votes(self, X: Any) -> Iterator[Array]:
        """The shares of votes after the first stage, the second, ...

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).

        Yields
        ------
        array
            Shares of votes, (n, k), of one stage.
        """
        yield from self._each(X, "hard")

    def staged_margins(self, X: Any, y: Any) -> Iterator[Array]:
        """The margins after the first stage, the second, ...

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).
        y : array-like
            True class of each row.

        Yields
        ------
        array
            Margins, (n,), of one stage.
        """
        codes = class_codes(y, self.classes_)
        for shares in self.staged_votes(X):
            yield margins_of(shares, codes)


class Averaging(Combined, RegressorMixin):  # type: ignore[misc]
    """A combination of numbers."""

    def _kind(self) -> str:
        return "mean"
