"""The fitted members of a vote: what they choose, what they believe, in one shape for any base."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.ensembles._ballots import Ballots, codes_of
from heliast.ensembles._draws import Draws


class Members(Protocol):
    """Members that classify: any number of fitted models over the same classes."""

    def __len__(self) -> int: ...

    def __getitem__(self, at: int) -> Any: ...

    def labels(self, X: Any) -> Array:
        """The class that each member chooses in each row, as codes (n, B)."""

    def shares(self, X: Any, weights: Array) -> Array:
        """Each class's share of the members' weighted votes (n, k)."""

    def has_probabilities(self) -> bool:
        """Whether the members give probabilities."""

    def probabilities(self, X: Any) -> Iterator[Array]:
        """Each member's probabilities (n, k), one member after the other."""

    def mean(self, X: Any) -> Array:
        """The mean of the members' probabilities (n, k)."""

    def left_out(self, X: Any, draws: Draws, soft: bool) -> Array:
        """For each training row, what the members say that did not see it, summed (n, k)."""


class Fitted:
    """Fitted models in a row."""

    def __init__(self, models: Sequence[Any], n_jobs: int | None = None) -> None:
        self.models = list(models)
        self.n_jobs = n_jobs

    def __len__(self) -> int:
        return len(self.models)

    def __getitem__(self, at: int) -> Any:
        return self.models[at]


class Refitted(Fitted):
    """Members that are scikit-learn models, each perhaps with inputs of its own."""

    def __init__(
        self,
        models: Sequence[Any],
        classes: Array | None = None,
        columns: Sequence[Array | None] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(models, n_jobs)
        self.classes = classes
        self.columns = [None] * len(self.models) if columns is None else list(columns)

    def joined(self, more: "Refitted") -> "Refitted":
        columns = self.columns + more.columns
        return Refitted(self.models + more.models, self.classes, columns, self.n_jobs)

    def has_probabilities(self) -> bool:
        return all(hasattr(model, "predict_proba") for model in self.models)

    def labels(self, X: Any) -> Array:
        chosen = [codes_of(label, self._known(), "predicted") for label in self.numbers(X)]
        return np.column_stack(chosen)

    def shares(self, X: Any, weights: Array) -> Array:
        return Ballots(self.labels(X), weights, self._known().size).shares()

    def probabilities(self, X: Any) -> Iterator[Array]:
        if not self.has_probabilities():
            raise InputError(
                f"{type(self.models[0]).__name__} gives no probabilities (predict_proba): "
                "use kind='hard', or a base that gives them"
            )
        for model, found in zip(self.models, self._each(_probabilities, X), strict=True):
            yield spread_out(found, model.classes_, self._known())

    def mean(self, X: Any) -> Array:
        return np.asarray(sum(self.probabilities(X)) / len(self))

    def left_out(self, X: Any, draws: Draws, soft: bool) -> Array:
        total = np.zeros((draws.n, self._known().size))
        for member, rows in draws.left_out(len(self)):
            alone = self._one(member)
            if soft:
                total[rows] += next(alone.probabilities(X[rows]))
            else:
                total[rows, alone.labels(X[rows])[:, 0]] += 1
        return total

    def left_out_mean(self, X: Any, draws: Draws) -> Array:
        """For each training row, the mean number of the members that did not see it, or NaN."""
        total, count = np.zeros(draws.n), np.zeros(draws.n)
        for member, rows in draws.left_out(len(self)):
            total[rows] += next(self._one(member).numbers(X[rows]))
            count[rows] += 1
        with np.errstate(invalid="ignore"):
            return np.asarray(total / count)

    def _one(self, at: int) -> "Refitted":
        return Refitted(self.models[at : at + 1], self.classes, self.columns[at : at + 1])

    def numbers(self, X: Any) -> Iterator[Array]:
        """What each member predicts, as it says it."""
        return self._each(_prediction, X)

    def _each(self, ask: Callable[..., Array], X: Any) -> Iterator[Array]:
        jobs = (
            delayed(ask)(model, X, columns)
            for model, columns in zip(self.models, self.columns, strict=True)
        )
        found: Iterator[Array] = Parallel(n_jobs=self.n_jobs, return_as="generator")(jobs)
        return found

    def _known(self) -> Array:
        if self.classes is None:
            raise TypeError("these members predict numbers")
        return self.classes


def _prediction(model: Any, X: Any, columns: Array | None) -> Array:
    return np.ravel(model.predict(X if columns is None else X[:, columns]))


def _probabilities(model: Any, X: Any, columns: Array | None) -> Array:
    return np.asarray(model.predict_proba(X if columns is None else X[:, columns]))


def spread_out(found: Array, own: Any, classes: Array) -> Array:
    """A member's columns at the places of its classes among all; 0 for those it never saw.

    >>> spread_out(np.array([[1.0]]), ["b"], np.array(["a", "b"]))
    array([[0., 1.]])
    """
    if len(own) == classes.size:
        return np.asarray(found, np.float64)
    whole = np.zeros((found.shape[0], classes.size))
    whole[:, codes_of(own, classes)] = found
    return whole
