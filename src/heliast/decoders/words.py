"""Decoders that look for the nearest code word, and the check of answers that all share."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike, Floats
from heliast.codes import as_code

SLACK = 1e-9  # rounding that is allowed outside of 0 to 1


def answers(p: ArrayLike, code: ArrayLike) -> tuple[Floats, Array]:
    """Return the answers as float64 in 0 to 1, and the code, which has a column for each."""
    matrix = as_code(code)
    return check_answers(p, matrix.shape[1]), matrix


def check_answers(p: ArrayLike, columns: int) -> Floats:
    """Return the answers of so many columns as float64 in 0 to 1."""
    p = np.asarray(p, np.float64)
    if p.ndim not in (1, 2) or p.shape[-1] != columns:
        raise InputError(f"p has shape {p.shape}: give one answer for each of {columns} columns")
    outside = p[~((p >= -SLACK) & (p <= 1 + SLACK))]
    if outside.size:
        raise InputError(f"p holds {outside[0]}: answers are probabilities, 0 to 1")
    return p


def signs(code: Array) -> Floats:
    """Return M = 2 Z - 1 as float64."""
    return np.asarray(2.0 * code - 1.0)


def l1(p: ArrayLike, code: ArrayLike) -> Floats:
    """D-bar of each class: 1 - 2 L/B, with L_i = sum over j of |p_j - Z_ij|.

    The nearest word has the largest D-bar. As p is in 0 to 1, D-bar = (2p - 1)(2Z - 1)' / B: one
    product of matrices. `distances` gives L itself, `l1_probabilities` estimates of the classes'
    probabilities.

    Parameters
    ----------
    p : array-like
        Answers of the columns, (B,) or (n, B): the probability of side 1, from 0 to 1.
    code : array-like
        The code, (k, B): 0 and 1, a row a class and a column a binary problem.

    Returns
    -------
    array
        D-bar, (k,) or (n, k), from -1 to 1: largest wins.

    Raises
    ------
    InputError
        If `p` is outside 0 to 1 or does not fit the code.

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


def d_bar(p: Floats, signed: Floats) -> Floats:
    """Return D-bar of checked answers, with the code in signs."""
    # (2p - 1) M' = 2 p M' - the sums of M: no copy of p, which may be large.
    scores: Floats = p @ signed.T
    scores *= 2.0 / signed.shape[1]
    scores -= signed.mean(axis=1)
    return scores


def distances(p: ArrayLike, code: ArrayLike) -> Floats:
    """L1 distances from the answers to the words of the code: smallest wins.

    Parameters
    ----------
    p : array-like
        Answers of the columns, (B,) or (n, B): the probability of side 1, from 0 to 1.
    code : array-like
        The code, (k, B): 0 and 1, a row a class and a column a binary problem.

    Returns
    -------
    array
        Distances L, (k,) or (n, k), from 0 to B.

    Raises
    ------
    InputError
        If `p` is outside 0 to 1 or does not fit the code.

    Examples
    --------
    >>> code = [[1, 1, 0, 0, 0], [0, 0, 1, 1, 0], [1, 0, 0, 1, 1], [1, 1, 1, 1, 0]]
    >>> distances([0.3, 0.2, 0.8, 0.9, 0.1], code).round(1)
    array([3.3, 0.9, 2.7, 1.9])
    """
    return np.asarray(np.shape(code)[1] * (1 - l1(p, code)) / 2)


def staged_l1(p: ArrayLike, code: ArrayLike, stages: Sequence[int]) -> Iterator[Floats]:
    """D-bar after so many columns, for each of the rising `stages`.

    Sums are carried on: all stages together cost what the last one does alone.

    Parameters
    ----------
    p : array-like
        Answers of the columns, (B,) or (n, B): the probability of side 1, from 0 to 1.
    code : array-like
        The code, (k, B): 0 and 1, a row a class and a column a binary problem.
    stages : sequence of int
        Numbers of columns, rising.

    Yields
    ------
    array
        D-bar, (k,) or (n, k), from the first so many columns.

    Raises
    ------
    InputError
        If `p` is outside 0 to 1 or does not fit the code.

    Examples
    --------
    >>> [stage.round(2).tolist() for stage in staged_l1([1.0, 0.5], [[1, 0], [0, 1]], [1, 2])]
    [[1.0, -1.0], [0.5, -0.5]]
    """
    p, code = answers(p, code)
    signed = signs(code)
    total, done = np.zeros((*p.shape[:-1], len(code))), 0
    for stage in stages:
        part = signed[:, done:stage]
        total += 2.0 * (p[..., done:stage] @ part.T) - part.sum(axis=1)
        done = stage
        yield total / stage


def hamming(p: ArrayLike, code: ArrayLike) -> Floats:
    """Share of columns whose decision agrees with the word of the class.

    A column decides for side 1 if p > 1/2; at exactly 1/2 it counts one half for either.
    Twice the share less 1 is D-bar of the decisions.

    Parameters
    ----------
    p : array-like
        Answers of the columns, (B,) or (n, B): the probability of side 1, from 0 to 1.
    code : array-like
        The code, (k, B): 0 and 1, a row a class and a column a binary problem.

    Returns
    -------
    array
        Shares, (k,) or (n, k), from 0 to 1: largest wins.

    Raises
    ------
    InputError
        If `p` is outside 0 to 1 or does not fit the code.

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


CLIP = 0.01  # so far from 0 and 1 answers are kept: a pure leaf is not infinitely sure

# Losses of the margin z, the log odds of an answer towards the side of the class.
LOSSES: dict[str, Callable[[Floats], Floats]] = {
    "exponential": lambda z: np.exp(-z / 2),
    "logistic": lambda z: np.logaddexp(0.0, -z),
    "square": lambda z: (1 - np.tanh(z / 2)) ** 2,
    "hinge": lambda z: np.maximum(0.0, 1 - z),
}


def loss_based(p: ArrayLike, code: ArrayLike, loss: str = "exponential") -> Floats:
    """Minus the mean loss of the answers if this were the class: -1/B sum of loss(M_ij f_j).

    f_j = log(p_j / (1 - p_j)), p kept in 0.01 to 0.99; M = 2Z - 1. `exponential` is exp(-z/2), the
    square root of the odds against; `logistic` is minus the log of the probability that the answer
    gives to the side of the class, so that the most likely word wins; `square` is (1 - m)^2 with
    m = 2p - 1 towards the side, the Euclidean distance to the word; `hinge` is max(0, 1 - z).

    Parameters
    ----------
    p : array-like
        Answers of the columns, (B,) or (n, B): the probability of side 1, from 0 to 1.
    code : array-like
        The code, (k, B): 0 and 1, a row a class and a column a binary problem.
    loss : str, default 'exponential'
        `exponential`, `logistic`, `square` or `hinge`.

    Returns
    -------
    array
        Scores, (k,) or (n, k), at most 0: largest wins.

    Raises
    ------
    InputError
        If `p` does not fit the code, or there is no such loss.

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


def mean_loss(p: Floats, code: Array, loss: str) -> Floats:
    """Return minus the mean loss of checked answers."""
    p = np.clip(p, CLIP, 1 - CLIP)
    odds = np.log(p / (1 - p))
    side_1, side_0 = LOSSES[loss](odds), LOSSES[loss](-odds)
    # One product: all columns at side 0, and what side 1 changes.
    scores: Floats = (side_0 - side_1) @ code.T.astype(np.float64)
    scores -= side_0.sum(axis=-1, keepdims=True)
    scores /= code.shape[1]
    return scores
