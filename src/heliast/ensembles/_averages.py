"""Averages of what members say, by weight: means and medians, of all and stage by stage."""

from collections import deque
from collections.abc import Iterable, Iterator

import numpy as np

from heliast._core.kinds import Array


def average(said: Iterable[Array], weights: Array, how: str = "mean") -> Array:
    """The weighted mean of what members say, one after the other; or, of numbers, the `median`.

    >>> average([np.array([1.0, 2.0]), np.array([5.0, 4.0])], np.array([3.0, 1.0]))
    array([2. , 2.5])
    """
    if how == "median":
        return weighted_median(np.column_stack(list(said)), weights)
    return deque(_running_means(said, weights), maxlen=1)[0]


def staged_averages(said: Iterable[Array], weights: Array, how: str = "mean") -> Iterator[Array]:
    """The average of the first member, the first two, ..."""
    if how != "median":
        yield from _running_means(said, weights)
        return
    numbers = np.column_stack(list(said))
    for stage in range(1, weights.size + 1):
        yield weighted_median(numbers[:, :stage], weights[:stage])


def _running_means(said: Iterable[Array], weights: Array) -> Iterator[Array]:
    total, mass = np.zeros(()), 0.0
    for weight, one in zip(weights, said, strict=True):
        total = total + weight * one
        mass += weight
        with np.errstate(invalid="ignore"):  # NaN as long as no member weighs anything
            mean = total / mass
        yield mean


def weighted_median(numbers: Array, weights: Array) -> Array:
    """In each row the smallest number up to which at least half of the weight lies.

    >>> weighted_median(np.array([[3.0, 1.0, 2.0]]), np.array([5.0, 1.0, 1.0]))
    array([3.])
    """
    order = np.argsort(numbers, axis=1, kind="stable")
    reached = np.cumsum(weights[order], axis=1)
    # Half is half in whichever order the weights are added: 0.3 is that of 0.3, 0.1 and 0.2.
    half = 0.5 * (1 - 1e-12) * reached[:, -1:]
    at = (reached >= half).argmax(axis=1)
    rows = np.arange(numbers.shape[0])
    return np.asarray(numbers[rows, order[rows, at]])
