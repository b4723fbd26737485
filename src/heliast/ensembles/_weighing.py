"""Weights of a vote from what its models said and got wrong: greedy selection, and stacking."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from heliast._core.kinds import Array


@dataclass(frozen=True, eq=False)
class Said:
    """What m models said of some rows, and how far that was off.

    `answers` (n, k, m) are probabilities, or 1 for the label; `truth` their classes; both None for
    numbers. `errors` (n, k, m) are answers less what is true, times the root of the row's weight.
    """

    errors: Array
    weight: Array
    answers: Array | None = None
    truth: Array | None = None

    @property
    def products(self) -> Array:
        """R (m, m): with weights that sum to 1 the squared error of the vote is w'Rw."""
        flat = self.errors.reshape(-1, self.errors.shape[-1])
        return np.asarray(flat.T @ flat)

    def wrong(self, counts: Array) -> Array:
        """The weight of the rows on which each of these votes (c, m) is wrong; 0 for numbers."""
        if self.answers is None or self.truth is None:
            return np.zeros(len(counts))
        found = [(self.answers @ one).argmax(axis=1) != self.truth for one in counts]
        return np.asarray(np.array(found) @ self.weight).round(9)


def greedy(said: Said, size: int) -> Array:
    """Selection with replacement: what helps most joins, again and again, up to `size` members.

    What helps is fewer errors, of as many a lower squared error; of numbers that alone. It starts
    from the best models, as many as their even vote is better for, and returns the best vote on its
    way (Caruana and others 2004, sections 2.1 and 2.2).

    >>> errors = np.array([[1.0, -1.0, 3.0], [-1.0, 1.0, 0.0]])[:, None, :]
    >>> greedy(Said(errors, np.ones(2)), 20)
    array([0.5, 0.5, 0. ])
    """
    products, m = said.products, said.errors.shape[-1]

    def best_of(counts: Array) -> tuple[int, tuple[float, float]]:
        squares = np.einsum("ci,ij,cj->c", counts, products, counts) / counts.sum(axis=1) ** 2
        wrong = said.wrong(counts)
        at = int(np.lexsort((squares, wrong))[0])
        return at, (float(wrong[at]), float(squares[at]))

    each = np.eye(m)
    order = np.lexsort((np.diag(products), said.wrong(each)))[:size]
    nested = np.cumsum(each[order], axis=0)
    at, least = best_of(nested)
    counts = best = nested[at]
    while counts.sum() < size:
        at, value = best_of(counts + each)
        counts = counts + each[at]
        if value < least:
            best, least = counts, value
    return np.asarray(best / best.sum())


def stacked(said: Said, size: int) -> Array:
    """Weights of least squared error, none below 0, sum 1: non-negative least squares.

    A row that asks for a sum of 1 makes it a problem without the constraint; as the rest is
    homogeneous, its solution is the constrained one but for a factor, whatever that row weighs
    (Breiman 1996, Stacked regressions).

    >>> stacked(Said(np.diag([1.0, np.sqrt(3)])[:, None, :], np.ones(2)), 0)
    array([0.75, 0.25])
    """
    from scipy.optimize import nnls

    values, vectors = np.linalg.eigh(said.products)
    scale = np.sqrt(max(float(values[-1]), 1e-300))
    root = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T / scale
    m = values.size
    found = nnls(np.vstack([root, np.ones(m)]), np.append(np.zeros(m), 1.0))[0]
    return np.asarray(found / found.sum())


Weighing = Callable[[Said, int], Array]
"""From what was said, and the largest number of members, to weights (m,) that sum to 1."""
METHODS: dict[str, Weighing] = {"greedy": greedy, "stacked": stacked}
