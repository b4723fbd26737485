"""Decoders that need the training rows: centres of classes, and shares in leaves."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.told import told
from heliast.decoders.words import Array, l1, probabilities_of

Kind = Literal["mean", "median"]


@told(
    l1,
    returns="array: Scores, (k,) or (n, k): largest wins.",
    raises="If `centroids` is not a matrix, or `p` does not fit it.",
)
def centroid(p: npt.ArrayLike, centroids: npt.ArrayLike) -> Array:
    """Minus the squared Euclidean distance from the answers to the centre of each class.

    `centroids` (k, B) come from `centroids_of`. A class without a centre (NaN) gets minus infinity.

    Parameters
    ----------
    centroids : array-like
        Centres of the classes, (k, B), from `centroids_of`; NaN for a class without.

    Examples
    --------
    >>> centroid([0.9, 0.2], [[0.8, 0.1], [0.2, 0.9]]).round(2)
    array([-0.02, -0.98])

    References
    ----------
    James (1998), Majority Vote Classifiers, section 2.3.2.
    """
    centres = np.asarray(centroids, np.float64)
    if centres.ndim != 2:
        raise InputError(f"centroids have shape {centres.shape}: give a row a class")
    return nearest(probabilities_of(p, centres.shape[1]), centres)


def nearest(p: Array, centres: Array) -> Array:
    """The same, unchecked: 2 p.c - c.c - p.p."""
    lost = np.asarray(np.isnan(centres).any(axis=1))
    known = np.where(lost[:, None], 0.0, centres)
    found: Array = 2 * (p @ known.T) - (known**2).sum(axis=1)
    found -= np.einsum("...j,...j->...", p, p)[..., None]
    found[..., lost] = -np.inf
    return found


@told(
    {
        "p": "array-like: Answers, (n, B); NaN where there is none.",
        "truth": "array-like: Class of each row as its number, 0 to k - 1.",
        "k": "int: Number of classes, at least 2.",
        "kind": "{'mean', 'median'}, default 'mean': Which centre of a class.",
        "weight": "array-like, optional: Weight of each row, for the mean; None is 1 each.",
    },
    returns="array: Centres, (k, B).",
    raises="If shapes do not fit, there is no such kind, or a median is to be weighted.",
)
def centroids_of(
    p: npt.ArrayLike,
    truth: npt.ArrayLike,
    k: int,
    kind: Kind = "mean",
    weight: npt.ArrayLike | None = None,
) -> Array:
    """(k, B): the mean or median answers of the rows of each class; NaN answers are left out.

    Answers for rows that the base was trained on (as in the thesis) lie nearer to the words than
    those for new rows; honest ones (cross-validated, or out of bag with NaN elsewhere) do not.
    A class without rows has NaN.

    Examples
    --------
    >>> centroids_of([[0.8, 0.1], [1.0, 0.3], [0.2, 0.7]], [0, 0, 1], k=2)
    array([[0.9, 0.2],
           [0.2, 0.7]])
    """
    found, rows = np.asarray(p, np.float64), np.asarray(truth)
    if kind not in ("mean", "median"):
        raise InputError(f"kind={kind!r}: choose 'mean' or 'median'")
    if found.ndim != 2 or rows.shape != found.shape[:1]:
        raise InputError(
            f"p has shape {found.shape}, truth {rows.shape}: give a class for each row"
        )
    if kind == "mean":
        return _means(found, rows, k, weight)
    if weight is not None:
        raise InputError("weight: medians are not weighted; use kind='mean'")
    return _medians(found, rows, k)


def _means(p: Array, truth: npt.NDArray[Any], k: int, weight: npt.ArrayLike | None) -> Array:
    member = (truth == np.arange(k)[:, None]).astype(np.float64)
    if weight is not None:
        member *= np.asarray(weight, np.float64)
    missing = np.isnan(p)
    with np.errstate(invalid="ignore"):
        if not missing.any():
            return np.asarray((member @ p) / member.sum(axis=1, keepdims=True))
        return np.asarray((member @ np.where(missing, 0.0, p)) / (member @ ~missing))


def _medians(p: Array, truth: npt.NDArray[Any], k: int) -> Array:
    found = np.full((k, p.shape[1]), np.nan)
    for i in range(k):
        rows = p[truth == i]
        known = ~np.isnan(rows).all(axis=0)
        found[i, known] = np.nanmedian(rows[:, known], axis=0) if rows.size else np.nan
    return found


@told(
    {
        "leaves": "array-like: Leaf of each row in the tree of each column, (n, B).",
        "shares": "sequence of arrays: For each column an array (leaves, k), from `shares_of`.",
    },
    returns="array: Scores, (n, k): probabilities.",
    raises="If `leaves` does not have a column for each of `shares`.",
)
def substitution(leaves: npt.ArrayLike, shares: Sequence[Any]) -> Array:
    """The mean over columns of the classes' shares in the leaf that the row falls in.

    `leaves` (n, B) numbers the leaf of each row in the tree of each column; `shares` has for each
    column an array (leaves, k) of the training rows' class shares. The scores are probabilities.

    Examples
    --------
    >>> shares = [np.array([[0.9, 0.1], [0.5, 0.5]]), np.array([[0.7, 0.3]])]
    >>> substitution([[0, 0], [1, 0]], shares)
    array([[0.8, 0.2],
           [0.6, 0.4]])

    References
    ----------
    James (1998), Majority Vote Classifiers, section 2.4.1.
    """
    found = np.asarray(leaves)
    if found.ndim != 2 or found.shape[1] != len(shares) or not shares:
        raise InputError(f"leaves have shape {found.shape} for the shares of {len(shares)} columns")
    total = np.zeros((found.shape[0], np.asarray(shares[0]).shape[1]))
    for column, share in enumerate(shares):
        total += np.asarray(share, np.float64)[found[:, column]]
    total /= len(shares)
    return total


@told(
    {
        "leaf": "array-like: Leaf of each training row, 0 to leaves - 1.",
        "truth": "array-like: Class of each row as its number, 0 to k - 1.",
        "k": "int: Number of classes, at least 2.",
        "leaves": "int: Number of leaves.",
        "weight": "array-like, optional: Weight of each row; None is 1 each.",
    },
    returns="array: Shares, (leaves, k), rows summing to 1.",
)
def shares_of(
    leaf: npt.ArrayLike,
    truth: npt.ArrayLike,
    k: int,
    leaves: int,
    weight: npt.ArrayLike | None = None,
) -> Array:
    """(leaves, k): the class shares of the training rows in each leaf of one tree.

    A leaf without rows has equal shares.

    Examples
    --------
    >>> shares_of([0, 0, 1], [0, 1, 1], k=2, leaves=3)
    array([[0.5, 0.5],
           [0. , 1. ],
           [0.5, 0.5]])
    """
    place = np.asarray(leaf, np.int64) * k + np.asarray(truth, np.int64)
    by = None if weight is None else np.asarray(weight, np.float64)
    counts = np.bincount(place, by, leaves * k).reshape(leaves, k).astype(np.float64)
    total = counts.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(counts, total, out=np.full_like(counts, 1 / k), where=total > 0))
