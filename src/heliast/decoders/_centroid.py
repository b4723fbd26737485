"""Nearest centre of the training rows' answers, instead of the nearest word."""

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast.decoders._checks import Array, probabilities_of

Kind = Literal["mean", "median"]


def centroid(p: Any, centroids: Any) -> Array:
    """Minus the squared Euclidean distance from the answers to the centre of each class.

    `centroids` (k, B) come from `centroids_of`. A class without a centre (NaN) gets minus infinity.

    >>> centroid([0.9, 0.2], [[0.8, 0.1], [0.2, 0.9]]).round(2)
    array([-0.02, -0.98])

    Reference: James (1998), Majority Vote Classifiers, section 2.3.2.
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


def centroids_of(p: Any, truth: Any, k: int, kind: Kind = "mean") -> Array:
    """(k, B): the mean or median answers of the rows of each class; NaN answers are left out.

    Answers for rows that the base was trained on (as in the thesis) lie nearer to the words than
    those for new rows; honest ones (cross-validated, or out of bag with NaN elsewhere) do not.
    A class without rows has NaN.

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
    return _medians(found, rows, k) if kind == "median" else _means(found, rows, k)


def _means(p: Array, truth: npt.NDArray[Any], k: int) -> Array:
    member = (truth == np.arange(k)[:, None]).astype(np.float64)
    missing = np.isnan(p)
    with np.errstate(invalid="ignore"):
        if not missing.any():
            means: Array = (member @ p) / member.sum(axis=1, keepdims=True)
            return means
        means = (member @ np.where(missing, 0.0, p)) / (member @ ~missing)
    return means


def _medians(p: Array, truth: npt.NDArray[Any], k: int) -> Array:
    found = np.full((k, p.shape[1]), np.nan)
    for i in range(k):
        rows = p[truth == i]
        known = ~np.isnan(rows).all(axis=0)
        found[i, known] = np.nanmedian(rows[:, known], axis=0) if rows.size else np.nan
    return found
