"""The vote of any models: fitted ones, or those that have predicted already."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, is_classifier, is_regressor
from sklearn.utils import RegressorTags, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted, column_or_1d

from heliast._core.errors import InputError
from heliast._core.kinds import Array, RandomState
from heliast.ensembles._base import fit_options, fresh_copy, generator, root_seed
from heliast.ensembles._voting import (
    Members,
    Output,
    Voting,
    averages,
    staged_shares,
)

Kind = Literal["hard", "soft", "mean", "median"]
# How models of each task may vote; the first if none is asked for.
KINDS = {"classification": ("hard", "soft"), "regression": ("mean", "median")}


def kind_of_vote(kind: str | None, task: str) -> str:
    """How models of this task vote: as asked, or as is usual.

    >>> kind_of_vote(None, "regression")
    'mean'
    """
    known = KINDS[task]
    if kind is not None and kind not in known:
        raise InputError(f"kind={kind!r}: for {task} choose {known[0]!r} or {known[1]!r}")
    return kind or known[0]


def weights_of_models(weights: Any, names: Sequence[str]) -> Array:
    """One weight a model, in the order of the models or by name; even if None is given.

    >>> weights_of_models({"a": 2, "b": 1}, ["a", "b"])
    array([2., 1.])
    """
    if weights is None:
        return np.ones(len(names))
    by_name = weights if isinstance(weights, Mapping) else dict(zip(names, weights, strict=False))
    values = np.array([by_name.get(name, np.nan) for name in names], np.float64)
    if len(weights) != len(names) or not (values >= 0).all() or not 0 < values.sum() < np.inf:
        raise InputError(
            f"weights={weights!r}: give one for each of {', '.join(names)}: finite, at least 0 and "
            "not all 0"
        )
    return values


def _classifies(vote: "MajorityVote") -> bool:
    return task_of(named_models(vote.estimators)) == "classification"


class MajorityVote(Voting, BaseEstimator):  # type: ignore[misc]
    """The weighted vote of any models: of classes, of their probabilities, or of numbers.

    C(x) = argmax_c Σ_j w_j I(h_j(x) = c)   (`hard`: a majority vote learner, MaVL)
    C(x) = argmax_c Σ_j w_j p_j(c | x)      (`soft`: a semi majority vote learner)
    f(x) = Σ_j w_j f_j(x) / Σ_j w_j         (`mean`, of regressors)
    f(x) = the smallest f_j(x) up to which at least half of the weight lies   (`median`)

    Of regressors it is a regressor: it has no `votes`, `margins` and probabilities.

    A vote of models in a table of predictions needs no models: `heliast.ensembles.majority`.

    Parameters
    ----------
    estimators : mapping or sequence
        {name: model}, [(name, model), ...] or [model, ...].
    weights : mapping or sequence, optional
        One a model, in their order or by name; None is even. They are brought to sum 1.
    kind : {'hard', 'soft', 'mean', 'median'}, optional
        Whether predicted classes or probabilities are averaged; for numbers how they are. None is
        `hard` for classes and `mean` for numbers.
    fitted : bool, default False
        Whether the models are fitted already: they vote as they are, and `fit` may be called
        without data. (As cloning forgets fits, inside `run` or a search wrap each in scikit-learn's
        `FrozenEstimator` instead.)
    n_jobs : int, optional
        Processes, as in scikit-learn; results are the same for any number.
    random_state : int, RandomState, optional
        Seed of the models that have none.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> X, y = np.zeros((3, 1)), ["a", "a", "b"]
    >>> rules = {c: DummyClassifier(strategy="constant", constant=c) for c in "ab"}
    >>> MajorityVote(rules, weights={"a": 1, "b": 3}).fit(X, y).votes(X[:1])
    array([[0.25, 0.75]])
    >>> from sklearn.dummy import DummyRegressor
    >>> sure = [DummyRegressor(strategy="constant", constant=c) for c in (1.0, 2.0, 6.0)]
    >>> [MajorityVote(sure, kind=k).fit(X, [1, 2, 3]).predict(X[:1]) for k in ("mean", "median")]
    [array([3.]), array([2.])]
    """

    estimators_: Members

    def __init__(
        self,
        estimators: Any,
        weights: Sequence[float] | Mapping[str, float] | None = None,
        *,
        kind: Kind | None = None,
        fitted: bool = False,
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.estimators = estimators
        self.weights = weights
        self.kind = kind
        self.fitted = fitted
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any = None, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit every model to the rows, or take them as they are if they are `fitted`.

        Parameters
        ----------
        X : array-like or frame, optional
            Training rows, (n, features); not needed if `fitted`.
        y : array-like, optional
            True class, or number, of each row; not needed if `fitted`.
        sample_weight : array-like, optional
            Weight of each row, handed to every model; None is 1 each.

        Returns
        -------
        Self
            The fitted model.

        Raises
        ------
        InputError
            If names, weights or `kind` do not fit the models.
        """
        named = named_models(self.estimators)
        task = task_of(named)
        self.kind_ = kind_of_vote(self.kind, task)
        self.names_ = [name for name, _ in named]
        self.estimator_weights_ = weights_of_models(self.weights, self.names_)
        models = [model for _, model in named]
        if self.fitted:
            for name, model in named:
                check_is_fitted(
                    model,
                    msg=f"{name!r} is not fitted: fitted=True votes with models as they are, which "
                    "`run` takes copies of; judge such a vote by `predict` (command line: "
                    "--fitted), or let fitted=False fit them",
                )
        else:
            y = column_or_1d(y, warn=True)
            root = None if self.random_state is None else root_seed(self.random_state)
            rngs = (None if root is None else generator(root, at) for at in range(len(models)))
            copies = map(fresh_copy, models, rngs, repeat(True))
            options = fit_options(sample_weight)
            jobs = (delayed(copy.fit)(X, y, **options) for copy in copies)
            models = list(Parallel(n_jobs=self.n_jobs)(jobs))
        classes = None
        if task == "classification":
            labels = [model.classes_ for model in models] if self.fitted else [y]
            classes = self.classes_ = np.unique(np.concatenate(labels))
        self.estimators_ = Members(models, classes, n_jobs=self.n_jobs)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(models[0], name):
                setattr(self, name, getattr(models[0], name))
        return self

    def _check_rows(self, X: Any) -> Any:
        return X

    def _kind(self) -> str:
        return self.kind_

    def _decided(self, scores: Array) -> Array:
        return super()._decided(scores) if scores.ndim == 2 else scores

    predict_proba = available_if(_classifies)(Voting.predict_proba)
    votes = available_if(_classifies)(Voting.votes)
    margins = available_if(_classifies)(Voting.margins)
    staged_predict_proba = available_if(_classifies)(Voting.staged_predict_proba)
    staged_votes = available_if(_classifies)(Voting.staged_votes)
    staged_margins = available_if(_classifies)(Voting.staged_margins)

    def outputs(self, X: Any) -> Iterator[Output]:
        """(suffix, predictions, scores): the vote of either kind, then each model by its name.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).

        Yields
        ------
        tuple[str, array, array or None]
            Suffix, predictions (n,), and scores (n, k) if there are any.
        """
        members, weights = self.estimators_, self.estimator_weights_
        last = [weights.size]
        probabilities: list[Any] = [None] * weights.size
        if self.kind_ in KINDS["regression"]:
            answers = list(members.numbers(X))
            for kind in KINDS["regression"]:
                yield kind, next(averages(answers, weights, kind, last)), None
        else:
            labels = members.labels(X)
            answers = list(self.classes_[labels.T])
            shares = next(staged_shares(labels, weights, self.classes_.size, last))
            yield "hard", self._decided(shares), shares
            if members.has_probabilities:
                probabilities = list(members.probabilities(X))
                mean = next(averages(probabilities, weights, "soft", last))
                yield "soft", self._decided(mean), mean
        yield from zip(self.names_, answers, probabilities, strict=True)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if not _classifies(self):
            tags.estimator_type, tags.classifier_tags = "regressor", None
            tags.regressor_tags = RegressorTags()
        inner = [get_tags(model).input_tags for _, model in named_models(self.estimators)]
        tags.input_tags.sparse = all(tag.sparse for tag in inner)
        tags.input_tags.allow_nan = all(tag.allow_nan for tag in inner)
        return tags


def named_models(models: Any) -> list[tuple[str, Any]]:
    """Names and models, from a mapping, pairs, or models alone (named after their class)."""
    if isinstance(models, Mapping):
        models = list(models.items())
    if not isinstance(models, Sequence) or not models:
        raise InputError(f"estimators={models!r}: give {{name: model}}, or a list of models")
    named = [
        model if isinstance(model, tuple) else (f"{type(model).__name__.lower()}{number}", model)
        for number, model in enumerate(models)
    ]
    taken = [*KINDS["classification"], *KINDS["regression"]]
    for name, _ in named:
        if name in taken:
            raise InputError(
                f"estimators: {name!r} occurs twice, or is what a vote itself is called"
            )
        taken.append(name)
    return named


def task_of(named: list[tuple[str, Any]]) -> str:
    """What all models predict: `classification` or `regression`."""
    for task, predicts in (("classification", is_classifier), ("regression", is_regressor)):
        if all(predicts(model) for _, model in named):
            return task
    kinds = ", ".join(f"{name!r} ({type(model).__name__})" for name, model in named)
    raise InputError(f"estimators: {kinds} cannot vote together: give classifiers, or regressors")
