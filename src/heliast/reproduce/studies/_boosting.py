"""AdaBoost to the letter of section 2.5.2, which has no rule for members worse than a coin."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, clone

Array = npt.NDArray[Any]
LEAST = 1e-6
"""Errors of 0 and 1 have no finite weight."""


class PrintedBoosting(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Boosting that keeps every member: one with error above 1/2 gets a negative vote.

    w becomes beta w where the member is right, beta = e / (1 - e), and its vote is log(1 / beta).
    `error` is e's rows: `weighted`, all by their weights, or `resample`, those drawn (adapted). By
    weights (`draw="reweight"`) the member is trained on all rows instead of a sample.

    Reference: thesis, section 2.5.2.
    """

    def __init__(
        self,
        base: Any = None,
        rounds: int = 100,
        draw: str = "resample",
        error: str = "weighted",
        random_state: Any = None,
    ) -> None:
        self.base = base
        self.rounds = rounds
        self.draw = draw
        self.error = error
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "PrintedBoosting":
        X, y = np.asarray(X), np.asarray(y)
        rng = np.random.default_rng(self.random_state)
        weights = np.full(len(y), 1 / len(y))
        self.classes_ = np.unique(y)
        self.members_: list[Any] = []
        self.votes_: list[float] = []
        for _ in range(self.rounds):
            member, rows = self._member(X, y, weights, rng)
            wrong = member.predict(X) != y
            error = wrong[rows].mean() if self.error == "resample" else weights[wrong].sum()
            error = min(max(float(error), LEAST), 1 - LEAST)
            weights = np.where(wrong, weights, weights * error / (1 - error))
            weights /= weights.sum()
            self.members_.append(member)
            self.votes_.append(float(np.log((1 - error) / error)))
        return self

    def _member(
        self, X: Array, y: Array, weights: Array, rng: np.random.Generator
    ) -> tuple[Any, Array]:
        if self.draw == "reweight":
            everyone = np.arange(len(y))
            return clone(self.base).fit(X, y, sample_weight=weights * len(y)), everyone
        rows = rng.choice(len(y), len(y), p=weights)
        return clone(self.base).fit(X[rows], y[rows]), rows

    def staged_predict(self, X: Any) -> Iterator[Array]:
        """The labels after the first member, the second, ..."""
        X = np.asarray(X)
        total, each = np.zeros((len(X), len(self.classes_))), np.arange(len(X))
        for member, vote in zip(self.members_, self.votes_, strict=True):
            total[each, np.searchsorted(self.classes_, member.predict(X))] += vote
            yield self.classes_[total.argmax(axis=1)]

    def predict(self, X: Any) -> Array:
        *_, label = self.staged_predict(X)
        return label
