"""Nearest word in L1 distance: the decoder of Dietterich and Bakiri."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from heliast.decoders._checks import Array, answers, signs


def l1(p: Any, code: Any) -> Array:
    """D-bar of each class: 1 - 2 L/B, with L_i = sum over j of |p_j - Z_ij|.

    The nearest word has the largest D-bar. As p is in 0 to 1, D-bar = (2p - 1)(2Z - 1)' / B: one
    product of matrices. `distances` gives L itself, `l1_probabilities` what D-bar says of the
    classes' probabilities.

    >>> code = [[1, 1, 0, 0, 0], [0, 0, 1, 1, 0], [1, 0, 0, 1, 1], [1, 1, 1, 1, 0]]
    >>> l1([0.3, 0.2, 0.8, 0.9, 0.1], code).round(2)
    array([-0.32,  0.64, -0.08,  0.24])

    References: Dietterich and Bakiri (1995), Journal of Artificial Intelligence Research 2,
    263-286; James (1998), Majority Vote Classifiers, sections 2.1.1 and 2.2.2.
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


def distances(p: Any, code: Any) -> Array:
    """L1 distances from the answers to the words of the code: smallest wins.

    >>> code = [[1, 1, 0, 0, 0], [0, 0, 1, 1, 0], [1, 0, 0, 1, 1], [1, 1, 1, 1, 0]]
    >>> distances([0.3, 0.2, 0.8, 0.9, 0.1], code).round(1)
    array([3.3, 0.9, 2.7, 1.9])
    """
    p, code = answers(p, code)
    found: Array = code.shape[1] * (1 - d_bar(p, signs(code))) / 2
    return found


def staged_l1(p: Any, code: Any, stages: Sequence[int]) -> Iterator[Array]:
    """D-bar after so many columns, for each of the rising `stages`: sums are carried on.

    All stages together cost what the last one does alone.

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
