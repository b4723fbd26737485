"""The vote of any models, fitted already or not."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted, column_or_1d

from heliast._core.errors import InputError
from heliast._core.kinds import Array, RandomState
from heliast.ensembles._draws import Clones, generator, root_seed
from heliast.ensembles._members import Refitted
from heliast.ensembles._voting import MemberVoting


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


class MajorityVote(MemberVoting, BaseEstimator):  # type: ignore[misc]
    """The weighted vote of any models: of the classes they choose, or of their probabilities.

    C(x) = argmax_c Σ_j w_j I(h_j(x) = c)   (`hard`: a majority vote learner, MaVL)
    C(x) = argmax_c Σ_j w_j p_j(c | x)      (`soft`: a semi majority vote learner)

    A vote of models in a table of predictions needs no models: `heliast.ensembles.majority`.

    Parameters
    ----------
    models : mapping or sequence
        {name: model}, [(name, model), ...] or [model, ...].
    weights : mapping or sequence, optional
        One a model, in their order or by name; None is even. They are brought to sum 1.
    kind : {'hard', 'soft'}, default 'hard'
        Whether chosen classes or probabilities are averaged.
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
    """

    def __init__(
        self,
        models: Any,
        weights: Sequence[float] | Mapping[str, float] | None = None,
        *,
        kind: Literal["hard", "soft"] = "hard",
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

    def fit(self, X: Any = None, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit every model to the rows, or take them as they are if they are `fitted`.

        Parameters
        ----------
        X : array-like or frame, optional
            Training rows, (n, inputs); not needed if `fitted`.
        y : array-like, optional
            True class of each row; not needed if `fitted`.
        sample_weight : array-like, optional
            Weight of each row; None is 1 each.

        Returns
        -------
        Self
            The fitted model.

        Raises
        ------
        InputError
            If names or weights do not fit the models, or `kind` is unknown.
        """
        if self.kind not in ("hard", "soft"):
            raise InputError(f"kind={self.kind!r}: choose 'hard' or 'soft'")
        named = _named(self.models)
        self.names_ = [name for name, _ in named]
        self.weights_ = checked_weights_of(self.weights, self.names_)
        models = [model for _, model in named]
        if self.fitted:
            self.classes_ = _common_classes(models)
        else:
            models = self._fit_each(models, X, y, sample_weight)
        self.members_ = Refitted(models, self.classes_, n_jobs=self.n_jobs)
        first = models[0]
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(first, name):
                setattr(self, name, getattr(first, name))
        return self

    def _fit_each(self, models: list[Any], X: Any, y: Any, sample_weight: Any) -> list[Any]:
        if y is None:
            raise InputError("fit requires y to be passed, but the target y is None")
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        options = {} if sample_weight is None else {"sample_weight": sample_weight}
        fresh = [clone(model) for model in models]
        if self.random_state is not None:
            root = root_seed(self.random_state)
            fresh = [Clones(m, True).fresh(generator(root, at)) for at, m in enumerate(models)]
        found = Parallel(n_jobs=self.n_jobs)(delayed(_fit)(m, X, y, options) for m in fresh)
        return list(found)

    def _testing(self, X: Any) -> Any:
        check_is_fitted(self)
        return X

    def outputs(self, X: Any) -> Iterator[tuple[str, Array, Array | None]]:
        """(suffix, labels, scores): the vote of either kind, then each model by its name.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, inputs).

        Yields
        ------
        tuple[str, array, array or None]
            Suffix, labels (n,), and scores (n, k) if there are any.
        """
        ballots = self._ballots(X)
        shares = ballots.shares()
        yield "hard", self._decided(shares), shares
        beliefs: list[Array | None] = [None] * len(self.members_)
        if self.members_.has_probabilities():
            beliefs = list(self.members_.probabilities(X))
            mean = np.average(np.array(beliefs), axis=0, weights=self.weights_)
            yield "soft", self._decided(mean), mean
        for at, name in enumerate(self.names_):
            yield name, self.classes_[ballots.label[:, at]], beliefs[at]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
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
    for name, model in found:
        if not is_classifier(model):
            raise InputError(f"models: {name!r} ({type(model).__name__}) is no classifier")
    return found


def _common_classes(models: list[Any]) -> Array:
    for model in models:
        check_is_fitted(model)
    return np.unique(np.concatenate([np.asarray(model.classes_) for model in models]))


def _fit(model: Any, X: Any, y: Array, options: dict[str, Any]) -> Any:
    return model.fit(X, y, **options)
