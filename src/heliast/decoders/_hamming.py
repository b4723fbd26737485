"""Hard votes: every column decides, the word that agrees with most columns wins."""

from typing import Any

import numpy as np

from heliast.decoders._checks import Array, answers, signs


def hamming(p: Any, code: Any) -> Array:
    """The share of columns whose decision agrees with the word of the class.

    A column decides for side 1 if p > 1/2; at exactly 1/2 it counts one half for either.
    Twice the share less 1 is D-bar of the decisions.

    >>> hamming([0.9, 0.6, 0.5], [[1, 1, 1], [1, 0, 0]]).round(3)
    array([0.833, 0.5  ])

    Reference: Dietterich and Bakiri (1995), Journal of Artificial Intelligence Research 2, 263-286.
    """
    p, code = answers(p, code)
    found: Array = (1 + np.sign(p - 0.5) @ signs(code).T / code.shape[1]) / 2
    return found
