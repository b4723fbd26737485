"""Early stopping: the error of the vote so far on rows that its members did not learn from."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class Watching:
    """Follows a growing vote and says when `patience` rounds brought nothing.

    `rows` tells which rows of `truth` a member may be judged on, and its answers there; a row that
    no member may be judged on yet does not count.
    """

    def __init__(self, truth: Array, k: int, patience: int, rows: Callable[..., Any]) -> None:
        self.truth = truth
        self.tally = np.zeros((truth.size, k))
        self.patience = patience
        self.rows = rows
        self.errors: list[float] = []

    @property
    def best(self) -> int:
        """How many members had the least error (the fewest, if tied)."""
        return int(np.nanargmin(self.errors)) + 1 if np.isfinite(self.errors).any() else 0

    def enough(self, model: Any, weight: float, answers: Array, counts: Array | None) -> bool:
        rows, label = self.rows(model, answers, counts)
        self.tally[rows, label] += weight
        judged = self.tally.any(axis=1)
        wrong = self.tally[judged].argmax(axis=1) != self.truth[judged]
        self.errors.append(float(wrong.mean()) if wrong.size else float("nan"))
        return len(self.errors) - self.best >= self.patience if self.best else False


def left_out(model: Any, answers: Array, counts: Array | None) -> tuple[Array, Array]:
    """The rows that were not drawn in this round, and the member's answers there."""
    assert counts is not None
    rows = np.flatnonzero(counts == 0)
    return rows, answers[rows]
