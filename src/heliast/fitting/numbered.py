"""Classes as numbers 0, 1, ... for classifiers that take no other labels, such as XGBoost's."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier
from sklearn.utils.metaestimators import available_if

from heliast._core.kinds import Array


def fitted(model: Any, X: Any, truth: Array, seeds: Mapping[str, int]) -> Any:
    """A copy of the model, fitted; on numbers for the classes if it does not take the labels.

    That it does not shows when its fit fails. A classifier is then given the classes of the
    training rows as 0, 1, ... If that fails as well, the first failure is the one to tell.
    """
    try:
        return _fitted(model, X, truth, seeds)
    except MemoryError:
        raise
    except Exception as error:
        if not is_classifier(model) or _are_numbers(truth):
            raise
        inner = {f"estimator__{name}": seed for name, seed in seeds.items()}
        try:
            return _fitted(Numbered(model), X, truth, inner)
        except Exception:
            raise error from None


def _fitted(model: Any, X: Any, truth: Array, seeds: Mapping[str, int]) -> Any:
    made = clone(model)
    if seeds:
        made.set_params(**seeds)
    made.fit(X, truth)
    return made


def _are_numbers(truth: Array) -> bool:
    """Whether the classes are 0, 1, ... already."""
    known = np.unique(truth)
    return known.dtype.kind in "iu" and bool((known == np.arange(known.size)).all())


def _offers(name: str) -> Any:
    return available_if(lambda self: hasattr(getattr(self, "estimator_", self.estimator), name))


class Numbered(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that learns its classes as 0, 1, ... and answers with the labels.

    Parameters
    ----------
    estimator : classifier
        What is fitted, as a copy.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> made = Numbered(GaussianNB()).fit([[1.0], [2.0], [8.0], [9.0]], ["no", "no", "yes", "yes"])
    >>> made.predict([[7.0]]), made.estimator_.classes_
    (array(['yes'], dtype='<U3'), array([0, 1]))
    """

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(self, X: Any, y: Any) -> "Numbered":
        """Learn from the numbers of the classes."""
        self.classes_, numbers = np.unique(y, return_inverse=True)
        self.estimator_ = clone(self.estimator).fit(X, numbers)
        return self

    def predict(self, X: Any) -> Array:
        """The label of each row."""
        return self.inverse_transform(self.estimator_.predict(X))

    @_offers("predict_proba")  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Array:
        """A probability a class."""
        found: Array = self.estimator_.predict_proba(X)
        return found

    @_offers("decision_function")  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Array:
        """A score a class, or one for the second of two."""
        found: Array = self.estimator_.decision_function(X)
        return found

    def inverse_transform(self, numbers: Any) -> Array:
        """The labels of numbers that the fitted model inside predicts."""
        said = np.asarray(numbers).reshape(-1)
        unknown = said[~np.isin(said, np.arange(len(self.classes_)))]
        if unknown.size:
            raise ValueError(
                f"it was given the classes as 0 to {len(self.classes_) - 1} and predicted "
                f"{unknown[0]}"
            )
        labels: Array = self.classes_[said.astype(np.int64)]
        return labels

    @property
    def feature_names_in_(self) -> Array:
        """The names of the columns, if the fitted model knows them."""
        names: Array = self.estimator_.feature_names_in_
        return names
