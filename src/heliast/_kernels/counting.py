"""Counting rows by true class and label."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import codes, weights
from ._jit import light_kernel
from .crew import PIECE, pieces, spread

SMALL = 4096
"""Cells of a table small enough for several copies of it to stay in the fastest cache."""


@light_kernel
def _count_two(truth: Any, label: Any, table: Any) -> None:
    # Two classes need three sums, and sums run in SIMD lanes where table cells cannot.
    positive = np.int64(0)
    labelled = np.int64(0)
    both = np.int64(0)
    for i in range(truth.size):
        positive += truth[i]
        labelled += label[i]
        both += truth[i] & label[i]
    table[1, 1] = both
    table[1, 0] = positive - both
    table[0, 1] = labelled - both
    table[0, 0] = truth.size - positive - labelled + both


@light_kernel
def _count_small(truth: Any, label: Any, table: Any) -> None:
    # Four tables, so that consecutive rows of one cell do not wait for each other's store.
    k = table.shape[0]
    part = np.zeros((4, k * k), np.int64)
    even = truth.size // 4 * 4
    for i in range(0, even, 4):
        part[0, np.int64(truth[i]) * k + label[i]] += 1
        part[1, np.int64(truth[i + 1]) * k + label[i + 1]] += 1
        part[2, np.int64(truth[i + 2]) * k + label[i + 2]] += 1
        part[3, np.int64(truth[i + 3]) * k + label[i + 3]] += 1
    for i in range(even, truth.size):
        part[0, np.int64(truth[i]) * k + label[i]] += 1
    for c in range(k * k):
        table[c // k, c % k] = part[0, c] + part[1, c] + part[2, c] + part[3, c]


@light_kernel
def _count(truth: Any, label: Any, weight: Any, table: Any) -> None:
    for i in range(truth.size):
        table[truth[i], label[i]] += 1 if weight is None else weight[i]


def contingency(
    truth: npt.NDArray[Any],
    label: npt.NDArray[Any],
    k: int,
    weight: npt.NDArray[Any] | None = None,
) -> npt.NDArray[Any]:
    """How many rows (or how much weight) of true class r got label c.

    table[r, c] = Σ_i w_i [truth_i = r, label_i = c]; int64 counts, or float64 if there are weights.
    """
    truth, label, weight = codes(truth), codes(label), weights(weight)
    if truth.dtype != label.dtype:
        truth, label = truth.astype(np.int32), label.astype(np.int32)
    # A piece should read more rows than its table has cells.
    borders = pieces(truth.size, max(PIECE, 4 * k * k))
    tables = np.zeros((len(borders), k, k), np.int64 if weight is None else np.float64)

    def count(number: int, start: int, stop: int) -> None:
        part = truth[start:stop], label[start:stop]
        if weight is not None:
            _count(*part, weight[start:stop], tables[number])
        elif k == 2 and truth.dtype == np.uint8:
            _count_two(*part, tables[number])
        elif k * k <= SMALL:
            _count_small(*part, tables[number])
        else:
            _count(*part, None, tables[number])

    spread(count, [(number, *border) for number, border in enumerate(borders)])
    total: npt.NDArray[Any] = tables.sum(axis=0)
    return total
