"""The vote of any models, fitted already or not."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    RegressorMixin,
    clone,
    is_classifier,
    is_regressor,
)
from sklearn.exceptions import NotFittedError
from sklearn.utils import RegressorTags, check_array, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted, column_or_1d

from heliast._core.errors import InputError
from heliast._core.kinds import Array, RandomState
from heliast._core.told import FITTED, TO_PREDICT, told
from heliast.ensembles._averages import average
from heliast.ensembles._draws import Clones, generator, root_seed
from heliast.ensembles._ensemble import SETTINGS
from heliast.ensembles._fitting import by
from heliast.ensembles._members import Refitted
from heliast.ensembles._voting import Averaging, MemberVoting

Kind = Literal["hard", "soft", "mean", "median"]
KINDS = {"classes": ("hard", "soft"), "number": ("mean", "median")}
"""How models of each task may vote; the first if none is asked for."""
TO_JUDGE = {**TO_PREDICT, "y": "array-like: True class, or number, of each row."}


def checked_kind(kind: str | None, task: str) -> str:
    """How models of this task vote: as asked, or as is usual.

    >>> checked_kind(None, "number")
    'mean'
    """
    known = KINDS[task]
    if kind is not None and kind not in known:
        what = "classes" if task == "classes" else "numbers"
        raise InputError(f"kind={kind!r}: for {what} choose {known[0]!r} or {known[1]!r}")
    return kind or known[0]


def checked_weights_of(weights: Any, names: Sequence[str]) -> Array:
    """One weight a model, in the order of the models or by name; even if None is given.

    >>> checked_weights_of({"a": 2, "b": 1}, ["a", "b"])
    array([2., 1.])
    """
    if weights is None:
        return np.ones(len(names))
    if isinstance(weights, Mapping):
        strange = [name for name in weights if name not in names]
        absent = [name for name in names if name not in weights]
        if strange or absent:
            raise InputError(
                f"weights: {(strange or absent)[0]!r} is "
                f"{'no model' if strange else 'lacking'}; the models are {', '.join(names)}"
            )
        weights = [weights[name] for name in names]
    found = np.asarray(weights, np.float64)
    if found.shape != (len(names),):
        raise InputError(f"weights: give {len(names)}, one a model; got shape {found.shape}")
    if not np.isfinite(found).all() or (found < 0).any() or not found.any():
        raise InputError(f"weights={weights!r}: finite, none below 0 and not all 0")
    return found


def _of_classes(vote: "MajorityVote") -> bool:
    return _task(_named(vote.models)) == "classes"


@told(SETTINGS)
class MajorityVote(MemberVoting, BaseEstimator):  # type: ignore[misc]
    """The weighted vote of any models: of classes, of their probabilities, or of numbers.

    C(x) = argmax_c Σ_j w_j I(h_j(x) = c)   (`hard`: a majority vote learner, MaVL)
    C(x) = argmax_c Σ_j w_j p_j(c | x)      (`soft`: a semi majority vote learner)
    f(x) = Σ_j w_j f_j(x) / Σ_j w_j         (`mean`, of models that predict numbers)
    f(x) = the smallest f_j(x) up to which at least half of the weight lies   (`median`)

    Of numbers it is a regressor: it has no `votes`, `margins` and probabilities.

    A vote of models in a table of predictions needs no models: `heliast.ensembles.majority`.

    Parameters
    ----------
    models : mapping or sequence
        {name: model}, [(name, model), ...] or [model, ...].
    weights : mapping or sequence, optional
        One a model, in their order or by name; None is even. They are brought to sum 1.
    kind : {'hard', 'soft', 'mean', 'median'}, optional
        Whether chosen classes or probabilities are averaged; for numbers how they are. None is
        `hard` for classes and `mean` for numbers.
    fitted : bool, default False
        Whether the models are fitted already: they vote as they are, and `fit` may be called
        without data. (As cloning forgets fits, inside `run` or a search wrap each in scikit-learn's
        `FrozenEstimator` instead.)
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

    members_: Refitted

    def __init__(
        self,
        models: Any,
        weights: Sequence[float] | Mapping[str, float] | None = None,
        *,
        kind: Kind | None = None,
        fitted: bool = False,
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.models = models
        self.weights = weights
        self.kind = kind
        self.fitted = fitted
        self.n_jobs = n_jobs
        self.random_state = random_state

    @told(returns=FITTED, raises="If names, weights or `kind` do not fit the models.")
    def fit(self, X: Any = None, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit every model to the rows, or take them as they are if they are `fitted`.

        Parameters
        ----------
        X : array-like or frame, optional
            Training rows, (n, inputs); not needed if `fitted`.
        y : array-like, optional
            True class, or number, of each row; not needed if `fitted`.
        sample_weight : array-like, optional
            Weight of each row, handed to every model; None is 1 each.
        """
        named = _named(self.models)
        self.kind_ = checked_kind(self.kind, _task(named))
        self.names_ = [name for name, _ in named]
        self.weights_ = checked_weights_of(self.weights, self.names_)
        models = [model for _, model in named]
        if self.fitted:
            for name, model in named:
                try:
                    check_is_fitted(model)
                except NotFittedError:
                    raise NotFittedError(
                        f"{name!r} is not fitted: fitted=True votes with models as they are, which "
                        "`run` takes copies of; judge such a vote by `predict` (command line: "
                        "--fitted), or let fitted=False fit them"
                    ) from None
        else:
            models, y = self._fit_each(models, X, y, sample_weight)
        classes = None
        if self.kind_ in KINDS["classes"]:
            each = [model.classes_ for model in models] if self.fitted else [y]
            classes = self.classes_ = np.unique(np.concatenate(each))
        self.members_ = Refitted(models, classes, n_jobs=self.n_jobs)
        first = models[0]
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(first, name):
                setattr(self, name, getattr(first, name))
        return self

    def _fit_each(
        self, models: list[Any], X: Any, y: Any, sample_weight: Any
    ) -> tuple[list[Any], Array]:
        if y is None:
            raise InputError("fit requires y to be passed, but the target y is None")
        y = column_or_1d(y, warn=True)
        if self.kind_ in KINDS["classes"]:
            check_classification_targets(y)
        else:
            y = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
        fresh = [clone(model) for model in models]
        if self.random_state is not None:
            root = root_seed(self.random_state)
            fresh = [Clones(m, True).fresh(generator(root, at)) for at, m in enumerate(models)]
        found = Parallel(n_jobs=self.n_jobs)(
            delayed(_fit)(m, X, y, by(sample_weight)) for m in fresh
        )
        return list(found), y

    def _testing(self, X: Any) -> Any:
        check_is_fitted(self)
        return X

    # --- classes or numbers ----------------------------------------------------------------

    def _kind(self) -> str:
        check_is_fitted(self)
        return self.kind_

    def _averaged(self, X: Any) -> Iterator[Array]:
        X = self._testing(X)
        return self.members_.probabilities(X) if self.kind_ == "soft" else self.members_.numbers(X)

    def _decided(self, scores: Array) -> Array:
        return super()._decided(scores) if self.kind_ in KINDS["classes"] else scores

    predict_proba = available_if(_of_classes)(MemberVoting.predict_proba)
    votes = available_if(_of_classes)(MemberVoting.votes)
    margins = available_if(_of_classes)(MemberVoting.margins)
    staged_predict_proba = available_if(_of_classes)(MemberVoting.staged_predict_proba)
    staged_votes = available_if(_of_classes)(MemberVoting.staged_votes)
    staged_margins = available_if(_of_classes)(MemberVoting.staged_margins)

    @told(TO_JUDGE, returns="float: Accuracy, or R².")
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The accuracy; of numbers R²."""
        judge = ClassifierMixin if _of_classes(self) else RegressorMixin
        return float(judge.score(self, X, y, sample_weight))

    @told(TO_JUDGE, yields="float: Accuracy, or R², of one stage.")
    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """The accuracy (of numbers R²) of the first model, the first two, ..."""
        judge = MemberVoting if _of_classes(self) else Averaging
        yield from judge.staged_score(self, X, y, sample_weight)

    @told(
        TO_PREDICT,
        yields="tuple[str, array, array or None]: Suffix, labels (n,), and scores (n, k) if there "
        "are any.",
    )
    def outputs(self, X: Any) -> Iterator[tuple[str, Array, Array | None]]:
        """(suffix, labels, scores): the vote of either kind, then each model by its name."""
        if self._kind() in KINDS["number"]:
            numbers = list(self._averaged(X))
            for kind in KINDS["number"]:
                yield kind, average(numbers, self.weights_, kind), None
            for name, number in zip(self.names_, numbers, strict=True):
                yield name, number, None
            return
        ballots = self._ballots(X)
        shares = ballots.shares()
        yield "hard", self._decided(shares), shares
        beliefs: list[Array | None] = [None] * len(self.members_)
        if self.members_.has_probabilities():
            known = list(self.members_.probabilities(X))
            mean, beliefs = average(known, self.weights_), [*known]
            yield "soft", self._decided(mean), mean
        for at, name in enumerate(self.names_):
            yield name, self.classes_[ballots.label[:, at]], beliefs[at]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if not _of_classes(self):
            tags.estimator_type, tags.classifier_tags = "regressor", None
            tags.regressor_tags = RegressorTags()
        inner = [get_tags(model).input_tags for _, model in _named(self.models)]
        tags.input_tags.sparse = all(one.sparse for one in inner)
        tags.input_tags.allow_nan = all(one.allow_nan for one in inner)
        return tags


def _named(models: Any) -> list[tuple[str, Any]]:
    """Names and models, from a mapping, pairs, or models alone (named after their class)."""
    if isinstance(models, Mapping):
        found = [(str(name), model) for name, model in models.items()]
    elif isinstance(models, Sequence) and all(
        isinstance(one, tuple) and len(one) == 2 for one in models
    ):
        found = [(str(name), model) for name, model in models]
    elif isinstance(models, Sequence):
        found = [(f"{type(model).__name__.lower()}{at}", model) for at, model in enumerate(models)]
    else:
        raise InputError(f"models={models!r}: give a mapping {{name: model}} or a list of models")
    names = [name for name, _ in found]
    twice = [name for name in names if names.count(name) > 1]
    if not found or twice:
        raise InputError(f"models: {f'{twice[0]!r} is there twice' if twice else 'none is given'}")
    return found


def _task(named: list[tuple[str, Any]]) -> str:
    """What all models predict: `classes` or `number`."""
    for name, model in named:
        if not is_classifier(model) and not is_regressor(model):
            raise InputError(
                f"models: {name!r} ({type(model).__name__}) is neither a classifier nor a "
                "predictor of numbers (regressor)"
            )
    numbers = [name for name, model in named if is_regressor(model)]
    if 0 < len(numbers) < len(named):
        other = next(name for name, _ in named if name not in numbers)
        raise InputError(
            f"models: {numbers[0]!r} predicts numbers and {other!r} classes: they cannot vote "
            "together"
        )
    task = "number" if numbers else "classes"
    taken = next((name for name, _ in named if name in KINDS[task]), None)
    if taken is not None:
        raise InputError(f"models: {taken!r} is what a vote itself is called; use another name")
    return task


def _fit(model: Any, X: Any, y: Array, options: dict[str, Any]) -> Any:
    return model.fit(X, y, **options)
