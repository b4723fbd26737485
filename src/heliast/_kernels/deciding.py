"""Scores to labels, and what has to be known of scores before that."""

from typing import Any

import numpy as np
import numpy.typing as npt

from .threads import pieces, spread

# Rows looked at together, so that what is derived from them is still in the cache.
ROWS = 1 << 15


def largest(scores: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], int]:
    """The column of each row's largest score (the first of equal ones), and how many rows tie.

    Codes are uint8 up to 256 columns, else int32. Scores are finite.
    """
    n, k = scores.shape
    label = np.empty(n, np.uint8 if k <= 256 else np.int32)

    def decide(start: int, stop: int) -> int:
        part = scores[start:stop]
        best = part.argmax(axis=1)
        label[start:stop] = best
        highest = part == part[np.arange(len(part)), best][:, None]
        if np.count_nonzero(highest) == len(part):
            return 0
        return int(np.count_nonzero(np.count_nonzero(highest, axis=1) > 1))

    return label, sum(spread(decide, pieces(n, ROWS)))


def at_least(scores: npt.NDArray[Any], threshold: float) -> npt.NDArray[np.bool_]:
    """Where a score is at least the threshold."""
    chosen: npt.NDArray[np.bool_] = scores >= threshold
    return chosen


def excess(scores: npt.NDArray[Any]) -> float:
    """How far from 1 the sum of a row is at the most; NaN if any score is."""
    return float(np.abs(np.einsum("ic->i", scores) - 1.0).max(initial=0.0))


def extremes(scores: npt.NDArray[Any]) -> tuple[float, float]:
    """The least and the greatest score; both NaN if any is."""
    return float(scores.min()), float(scores.max())
