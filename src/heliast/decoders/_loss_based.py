"""Decoding by the loss that the base would suffer."""

from collections.abc import Callable
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast.decoders._checks import Array, answers

CLIP = 0.01
"""Answers are kept so far from 0 and 1: a leaf that saw one side only is not infinitely sure."""

LOSSES: dict[str, Callable[[Array], Array]] = {
    "exponential": lambda z: np.exp(-z / 2),
    "logistic": lambda z: np.logaddexp(0.0, -z),
    "square": lambda z: (1 - np.tanh(z / 2)) ** 2,
    "hinge": lambda z: np.maximum(0.0, 1 - z),
}
"""Losses of the margin z, the log odds of an answer towards the side of the class."""


def loss_based(p: Any, code: Any, loss: str = "exponential") -> Array:
    """Minus the mean loss of the answers, were this the class: -1/B sum of loss(M_ij f_j).

    f_j = log(p_j / (1 - p_j)), p kept in 0.01 to 0.99; M = 2Z - 1. `exponential` is exp(-z/2), the
    square root of the odds against; `logistic` is minus the log of the probability that the answer
    gives to the side of the class, so that the most likely word wins; `square` is (1 - m)^2 with
    m = 2p - 1 towards the side, the Euclidean distance to the word; `hinge` is max(0, 1 - z).

    >>> loss_based([0.9, 0.2], [[1, 0], [0, 1]]).round(3)
    array([-0.417, -2.5  ])

    Reference: Allwein, Schapire and Singer (2000), Journal of Machine Learning Research 1, 113-141.
    """
    p, code = answers(p, code)
    if loss not in LOSSES:
        raise InputError(f"loss={loss!r}: choose one of {', '.join(LOSSES)}")
    return mean_loss(p, code, loss)


def mean_loss(p: Array, code: Any, loss: str) -> Array:
    """The same, unchecked."""
    kept = np.clip(p, CLIP, 1 - CLIP)
    odds = np.log(kept / (1 - kept))
    one, zero = LOSSES[loss](odds), LOSSES[loss](-odds)
    # One product: all columns at side 0, and what side 1 changes.
    found: Array = (zero - one) @ code.T.astype(np.float64) - zero.sum(axis=-1, keepdims=True)
    found /= code.shape[1]
    return found
