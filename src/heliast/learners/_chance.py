"""The random classifier that kappa measures against."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from heliast._core.errors import InputError
from heliast._core.kinds import Array, RandomState
from heliast._core.told import FITTED, TO_FIT, TO_PREDICT, told
from heliast.learners.sample_weight import checked_weights


class Chance(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Draws each label at random with given shares, whatever the inputs.

    With the shares of another model's labels this is the random classifier that has the same
    margins as its contingency table, the one kappa takes as zero. `shares` maps classes to
    shares or counts (a class left out is never drawn); without it, the shares of the training
    rows serve.

    Parameters
    ----------
    shares : mapping of Any to float, optional
        Classes and their shares or counts; None takes those of the training rows.
    random_state : int, RandomState, optional
        Seed of what is drawn; None differs from fit to fit.

    Examples
    --------
    >>> X, y = np.zeros((6, 1)), ["a", "a", "a", "b", "b", "c"]
    >>> Chance(shares={"a": 1, "c": 3}).fit(X, y).predict_proba(X[:1])
    array([[0.25, 0.  , 0.75]])
    """

    def __init__(
        self, shares: Mapping[Any, float] | None = None, random_state: RandomState = None
    ) -> None:
        self.shares = shares
        self.random_state = random_state

    @told(
        TO_FIT | {"X": "array-like or frame: Training rows, (n, inputs); they are not looked at."},
        returns=FITTED,
        raises="If `shares` does not fit the classes.",
    )
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the classes, and their shares unless these are given."""
        X, y = validate_data(self, X, y, dtype=None, ensure_all_finite=False)
        check_classification_targets(y)
        self.classes_, truth = np.unique(y, return_inverse=True)
        weight = checked_weights(sample_weight, len(y))
        counts = np.bincount(truth, weight, len(self.classes_))
        if self.shares is not None:
            counts = self._given()
        self.shares_ = counts / counts.sum()
        return self

    def _given(self) -> Array:
        given = dict(self.shares or {})
        known = self.classes_.tolist()
        unknown = [class_ for class_ in given if class_ not in known]
        if unknown:
            raise InputError(
                f"argument shares: {unknown[0]!r} is not a class of the training rows, "
                f"which are {', '.join(map(repr, known))}"
            )
        counts = np.array([float(given.get(class_, 0.0)) for class_ in known])
        if not np.isfinite(counts).all() or (counts < 0).any() or not counts.any():
            raise InputError("argument shares: finite numbers from 0 on, not all of them 0")
        return counts

    @told(TO_PREDICT, returns="array: A label a row, (n,).")
    def predict(self, X: Any) -> Array:
        """A label drawn for each row."""
        check_is_fitted(self)
        draw = check_random_state(self.random_state)
        return np.asarray(draw.choice(self.classes_, size=self._rows(X), p=self.shares_))

    @told(TO_PREDICT, returns="array: The shares, (n, k), in the order of `classes_`.")
    def predict_proba(self, X: Any) -> Array:
        """The shares, the same for every row."""
        check_is_fitted(self)
        return np.asarray(np.tile(self.shares_, (self._rows(X), 1)))

    def _rows(self, X: Any) -> int:
        return len(validate_data(self, X, dtype=None, ensure_all_finite=False, reset=False))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.classifier_tags.poor_score = True
        tags.non_deterministic = True
        return tags
