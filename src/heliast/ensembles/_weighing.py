"""Weights of a vote from what its models got wrong: greedy selection, and stacking.

With weights that sum to 1 the squared error of a vote is w'Rw, R being the products of the models'
errors summed over rows: choosing weights needs R alone, however many rows there are.
"""

from collections.abc import Callable

import numpy as np

from heliast._core.kinds import Array

Weighing = Callable[[Array, int], Array]
"""From R (m, m) and the largest number of members to weights (m,) that sum to 1."""


def greedy(errors: Array, size: int) -> Array:
    """Selection with replacement: what helps most joins, again and again, up to `size` members.

    It starts from the best models, as many as their even vote is better for, and returns the best
    vote on its way (Caruana and others 2004, sections 2.1 and 2.2).

    >>> greedy(np.array([[2.0, -1.0, 0.0], [-1.0, 2.0, 0.0], [0.0, 0.0, 9.0]]), 20)
    array([0.5, 0.5, 0. ])
    """
    alone = np.diag(errors)
    order = np.argsort(alone, kind="stable")[:size]
    sizes = np.arange(1, order.size + 1)
    nested = errors[np.ix_(order, order)].cumsum(axis=0).cumsum(axis=1).diagonal() / sizes**2
    counts = np.zeros(alone.size)
    counts[order[: int(nested.argmin()) + 1]] = 1
    best, least = counts.copy(), float(nested.min())
    reached = errors @ counts
    for members in range(int(counts.sum()) + 1, size + 1):
        losses = (counts @ reached + 2 * reached + alone) / members**2
        taken = int(losses.argmin())
        counts[taken] += 1
        reached += errors[:, taken]
        if losses[taken] < least:
            best, least = counts.copy(), float(losses[taken])
    return np.asarray(best / best.sum())


def stacked(errors: Array, size: int) -> Array:
    """The weights of least w'Rw, none below 0 and with sum 1, by non-negative least squares.

    A row that asks for a sum of 1 makes it a problem without the constraint; as the rest is
    homogeneous, its solution is the constrained one but for a factor, whatever that row weighs
    (Breiman 1996, Stacked regressions).

    >>> stacked(np.array([[1.0, 0.0], [0.0, 3.0]]), 0)
    array([0.75, 0.25])
    """
    from scipy.optimize import nnls

    values, vectors = np.linalg.eigh(errors)
    scale = np.sqrt(max(float(values[-1]), 1e-300))
    root = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T / scale
    m = values.size
    found = nnls(np.vstack([root, np.ones(m)]), np.append(np.zeros(m), 1.0))[0]
    return np.asarray(found / found.sum())


METHODS: dict[str, Weighing] = {"greedy": greedy, "stacked": stacked}
