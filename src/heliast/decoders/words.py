"""Decoders that seek the nearest word, and what all decoders check."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.told import told
from heliast.codes import as_code

Array = npt.NDArray[np.float64]
SLACK = 1e-9
"""Probabilities may be so far outside of 0 to 1 by rounding."""
UNFIT = "If `p` is outside 0 to 1 or does not fit the code."


def answers(p: npt.ArrayLike, code: npt.ArrayLike) -> tuple[Array, npt.NDArray[np.int64]]:
    """The answers as float64 in 0 to 1, and the code, which has a column for each."""
    matrix = as_code(code)
    return probabilities_of(p, matrix.shape[1]), matrix


def probabilities_of(p: npt.ArrayLike, columns: int) -> Array:
    """The answers as float64 in 0 to 1, one for each of so many columns."""
    found = np.asarray(p, np.float64)
    if found.ndim not in (1, 2) or found.shape[-1] != columns:
        raise InputError(
            f"p has shape {found.shape} for a code of {columns} columns: give one answer a column"
        )
    if found.size and not (found.min() >= -SLACK and found.max() <= 1 + SLACK):
        raise InputError(f"p holds {_strange(found)}: answers are probabilities, 0 to 1")
    return found


def _strange(found: Array) -> float:
    return float(found[~((found >= -SLACK) & (found <= 1 + SLACK))].flat[0])


def signs(code: npt.NDArray[Any]) -> Array:
    """M = 2 Z - 1 in floats."""
    return np.asarray(2.0 * code - 1.0)


@told(
    returns="array: D-bar, (k,) or (n, k), from -1 to 1: largest wins.",
    raises="If `p` is outside 0 to 1 or does not fit the code.",
)
def l1(p: npt.ArrayLike, code: npt.ArrayLike) -> Array:
    """D-bar of each class: 1 - 2 L/B, with L_i = sum over j of |p_j - Z_ij|.

    The nearest word has the largest D-bar. As p is in 0 to 1, D-bar = (2p - 1)(2Z - 1)' / B: one
    product of matrices. `distances` gives L itself, `l1_probabilities` what D-bar says of the
    classes' probabilities.

    Parameters
    ----------
    p : array-like
        Answers of the columns, (B,) or (n, B): the probability of side 1, from 0 to 1.
    code : array-like
        The code, (k, B): 0 and 1, a row a class and a column a question.

    Examples
    --------
    >>> code = [[1, 1, 0, 0, 0], [0, 0, 1, 1, 0], [1, 0, 0, 1, 1], [1, 1, 1, 1, 0]]
    >>> l1([0.3, 0.2, 0.8, 0.9, 0.1], code).round(2)
    array([-0.32,  0.64, -0.08,  0.24])

    References
    ----------
    Dietterich and Bakiri (1995), Journal of Artificial Intelligence Research 2, 263-286; James
    (1998), Majority Vote Classifiers, sections 2.1.1 and 2.2.2.
    """
    p, code = answers(p, code)
    return d_bar(p, signs(code))


def d_bar(p: Array, signed: Array) -> Array:
    """The same, unchecked, with the code in signs."""
    # (2p - 1) M' = 2 p M' - the sums of M: no copy of p, which may be large.
    found: Array = p @ signed.T
    found *= 2.0 / signed.shape[1]
    found -= signed.mean(axis=1)
    return found


@told(l1, returns="array: Distances L, (k,) or (n, k), from 0 to B.", raises=UNFIT)
def distances(p: npt.ArrayLike, code: npt.ArrayLike) -> Array:
    """L1 distances from the answers to the words of the code: smallest wins.

    Examples
    --------
    >>> code = [[1, 1, 0, 0, 0], [0, 0, 1, 1, 0], [1, 0, 0, 1, 1], [1, 1, 1, 1, 0]]
    >>> distances([0.3, 0.2, 0.8, 0.9, 0.1], code).round(1)
    array([3.3, 0.9, 2.7, 1.9])
    """
    p, code = answers(p, code)
    return np.asarray(code.shape[1] * (1 - d_bar(p, signs(code))) / 2)


@told(l1, yields="array: D-bar, (k,) or (n, k), from the first so many columns.", raises=UNFIT)
def staged_l1(p: npt.ArrayLike, code: npt.ArrayLike, stages: Sequence[int]) -> Iterator[Array]:
    """D-bar after so many columns, for each of the rising `stages`: sums are carried on.

    All stages together cost what the last one does alone.

    Parameters
    ----------
    stages : sequence of int
        Numbers of columns, rising.

    Examples
    --------
    >>> [stage.round(2).tolist() for stage in staged_l1([1.0, 0.5], [[1, 0], [0, 1]], [1, 2])]
    [[1.0, -1.0], [0.5, -0.5]]
    """
    p, code = answers(p, code)
    signed = signs(code)
    total, done = np.zeros((*p.shape[:-1], code.shape[0])), 0
    for stage in stages:
        part = signed[:, done:stage]
        total += 2.0 * (p[..., done:stage] @ part.T) - part.sum(axis=1)
        done = stage
        yield total / stage


@told(l1, returns="array: Shares, (k,) or (n, k), from 0 to 1: largest wins.", raises=UNFIT)
def hamming(p: npt.ArrayLike, code: npt.ArrayLike) -> Array:
    """The share of columns whose decision agrees with the word of the class.

    A column decides for side 1 if p > 1/2; at exactly 1/2 it counts one half for either.
    Twice the share less 1 is D-bar of the decisions.

    Examples
    --------
    >>> hamming([0.9, 0.6, 0.5], [[1, 1, 1], [1, 0, 0]]).round(3)
    array([0.833, 0.5  ])

    References
    ----------
    Dietterich and Bakiri (1995), Journal of Artificial Intelligence Research 2, 263-286.
    """
    p, code = answers(p, code)
    return np.asarray((1 + np.sign(p - 0.5) @ signs(code).T / code.shape[1]) / 2)


CLIP = 0.01
"""Answers are kept so far from 0 and 1: a leaf that saw one side only is not infinitely sure."""

LOSSES: dict[str, Callable[[Array], Array]] = {
    "exponential": lambda z: np.exp(-z / 2),
    "logistic": lambda z: np.logaddexp(0.0, -z),
    "square": lambda z: (1 - np.tanh(z / 2)) ** 2,
    "hinge": lambda z: np.maximum(0.0, 1 - z),
}
"""Losses of the margin z, the log odds of an answer towards the side of the class."""


@told(
    l1,
    returns="array: Scores, (k,) or (n, k), at most 0: largest wins.",
    raises="If `p` does not fit the code, or there is no such loss.",
)
def loss_based(p: npt.ArrayLike, code: npt.ArrayLike, loss: str = "exponential") -> Array:
    """Minus the mean loss of the answers, were this the class: -1/B sum of loss(M_ij f_j).

    f_j = log(p_j / (1 - p_j)), p kept in 0.01 to 0.99; M = 2Z - 1. `exponential` is exp(-z/2), the
    square root of the odds against; `logistic` is minus the log of the probability that the answer
    gives to the side of the class, so that the most likely word wins; `square` is (1 - m)^2 with
    m = 2p - 1 towards the side, the Euclidean distance to the word; `hinge` is max(0, 1 - z).

    Parameters
    ----------
    loss : str, default 'exponential'
        `exponential`, `logistic`, `square` or `hinge`.

    Examples
    --------
    >>> loss_based([0.9, 0.2], [[1, 0], [0, 1]]).round(3)
    array([-0.417, -2.5  ])

    References
    ----------
    Allwein, Schapire and Singer (2000), Journal of Machine Learning Research 1, 113-141.
    """
    p, code = answers(p, code)
    if loss not in LOSSES:
        raise InputError(f"loss={loss!r}: choose one of {', '.join(LOSSES)}")
    return mean_loss(p, code, loss)


def mean_loss(p: Array, code: npt.NDArray[Any], loss: str) -> Array:
    """The same, unchecked."""
    kept = np.clip(p, CLIP, 1 - CLIP)
    odds = np.log(kept / (1 - kept))
    one, zero = LOSSES[loss](odds), LOSSES[loss](-odds)
    # One product: all columns at side 0, and what side 1 changes.
    found: Array = (zero - one) @ code.T.astype(np.float64) - zero.sum(axis=-1, keepdims=True)
    found /= code.shape[1]
    return found
