"""The partitions of the columns' trees, with the classes' shares put back in."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast.decoders._checks import Array


def substitution(leaves: Any, shares: Sequence[Any]) -> Array:
    """The mean over columns of the classes' shares in the leaf that the row falls in.

    `leaves` (n, B) numbers the leaf of each row in the tree of each column; `shares` has for each
    column an array (leaves, k) of the training rows' class shares. The scores are probabilities.

    >>> shares = [np.array([[0.9, 0.1], [0.5, 0.5]]), np.array([[0.7, 0.3]])]
    >>> substitution([[0, 0], [1, 0]], shares)
    array([[0.8, 0.2],
           [0.6, 0.4]])

    Reference: James (1998), Majority Vote Classifiers, section 2.4.1.
    """
    found = np.asarray(leaves)
    if found.ndim != 2 or found.shape[1] != len(shares) or not shares:
        raise InputError(f"leaves have shape {found.shape} for the shares of {len(shares)} columns")
    total = np.zeros((found.shape[0], np.asarray(shares[0]).shape[1]))
    for column, share in enumerate(shares):
        total += np.asarray(share, np.float64)[found[:, column]]
    total /= len(shares)
    return total


def shares_of(leaf: Any, truth: Any, k: int, leaves: int) -> Array:
    """(leaves, k): the class shares of the training rows in each leaf of one tree.

    A leaf without rows has equal shares.

    >>> shares_of([0, 0, 1], [0, 1, 1], k=2, leaves=3)
    array([[0.5, 0.5],
           [0. , 1. ],
           [0.5, 0.5]])
    """
    place = np.asarray(leaf, np.int64) * k + np.asarray(truth, np.int64)
    counts = np.bincount(place, minlength=leaves * k).reshape(leaves, k).astype(np.float64)
    total = counts.sum(axis=1, keepdims=True)
    found: Array = np.divide(counts, total, out=np.full_like(counts, 1 / k), where=total > 0)
    return found
