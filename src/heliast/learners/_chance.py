"""The random classifier that kappa measures against."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.utils import check_random_state
from sklearn.utils.validation import column_or_1d

from heliast._core.errors import InputError
from heliast._core.kinds import Array, RandomState


class Chance(DummyClassifier):  # type: ignore[misc]
    """Predicts each class at random with fixed shares, whatever the features.

    With the shares of another model's predictions this is the random classifier with the same
    margins as its confusion matrix, which has kappa zero.

    Parameters
    ----------
    shares : mapping of Any to float, optional
        Classes and their shares or counts, 0 for a class left out; None takes the shares of the
        training rows.
    random_state : int, RandomState, optional
        Seed of the predictions; None differs from call to call.

    Examples
    --------
    >>> X, y = np.zeros((6, 1)), ["a", "a", "a", "b", "b", "c"]
    >>> Chance(shares={"a": 1, "c": 3}).fit(X, y).predict_proba(X[:1])
    array([[0.25, 0.  , 0.75]])
    """

    def __init__(
        self, shares: Mapping[Any, float] | None = None, random_state: RandomState = None
    ) -> None:
        super().__init__(strategy="prior", random_state=random_state)
        self.shares = shares

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the classes, and their shares unless these are parameters.

        Parameters
        ----------
        X : array-like or frame
            Training rows, (n, features); they are not looked at.
        y : array-like
            True class of each row.
        sample_weight : array-like, optional
            Weight of each row; None is 1 each.

        Returns
        -------
        Self
            The fitted model.

        Raises
        ------
        InputError
            If `shares` does not fit the classes.
        """
        super().fit(X, column_or_1d(y, warn=True), sample_weight)
        if self.shares is not None:
            shares = np.array([float(self.shares.get(class_, 0)) for class_ in self.classes_])
            known = set(self.shares) <= set(self.classes_.tolist())
            if not known or not (np.isfinite(shares) & (shares >= 0)).all() or not shares.any():
                raise InputError(
                    f"shares={self.shares!r}: give finite numbers from 0 on, not all 0, for "
                    f"classes of the training rows ({', '.join(map(repr, self.classes_.tolist()))})"
                )
            self.class_prior_ = shares / shares.sum()
        return self

    def predict(self, X: Any) -> Array:
        """Draw a class for each row.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).

        Returns
        -------
        array
            Predicted class of each row, (n,).
        """
        n = len(self.predict_proba(X))
        random = check_random_state(self.random_state)
        return np.asarray(random.choice(self.classes_, size=n, p=self.class_prior_))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        tags.classifier_tags.multi_label = False
        tags.non_deterministic = True
        return tags
