"""Nearest neighbours with a stated rule for tied votes."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils import check_random_state

from heliast._core.errors import InputError
from heliast._core.kinds import Array, RandomState
from heliast._core.told import FITTED, TO_FIT, TO_PREDICT, told

TIES = ("random", "first", "none")
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def _mix(word: Array) -> Array:
    """Every bit of a word changes half of the others (the last steps of splitmix64)."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Array = word ^ (word >> np.uint64(31))
    return mixed


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
    algorithm : str, default 'auto'
        How neighbours are found, as in scikit-learn.
    leaf_size : int, default 30
        Size of the leaves of a search tree, as in scikit-learn.
    p : float, default 2
        The power of Minkowski's distance; 2 is Euclidean.
    metric : str or callable, default 'minkowski'
        The distance, as in scikit-learn.
    metric_params : dict, optional
        Further parameters of the distance.
    n_jobs : int, optional
        Processes, as in scikit-learn; results are the same for any number.
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
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float = 2,
        metric: str | Callable[..., float] = "minkowski",
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        super().__init__(
            n_neighbors=n_neighbors,
            weights=weights,
            algorithm=algorithm,
            leaf_size=leaf_size,
            p=p,
            metric=metric,
            metric_params=metric_params,
            n_jobs=n_jobs,
        )
        self.ties = ties
        self.random_state = random_state

    @told(TO_FIT, returns=FITTED, raises="If `ties` is unknown, or `y` has several outputs.")
    def fit(self, X: Any, y: Any) -> "Neighbours":
        """Keep the training rows."""
        if self.ties not in TIES:
            raise InputError(f"argument ties: {self.ties!r} is not one of {', '.join(TIES)}")
        super().fit(X, y)
        if self.outputs_2d_:
            raise InputError("argument y: one class a row is needed, not several outputs")
        return self

    @told(TO_PREDICT, returns='array: A label a row, (n,); None for a tie with `ties="none"`.')
    def predict(self, X: Any) -> Array:
        """The class most neighbours have, ties as asked."""
        share = self.predict_proba(X)
        top = self._top(share)
        tied = top.sum(axis=1) > 1
        first = np.argmax(top, axis=1)
        if self.ties == "random" and tied.any():
            rows = X.toarray() if issparse(X) else np.asarray(X, float)
            first[tied] = self._drawn(top[tied], rows[tied])
        labels: Array = self.classes_[first]
        if self.ties == "none":
            labels = labels.astype(object)
            labels[tied] = None
        return labels

    def _drawn(self, top: Array, rows: Array) -> Array:
        """One of the tied classes, drawn from the seed and the row: its place does not matter."""
        seed = int(check_random_state(self.random_state).randint(2**31))
        mixed = np.full(len(rows), seed, np.uint64)
        for column in np.ascontiguousarray(rows + 0.0).view(np.uint64).T:  # -0 is 0
            mixed = _mix(mixed ^ column)
        lots = _mix(mixed[:, None] + np.arange(1, top.shape[1] + 1, dtype=np.uint64) * GOLDEN)
        return np.asarray(np.argmax(np.where(top, lots >> np.uint64(1), 0), axis=1))

    @told(TO_PREDICT, returns="array: Truths, (n,).")
    def tied(self, X: Any) -> Array:
        """Which rows have two or more classes with the most neighbours."""
        return np.asarray(self._top(self.predict_proba(X)).sum(axis=1) > 1)

    def _top(self, share: Array) -> Array:
        """The classes with the largest share; sums of weights differ in the last bits at a tie."""
        return np.asarray(share >= share.max(axis=1, keepdims=True) - 1e-12)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        tags.target_tags.single_output = True
        tags.classifier_tags.multi_label = False
        return tags
