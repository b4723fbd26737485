"""Scores to labels: the class with the largest score of each row."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import floats
from ._jit import kernel, pieces, spread


@kernel
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
