"""Decoders that need the training rows: class centroids, and class shares in leaves."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import ArrayLike, Floats
from heliast.decoders.words import check_answers


def centroid(p: ArrayLike, centroids: ArrayLike) -> Floats:
    """Minus the squared Euclidean distance from the answers to the centroid of each class.

    A class without a centroid (NaN) gets minus infinity.

    Parameters
    ----------
    p : array-like
        Answers of the columns, (B,) or (n, B): the probability of side 1, from 0 to 1.
    centroids : array-like
        Centroids of the classes, (k, B), from `centroids_of`; NaN for a class without.

    Returns
    -------
    array
        Scores, (k,) or (n, k): largest wins.

    Raises
    ------
    InputError
        If `centroids` is not a matrix, or `p` does not fit it.

    Examples
    --------
    >>> centroid([0.9, 0.2], [[0.8, 0.1], [0.2, 0.9]]).round(2)
    array([-0.02, -0.98])

    References
    ----------
    James (1998), Majority Vote Classifiers, section 2.3.2.
    """
    centers = np.asarray(centroids, np.float64)
    if centers.ndim != 2:
        raise InputError(f"centroids have shape {centers.shape}: give a row for each class")
    p = check_answers(p, centers.shape[1])
    missing = np.isnan(centers.sum(axis=1))
    centers = np.where(missing[:, None], 0.0, centers)
    scores: Floats = 2 * (p @ centers.T) - (centers**2).sum(axis=1)
    scores -= np.einsum("...j,...j->...", p, p)[..., None]
    scores[..., missing] = -np.inf
    return scores


def centroids_of(
    p: ArrayLike,
    y_true: ArrayLike,
    k: int,
    kind: Literal["mean", "median"] = "mean",
    weight: ArrayLike | None = None,
) -> Floats:
    """Mean or median answers of the rows of each class; NaN answers are left out.

    Answers for rows that the base was trained on (as in the thesis) lie nearer to the words than
    those for new rows; out-of-sample ones (cross-validated, or out of bag with NaN elsewhere) do
    not. A class without rows has NaN.

    Parameters
    ----------
    p : array-like
        Answers, (n, B); NaN where there is none.
    y_true : array-like
        Class of each row as its number, 0 to k - 1.
    k : int
        Number of classes, at least 2.
    kind : {'mean', 'median'}, default 'mean'
        Which centroid of a class.
    weight : array-like, optional
        Weight of each row, for the mean; None is 1 each.

    Returns
    -------
    array
        Centroids, (k, B).

    Raises
    ------
    InputError
        If shapes do not fit, there is no such kind, or a median is to be weighted.

    Examples
    --------
    >>> centroids_of([[0.8, 0.1], [1.0, 0.3], [0.2, 0.7]], [0, 0, 1], k=2)
    array([[0.9, 0.2],
           [0.2, 0.7]])
    """
    p, y_true = np.asarray(p, np.float64), np.asarray(y_true)
    if kind not in ("mean", "median") or (kind == "median" and weight is not None):
        raise InputError(f"kind={kind!r}: choose 'mean', or 'median' without weights")
    if p.ndim != 2 or y_true.shape != p.shape[:1]:
        raise InputError(f"p has shape {p.shape}, y_true {y_true.shape}: give a class for each row")
    known = ~np.isnan(p)
    if kind == "mean":
        member = (y_true == np.arange(k)[:, None]) * np.asarray(1.0 if weight is None else weight)
        with np.errstate(invalid="ignore"):
            return np.asarray((member @ np.where(known, p, 0.0)) / (member @ known))
    medians = np.full((k, p.shape[1]), np.nan)
    for class_ in range(k):
        some = known[y_true == class_].any(axis=0)
        medians[class_, some] = np.nanmedian(p[y_true == class_][:, some], axis=0)
    return medians


def substitution(leaves: ArrayLike, shares: Sequence[Any]) -> Floats:
    """Mean over columns of the class shares in the leaf that the row falls in.

    Parameters
    ----------
    leaves : array-like
        Number of the leaf of each row in the tree of each column, (n, B).
    shares : sequence of arrays
        For each column an array (leaves, k), from `shares_of`.

    Returns
    -------
    array
        Scores, (n, k): probabilities.

    Raises
    ------
    InputError
        If `leaves` does not have a column for each of `shares`.

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
    leaves = np.asarray(leaves)
    if leaves.ndim != 2 or leaves.shape[1] != len(shares) or not shares:
        raise InputError(
            f"leaves have shape {leaves.shape} for the shares of {len(shares)} columns"
        )
    total = np.zeros((len(leaves), np.shape(shares[0])[1]))
    for leaf, share in zip(leaves.T, shares, strict=True):
        total += np.asarray(share, np.float64)[leaf]
    return total / len(shares)


def shares_of(
    leaf: ArrayLike,
    y_true: ArrayLike,
    k: int,
    leaves: int,
    weight: ArrayLike | None = None,
) -> Floats:
    """Class shares of the training rows in each leaf of one tree; equal in a leaf without rows.

    Parameters
    ----------
    leaf : array-like
        Leaf of each training row, 0 to leaves - 1.
    y_true : array-like
        Class of each row as its number, 0 to k - 1.
    k : int
        Number of classes, at least 2.
    leaves : int
        Number of leaves.
    weight : array-like, optional
        Weight of each row; None is 1 each.

    Returns
    -------
    array
        Shares, (leaves, k), rows summing to 1.

    Examples
    --------
    >>> shares_of([0, 0, 1], [0, 1, 1], k=2, leaves=3)
    array([[0.5, 0.5],
           [0. , 1. ],
           [0.5, 0.5]])
    """
    place = np.asarray(leaf, np.int64) * k + np.asarray(y_true)
    counts = np.bincount(place, weight, leaves * k).reshape(leaves, k).astype(np.float64)
    total = counts.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(counts, total, out=np.full_like(counts, 1 / k), where=total > 0))
