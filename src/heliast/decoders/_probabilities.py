"""From scores to probabilities of the classes."""

from math import inf
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.told import told
from heliast.codes import as_code, hamming
from heliast.codes.matrix import wasted_columns
from heliast.decoders._registry import find
from heliast.decoders.least_squares import coded, weights_of
from heliast.decoders.words import Array, answers, d_bar, l1, signs

Form = Literal["raw", "corrected", "clipped"]
FORMS = ("raw", "corrected", "clipped")


@told(
    l1,
    returns="array: One number a class, (k,) or (n, k); `clipped` sums to 1.",
    raises="If `p` is outside 0 to 1 or does not fit the code, or there is no such form.",
)
def l1_probabilities(p: npt.ArrayLike, code: npt.ArrayLike, form: Form = "clipped") -> Array:
    """What L1 decoding says of the classes' probabilities.

    `raw` is D-bar = 1 - 2L/B, unbiased over codes of fair independent bits (theorem 2 of the
    thesis). `corrected` is 1 - L/h for the code at hand: h is the distance of an equidistant code;
    otherwise B d, the mean distance of random codes without constant columns,
    d = 2^(k-1) / (2^k - 2); with constant columns B/2, which is raw. If the base is right,
    L_i = sum over l of q_l D_il, so that 1 - L/h is q itself where all D_il = h. `clipped` is the
    corrected form without what is negative, divided by its sum.

    Parameters
    ----------
    form : {'raw', 'corrected', 'clipped'}, default 'clipped'
        Which form of the scores.

    Examples
    --------
    >>> l1_probabilities([0.4, 0.1, 0.3, 0.2], np.eye(4, dtype=int), "corrected").round(6)
    array([0.4, 0.1, 0.3, 0.2])
    """
    p, code = answers(p, code)
    return probabilities(d_bar(p, signs(code)), code, "l1", form)


@told(
    l1,
    returns="array: One number a class, in the shape of `scores`; `clipped` sums to 1.",
    raises="If there is no such form, or `code` is none.",
)
def probabilities(
    scores: npt.ArrayLike,
    code: npt.ArrayLike,
    decoder: str = "l1",
    form: Form = "clipped",
    lam: float = inf,
) -> Array:
    """The scores of a decoder as probabilities.

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
    decoder : str, default 'l1'
        The decoder that made the scores.
    form : {'raw', 'corrected', 'clipped'}, default 'clipped'
        Which form of the scores.
    lam : float, default inf
        The penalty of `ridge`; infinity is L1.

    Examples
    --------
    >>> probabilities([[0.6, -0.2]], [[1, 0], [0, 1]]).round(3)
    array([[0.667, 0.333]])
    """
    found = np.asarray(scores, np.float64)
    if form not in FORMS:
        raise InputError(f"form={form!r}: choose one of {', '.join(FORMS)}")
    if form == "raw":
        return found
    better = _corrected(found, as_code(code), decoder, lam)
    return better if form == "corrected" else clipped(better)


def clipped(scores: Array) -> Array:
    """Nothing negative, sum 1; all of it to the first of the largest where nothing is positive.

    >>> clipped(np.array([[0.6, -0.2, 0.2], [-0.1, -0.3, -0.2]]))
    array([[0.75, 0.  , 0.25],
           [1.  , 0.  , 0.  ]])
    """
    found: Array = np.maximum(scores, 0.0)
    total = found.sum(axis=-1, keepdims=True)
    if not (total > 0).all():
        nothing = (total <= 0)[..., 0]
        found[nothing] = scores[nothing].argmax(axis=-1)[..., None] == np.arange(scores.shape[-1])
        total = found.sum(axis=-1, keepdims=True)
    found /= total
    return found


def _corrected(scores: Array, code: npt.NDArray[Any], decoder: str, lam: float) -> Array:
    if decoder == "substitution":
        return scores
    if decoder in ("centroid", "loss_based"):
        from scipy.special import softmax

        return np.asarray(softmax(scores, axis=-1))
    if decoder == "hamming":
        scores = 2 * scores - 1
    if decoder in ("l1", "hamming") or (decoder == "ridge" and lam == inf):  # ridge is L1 there
        return np.asarray(1 - (1 - scores) * (code.shape[1] / (2 * usual_distance(code))))
    a, b = _response(code, decoder, lam)
    return np.asarray((scores - a) / b)


def usual_distance(code: npt.NDArray[Any]) -> float:
    """h: what two different classes' words differ in, by the code at hand or by its law."""
    k, columns = code.shape
    apart = hamming(code)[np.triu_indices(k, 1)]
    if apart.min() == apart.max() > 0:
        return float(apart[0])
    if wasted_columns(code)[0]:
        return float(columns / 2)
    # d = 2^(k-1) / (2^k - 2) without large powers
    return float(columns * 0.5 / (1 - 0.5 ** (k - 1)))


def _response(code: npt.NDArray[Any], decoder: str, lam: float) -> tuple[float, float]:
    """(a, b): the mean score of a wrong class, and what the right one has more."""
    k, how = code.shape[0], find(decoder)
    if how.coding is None:
        raise InputError(f"decoder={decoder!r}: its scores are not linear in the answers")
    penalty = lam if how.penalty is None else how.penalty
    found = coded(code, how.coding) @ weights_of(code, penalty, how.coding)
    right = float(np.trace(found)) / k
    wrong = float(found.sum() - np.trace(found)) / (k * (k - 1))
    return (wrong, right - wrong) if right > wrong else (0.0, 1.0)
