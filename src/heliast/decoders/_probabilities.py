"""Probabilities of the classes from the scores of a decoder."""

from math import inf
from typing import Literal

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike, Floats
from heliast.codes import as_code, describe
from heliast.decoders._registry import find
from heliast.decoders.least_squares import coded, weights_of
from heliast.decoders.words import l1

Form = Literal["raw", "corrected", "clipped"]


def l1_probabilities(p: ArrayLike, code: ArrayLike, form: Form = "clipped") -> Floats:
    """Probabilities of the classes by L1 decoding.

    `raw` is D-bar = 1 - 2L/B, unbiased over codes of fair independent bits (theorem 2 of the
    thesis). `corrected` is 1 - L/h for the code at hand: h is the distance of an equidistant code;
    otherwise B d, the mean distance of random codes without constant columns,
    d = 2^(k-1) / (2^k - 2); with constant columns B/2, which is raw. If the base is right,
    L_i = sum over l of q_l D_il, so that 1 - L/h is q itself where all D_il = h. `clipped` is the
    corrected form without what is negative, divided by its sum.

    Parameters
    ----------
    p : array-like
        Answers of the columns, (B,) or (n, B): the probability of side 1, from 0 to 1.
    code : array-like
        The code, (k, B): 0 and 1, a row a class and a column a binary problem.
    form : {'raw', 'corrected', 'clipped'}, default 'clipped'
        Which form of the scores.

    Returns
    -------
    array
        One number a class, (k,) or (n, k); `clipped` sums to 1.

    Raises
    ------
    InputError
        If `p` is outside 0 to 1 or does not fit the code, or there is no such form.

    Examples
    --------
    >>> l1_probabilities([0.4, 0.1, 0.3, 0.2], np.eye(4, dtype=int), "corrected").round(6)
    array([0.4, 0.1, 0.3, 0.2])
    """
    return probabilities(l1(p, code), code, "l1", form)


def probabilities(
    scores: ArrayLike,
    code: ArrayLike,
    decoder: str = "l1",
    form: Form = "clipped",
    lam: float = inf,
) -> Floats:
    """Probabilities of the classes from the scores of a decoder.

    `raw`: as they are. `corrected`: for `l1` see `l1_probabilities`, `hamming` likewise from hard
    votes; for `regression` and both kinds of `ridge` (s - a) / b, where a is the mean score of a
    wrong class and a + b that of the right one when all answers are right and one class is
    certain, so that least squares of full rank is left as it is; `substitution` is a mean of
    shares already. `centroid` and `loss_based` only order classes: a softmax of the scores, not
    calibrated. `clipped`: the corrected form, nothing negative, divided by its sum; the winner
    stays the winner.

    Parameters
    ----------
    scores : array-like
        Scores of a decoder, (k,) or (n, k).
    code : array-like
        The code, (k, B): 0 and 1, a row a class and a column a binary problem.
    decoder : str, default 'l1'
        The decoder that made the scores.
    form : {'raw', 'corrected', 'clipped'}, default 'clipped'
        Which form of the scores.
    lam : float, default inf
        The penalty of `ridge`; infinity is L1.

    Returns
    -------
    array
        One number a class, in the shape of `scores`; `clipped` sums to 1.

    Raises
    ------
    InputError
        If there is no such form or decoder, or `code` is none.

    Examples
    --------
    >>> probabilities([[0.6, -0.2]], [[1, 0], [0, 1]]).round(3)
    array([[0.667, 0.333]])
    """
    scores = np.asarray(scores, np.float64)
    if form not in ("raw", "corrected", "clipped"):
        raise InputError(f"form={form!r}: choose one of raw, corrected, clipped")
    if form == "raw":
        return scores
    scores = _corrected(scores, as_code(code), decoder, lam)
    if form == "corrected":
        return scores
    positive = np.maximum(scores, 0.0)
    none = ~(scores > 0).any(axis=-1)  # then the class with the largest score gets it all
    positive[none] = np.eye(scores.shape[-1])[scores[none].argmax(axis=-1)]
    positive /= positive.sum(axis=-1, keepdims=True)
    return positive


def _corrected(scores: Floats, code: Array, decoder: str, lam: float) -> Floats:
    how = find(decoder)
    penalty = lam if how.penalty is None else how.penalty
    if decoder == "substitution":
        return scores
    if decoder == "hamming":
        scores = 2 * scores - 1
    elif how.coding is None:
        from scipy.special import softmax

        return np.asarray(softmax(scores, axis=-1))
    elif how.coding == "binary" or penalty < inf:
        k = len(code)
        pure = coded(code, how.coding) @ weights_of(code, penalty, how.coding)
        right = np.trace(pure) / k
        wrong = (pure.sum() - np.trace(pure)) / (k * (k - 1))
        return np.asarray((scores - wrong) / (right - wrong) if right > wrong else scores)
    return np.asarray(1 - (1 - scores) * (code.shape[1] / (2 * usual_distance(code))))


def usual_distance(code: Array) -> float:
    """Return h, in how many columns two words differ: in this code, or as expected of its kind."""
    k, columns = code.shape
    properties = describe(code)
    if properties.bayes_consistent:
        return float(properties.row_smallest)
    if properties.constant_columns:
        return float(columns / 2)
    # d = 2^(k-1) / (2^k - 2) without large powers
    return float(columns * 0.5 / (1 - 0.5 ** (k - 1)))
