"""Counting rows by true class and label."""

from typing import Any

import numpy as np
import numpy.typing as npt

from .threads import PIECE, pieces, spread


def contingency(
    truth: npt.NDArray[Any],
    label: npt.NDArray[Any],
    k: int,
    weight: npt.NDArray[Any] | None = None,
) -> npt.NDArray[Any]:
    """How many rows (or how much weight) of true class r got label c.

    table[r, c] = Σ_i w_i [truth_i = r, label_i = c]; int64 counts, or float64 if there are weights.
    """

    def count(start: int, stop: int) -> npt.NDArray[Any]:
        cell = np.asarray(truth[start:stop], np.intp) * k + label[start:stop]
        part = None if weight is None else weight[start:stop]
        return np.bincount(cell, part, k * k)

    table = np.zeros(k * k, np.int64 if weight is None else np.float64)
    # A piece should read more rows than its table has cells.
    for part in spread(count, pieces(truth.size, max(PIECE, 4 * k * k))):
        table += part
    return table.reshape(k, k)
