"""What every ensemble of one estimator shares: its base, checks of its input, random numbers."""

from types import NoneType
from typing import Any, ClassVar, Literal, get_args, get_origin, get_type_hints

import numpy as np
from sklearn.base import BaseEstimator, clone, is_classifier, is_regressor
from sklearn.dummy import DummyClassifier
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.learners.sample_weight import checked_weights
from heliast.learners.tree import Inputs, Tree, is_open

LIMIT = np.iinfo(np.int32).max


class Ensemble(BaseEstimator):  # type: ignore[misc]
    """An ensemble of copies of `estimator`."""

    estimator: Any
    _inputs: Any
    _regression = False
    # What member trees are set to if nothing is said of their size.
    _member_settings: ClassVar[dict[str, Any]] = {"limits": "pure"}

    def _default_base(self) -> Any:
        return Tree("squared_error") if self._regression else Tree()

    def _base(self) -> Any:
        """The estimator whose copies are the members."""
        base = self._default_base() if self.estimator is None else self.estimator
        if not (is_regressor if self._regression else is_classifier)(base):
            kind = "regressor" if self._regression else "classifier"
            raise InputError(f"estimator={base!r}: {type(self).__name__} needs a {kind}")
        return as_member(base, self._member_settings)

    def _grows(self, base: Any) -> bool:
        """Whether all members grow together, as trees from one binned copy of the rows."""
        return grows_together(base)

    def _check_training(
        self, X: Any, y: Any, sample_weight: Any, drop_zero: bool = True
    ) -> tuple[Any, Any, Array, Array | None]:
        """The base, features, targets and weights (None: all 1); sets `classes_`.

        Rows of weight 0 go before anything is drawn or counted: they are left out to the last
        digit.
        """
        check_options(self)
        base = self._base()
        X, y = validate_data(self, X, y, y_numeric=self._regression, **self._checks(base))
        self._inputs = None
        if self._grows(base):  # text becomes the numbers of nominal values, as in the tree itself
            self._inputs = Inputs(X, base.nominal, getattr(self, "feature_names_in_", None))
            X = self._inputs.matrix(X)
        weight = None
        if sample_weight is not None:
            weight = checked_weights(sample_weight, X.shape[0])
            if drop_zero and not weight.all():
                rows = np.flatnonzero(weight)
                X, y, weight = X[rows], y[rows], weight[rows]
        if not self._regression:
            check_classification_targets(y)
            self.classes_ = np.unique(y)
        return base, X, y, weight

    def _check_rows(self, X: Any) -> Any:
        """Rows to predict, as the members take them."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **self._checks(self._base()))
        return X if self._inputs is None else self._inputs.matrix(X)

    def _checks(self, base: Any) -> dict[str, Any]:
        return {
            "dtype": None,
            "ensure_all_finite": "allow-nan" if self._grows(base) else False,
            "accept_sparse": "csr" if get_tags(base).input_tags.sparse else False,
        }

    def __sklearn_tags__(self) -> Any:
        tags, inner = super().__sklearn_tags__(), get_tags(self._base()).input_tags
        tags.input_tags.sparse, tags.input_tags.allow_nan = inner.sparse, inner.allow_nan
        return tags


def as_member(base: Any, settings: dict[str, Any]) -> Any:
    """The base with these settings in the trees inside it of whose size nothing is said.

    A tree inside an ensemble inside the base is that ensemble's.

    >>> as_member(Tree("gini"), {"limits": "pure"}), as_member(Tree(max_depth=2), {"max_depth": 1})
    (Tree(criterion='gini', limits='pure'), Tree(max_depth=2))
    """
    parts = {"": base, **base.get_params(deep=True)}
    ensembles = tuple(
        f"{name}__" if name else "" for name, part in parts.items() if isinstance(part, Ensemble)
    )
    changes = {
        f"{name}__{setting}".removeprefix("__"): value
        for name, part in parts.items()
        if isinstance(part, Tree) and is_open(part) and not name.startswith(ensembles)
        for setting, value in settings.items()
    }
    return clone(base).set_params(**changes) if changes else base


def grows_together(base: Any) -> bool:
    """Whether the base is a tree that the engine grows as `fit` would, many at once."""
    return type(base) is Tree and base.class_weight is base.pruning is None


# --- options -----------------------------------------------------------------------------------


def check_options(owner: Any) -> None:
    """Refuse an option that is none of the values that its annotation lists.

    >>> from heliast.ensembles import PairwiseVote
    >>> check_options(PairwiseVote(coupling="no"))
    Traceback (most recent call last):
    heliast._core.errors.InputError: coupling='no': choose 'hastie-tibshirani', 'votes'
    """
    for name, hint in get_type_hints(type(owner).__init__).items():
        kinds = [hint] if get_origin(hint) is Literal else get_args(hint)
        values = [
            value for kind in kinds if get_origin(kind) is Literal for value in get_args(kind)
        ]
        value = getattr(owner, name, None)
        if values and float not in kinds and value not in (*values, *(None,) * (NoneType in kinds)):
            raise InputError(f"{name}={value!r}: choose {', '.join(map(repr, values))}")


def check_count(name: str, value: Any, least: int = 1) -> None:
    """Refuse what is no whole number, or too small."""
    if not isinstance(value, (int, np.integer)) or value < least:
        raise InputError(f"{name}={value!r}: give a whole number of at least {least}")


# --- random numbers ----------------------------------------------------------------------------


def root_seed(random_state: Any) -> int:
    """One number from which all others follow.

    >>> root_seed(7) == root_seed(7)
    True
    """
    return int(check_random_state(random_state).randint(LIMIT))


def generator(root: int, *path: int) -> np.random.Generator:
    """The generator of one member (or round, or attempt): it depends on root and path only.

    >>> generator(7, 3).integers(1000) == generator(7, 3).integers(1000)
    np.True_
    """
    return np.random.default_rng(np.random.SeedSequence(root, spawn_key=path))


def bootstrap_counts(rng: np.random.Generator, n: int, shares: Array | None = None) -> Array:
    """How often each of n rows is drawn in n draws with replacement, evenly or by their shares.

    Rows without a share are not there: there are as many draws as rows with one.

    >>> bootstrap_counts(np.random.default_rng(0), 3, np.array([0.0, 1.0, 0.0]))
    array([0, 1, 0])
    """
    if shares is None:
        return np.bincount(rng.integers(0, n, n), minlength=n)
    steps = np.cumsum(shares)
    draws = rng.random(np.count_nonzero(shares)) * steps[-1]
    return np.bincount(np.searchsorted(steps, draws, side="right"), minlength=n)


# --- fitting copies ----------------------------------------------------------------------------


def fresh_copy(base: Any, rng: np.random.Generator | None, only_open: bool = False) -> Any:
    """A copy with a seed of its own in every `random_state` inside; without `rng` as it is.

    Members must differ, so a seed that the base has is replaced, too, unless `only_open`.
    """
    copy = clone(base)
    if rng is not None:
        seeds = sorted(
            name
            for name, value in copy.get_params(deep=True).items()
            if f"__{name}".endswith("__random_state") and (value is None or not only_open)
        )
        if seeds:
            copy.set_params(**{name: int(rng.integers(LIMIT)) for name in seeds})
    return copy


def fit_copy(
    base: Any, X: Any, y: Array, rng: np.random.Generator | None, weight: Array | None = None
) -> Any:
    """A fresh copy, fitted; a constant if one class is alone: many estimators refuse to learn."""
    if (y == y[0]).all() and is_classifier(base):
        return DummyClassifier(strategy="most_frequent").fit(X, y)
    return fresh_copy(base, rng).fit(X, y, **fit_options(weight))


def fit_options(weight: Any) -> dict[str, Any]:
    """What `fit` is given beside the data: weights, if there are any."""
    return {} if weight is None else {"sample_weight": weight}
