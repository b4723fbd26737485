"""Scores to labels: the class with the largest score of each row."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import floats
from ._jit import light_kernel
from .crew import pieces, spread


@light_kernel
def _largest(scores: Any, label: Any) -> Any:
    ties = 0
    for i in range(scores.shape[0]):
        best, at, tied = scores[i, 0], 0, False
        for c in range(1, scores.shape[1]):
            if scores[i, c] > best:
                best, at, tied = scores[i, c], c, False
            elif scores[i, c] == best:
                tied = True
        label[i] = at
        ties += tied
    return ties


def largest(scores: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], int]:
    """The column of each row's largest score (the first of equal ones), and how many rows tie.

    Codes are uint8 up to 256 columns, else int32. Scores are finite.
    """
    scores = floats(scores)
    n, k = scores.shape
    label = np.empty(n, np.uint8 if k <= 256 else np.int32)
    ties = spread(lambda a, b: _largest(scores[a:b], label[a:b]), pieces(n, 1 << 15))
    return label, int(sum(ties))


def at_least(scores: npt.NDArray[Any], threshold: float) -> npt.NDArray[np.bool_]:
    """Where a score is at least the threshold, on all threads."""
    chosen = np.empty(scores.size, np.bool_)

    def piece(a: int, b: int) -> None:
        np.greater_equal(scores[a:b], threshold, out=chosen[a:b])

    spread(piece, pieces(scores.size))
    return chosen


@light_kernel
def _excess(scores: Any) -> Any:
    worst = 0.0
    for i in range(scores.shape[0]):
        total = 0.0
        for c in range(scores.shape[1]):
            total += scores[i, c]
        away = abs(total - 1.0)
        if away != away:
            return away
        worst = max(worst, away)
    return worst


def excess(scores: npt.NDArray[Any]) -> float:
    """How far from 1 the sum of a row is at the most; NaN if any score is."""
    scores = floats(scores)
    found = spread(lambda a, b: _excess(scores[a:b]), pieces(scores.shape[0], 1 << 15))
    return float(np.max(found, initial=0.0))


@light_kernel
def _range(values: Any) -> Any:
    low = high = values[0]
    for i in range(values.size):
        value = values[i]
        low = min(low, value)
        high = max(high, value)
        if value != value:
            return value, value
    return low, high


def extremes(scores: npt.NDArray[Any]) -> tuple[float, float]:
    """The least and the greatest score; both NaN if any is."""
    flat = floats(scores).reshape(-1)
    found = np.array(spread(lambda a, b: _range(flat[a:b]), pieces(flat.size)))
    return float(found[:, 0].min()), float(found[:, 1].max())
