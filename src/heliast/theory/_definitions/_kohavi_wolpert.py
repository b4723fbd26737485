"""Kohavi and Wolpert: squared distances between posteriors and shares of votes."""

import numpy as np

from heliast.theory._definitions._registry import Array, Part, define
from heliast.theory._facts import Facts


@define(
    "kohavi_wolpert",
    "Kohavi and Wolpert",
    Part("noise"),
    Part("bias", signed=True),
    Part("variance"),
    losses=("zero_one",),
)
def kohavi_wolpert(facts: Facts) -> tuple[Array, ...]:
    """P(C != Y) = (1 - Σ PY²)/2 + Σ (PY - PC)²/2 + (1 - Σ PC²)/2: noise, bias, variance.

    With T predictions the shares PC scatter, which adds c = (1 - Σ PC²)/(2 (T - 1)) to the bias and
    takes it from the variance; the unbiased form moves it back (so a bias near 0 may come out
    below), the sum stays.

    Reference: R. Kohavi and D. H. Wolpert (1996), Bias plus variance decomposition for zero-one
    loss functions, Proceedings of the 13th International Conference on Machine Learning.
    """
    votes = facts.votes
    assert votes is not None
    bias = (votes.posterior_squares - 2 * votes.hit + votes.squares) / 2
    variance = (1 - votes.squares) / 2
    if facts.unbiased:
        moved = variance / np.maximum(facts.count - 1, 1)
        bias, variance = bias - moved, variance + moved
    return (1 - votes.posterior_squares) / 2, bias, variance
