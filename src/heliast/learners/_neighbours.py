"""Nearest neighbours with a stated rule for tied votes."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils import check_random_state
from sklearn.utils.validation import column_or_1d

from heliast._core.errors import InputError
from heliast._core.kinds import Array, RandomState


class Neighbours(KNeighborsClassifier):  # type: ignore[misc]
    """scikit-learn's nearest neighbours, with a choice of what a tied vote gives.

    `ties="random"` draws one of the tied classes (from `random_state`), `"none"` returns no
    class (None, in an array of objects), `"first"` takes the first in class order, which is what
    scikit-learn does. `tied(X)` tells which rows are tied. Probabilities are the same for all.

    Parameters
    ----------
    n_neighbors : int, default 5
        Number of neighbours that vote, at least 1.
    ties : str, default 'random'
        What a tied vote gives: `random`, `none` or `first`.
    weights : str or callable, default 'uniform'
        `uniform`, `distance` or a function, as in scikit-learn.
    p : float, default 2
        The power of Minkowski's distance; 2 is Euclidean.
    metric : str or callable, default 'minkowski'
        The distance, as in scikit-learn.
    n_jobs : int, optional
        Threads, as in scikit-learn; results are the same for any number.
    random_state : int, RandomState, optional
        Seed of the ties.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [3.0], [4.0]], ["a", "a", "b", "b"]
    >>> Neighbours(4, ties="none").fit(X, y).predict([[2.0]])
    array([None], dtype=object)
    >>> Neighbours(3, ties="none").fit(X, y).predict([[0.5]])
    array(['a'], dtype=object)

    References
    ----------
    the rule for ties is that of G. James (1998), Majority vote classifiers: theory and
    applications, section 1.3.3.
    """

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        ties: str = "random",
        weights: str | Callable[..., Any] = "uniform",
        p: float = 2,
        metric: str | Callable[..., float] = "minkowski",
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        super().__init__(n_neighbors, weights=weights, p=p, metric=metric, n_jobs=n_jobs)
        self.ties = ties
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Keep the training rows.

        Parameters
        ----------
        X : array-like or frame
            Training rows, (n, features).
        y : array-like
            True class of each row.

        Returns
        -------
        Self
            The fitted model.

        Raises
        ------
        InputError
            If `ties` is unknown.
        """
        if self.ties not in ("random", "first", "none"):
            raise InputError(f"ties={self.ties!r}: choose one of random, first, none")
        super().fit(X, column_or_1d(y, warn=True))
        return self

    def predict(self, X: Any) -> Array:
        """Predict the class that most neighbours have.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).

        Returns
        -------
        array
            Predicted class of each row, (n,); None for a tie with `ties="none"`.
        """
        is_top = self._most_frequent(X)
        tied, chosen = is_top.sum(axis=1) > 1, is_top.argmax(axis=1)
        if self.ties == "random" and tied.any():
            rows = X.toarray() if issparse(X) else np.asarray(X, float)
            chosen[tied] = self._draw(is_top[tied], rows[tied])
        y_pred: Array = self.classes_[chosen]
        if self.ties == "none":
            y_pred = y_pred.astype(object)
            y_pred[tied] = None
        return y_pred

    def tied(self, X: Any) -> Array:
        """Return which rows have two or more classes with the most neighbours.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).

        Returns
        -------
        array
            Booleans, (n,).
        """
        return np.asarray(self._most_frequent(X).sum(axis=1) > 1)

    def _most_frequent(self, X: Any) -> Array:
        """Return the classes with the largest share; weighted sums differ in the last bits."""
        share = self.predict_proba(X)
        return np.asarray(share >= share.max(axis=1, keepdims=True) - 1e-12)

    def _draw(self, is_top: Array, rows: Array) -> Array:
        """Draw one of the top classes by a hash of seed and row: the row's place is irrelevant."""
        seed = int(check_random_state(self.random_state).randint(2**31))
        word = np.full(len(rows), seed, np.uint64)
        for column in np.ascontiguousarray(rows + 0.0).view(np.uint64).T:  # -0 becomes 0
            word = _mix(word ^ column)
        steps = np.arange(1, is_top.shape[1] + 1, dtype=np.uint64) * GOLDEN
        lots = _mix(word[:, None] + steps) >> np.uint64(1)
        return np.asarray(np.where(is_top, lots, 0).argmax(axis=1))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        tags.classifier_tags.multi_label = False
        return tags


GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # the step of splitmix64


def _mix(word: Array) -> Array:
    """Change half of the bits, whichever bit differs: the last steps of splitmix64."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(word ^ (word >> np.uint64(31)))
