"""Margins of votes: what the right class has over the best of the others, member by member."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Floats
from ._jit import kernel
from .crew import pieces, spread

Array = npt.NDArray[Any]
ROWS = 1 << 12


@kernel
def _staged(label: Any, weight: Any, truth: Any, k: Any, lo: Any, hi: Any, out: Any) -> None:
    votes = np.zeros(k)
    for i in range(lo, hi):
        votes[:] = 0.0
        total, other = 0.0, 0.0
        own = np.int64(truth[i])
        for b in range(label.shape[0]):
            c = np.int64(label[b, i])
            votes[c] += weight[b]
            total += weight[b]
            # Votes only grow, so the largest of the others is known without looking again.
            if c != own and votes[c] > other:
                other = votes[c]
            out[b, i] = (votes[own] - other) / total if total > 0 else 0.0


def staged_margins(label: Array, weight: Floats, truth: Array, k: int) -> Floats:
    """(B, n): the margin after the first 1, 2, ... members; `label` (B, n) are class codes.

    Weights must not be negative. Before any weight is given the margin is 0.
    """
    out = np.empty(label.shape)

    def some(lo: int, hi: int) -> None:
        _staged(label, weight, truth, k, lo, hi, out)

    spread(some, pieces(label.shape[1], ROWS))
    return out
