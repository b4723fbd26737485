"""Classes as numbers 0, 1, ... for classifiers that take no other labels, such as XGBoost's."""

from collections.abc import Mapping
from inspect import Parameter, signature
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier

from heliast._core.errors import InputError
from heliast._core.kinds import Array


def fitted(
    model: Any, X: Any, truth: Array, seeds: Mapping[str, int], weight: Array | None = None
) -> Any:
    """A copy of the model, fitted; on numbers for the classes if it does not take the labels.

    That it does not shows when its fit fails. A classifier is then given the classes of the
    training rows as 0, 1, ... If that fails as well, the first failure is the one to tell.
    """
    try:
        return _fit_copy(model, X, truth, seeds, weight)
    except MemoryError:
        raise
    except Exception as error:
        known = np.unique(truth)
        numbered = known.dtype.kind in "iu" and np.array_equal(known, np.arange(known.size))
        if numbered or not is_classifier(model):
            raise
        try:
            inner = {f"estimator__{name}": seed for name, seed in seeds.items()}
            return _fit_copy(Numbered(model), X, truth, inner, weight)
        except Exception:
            raise error from None


def _fit_copy(
    model: Any, X: Any, truth: Array, parameters: Mapping[str, int], weight: Array | None
) -> Any:
    copy = clone(model)
    if parameters:
        copy.set_params(**parameters)
    copy.fit(X, truth, **({} if weight is None else {weight_name(copy): weight}))
    return copy


def weight_name(model: Any) -> str:
    """How `fit` of a model, or of the last step of a pipeline, calls the weights of rows."""
    from sklearn.pipeline import Pipeline

    if isinstance(model, Pipeline):
        name, last = model.steps[-1]
        return f"{name}__{weight_name(last)}"
    parameters = signature(model.fit).parameters
    takes_any = any(each.kind is Parameter.VAR_KEYWORD for each in parameters.values())
    if not takes_any and "sample_weight" not in parameters:
        raise InputError(
            f"{type(model).__name__} takes no weights of rows (sample_weight): leave out this "
            "model or weight="
        )
    return "sample_weight"


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

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "Numbered":
        """Learn from the numbers of the classes."""
        self.classes_, numbers = np.unique(y, return_inverse=True)
        inner = clone(self.estimator)
        weights = {} if sample_weight is None else {weight_name(inner): sample_weight}
        self.estimator_ = inner.fit(X, numbers, **weights)
        return self

    def predict(self, X: Any) -> Array:
        """The label of each row."""
        return self.inverse_transform(self.estimator_.predict(X))

    def inverse_transform(self, numbers: Any) -> Array:
        """The labels of numbers that the fitted model inside predicts."""
        labels: Array = self.classes_[np.asarray(numbers).reshape(-1).astype(np.int64)]
        return labels

    def __getattr__(self, name: str) -> Any:
        """Scores and names of columns: those of the fitted model, if it has them."""
        if name in ("predict_proba", "decision_function", "feature_names_in_"):
            return getattr(vars(self).get("estimator_", self.estimator), name)
        raise AttributeError(name)
