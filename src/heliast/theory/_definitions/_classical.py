"""The classical parts of squared loss."""

import numpy as np

from heliast.theory._definitions._registry import Array, Part, define
from heliast.theory._facts import Facts


@define(
    "classical",
    "classical",
    Part("noise"),
    Part("bias", signed=True),
    Part("variance"),
    losses=("squared",),
)
def classical(facts: Facts) -> tuple[Array, ...]:
    """E (Y - C)² = Var Y + (E Y - E C)² + Var C.

    The unbiased form divides the variance by T - 1 instead of T and takes the difference from the
    squared bias, which a finite number T of predictions makes too large; the sum stays.

    Reference: chapter, equations 22.14 to 22.16.
    """
    bias, variance = facts.bias, facts.variance
    if facts.unbiased:
        moved = variance / np.maximum(facts.count - 1, 1)
        bias, variance = bias - moved, variance + moved
    return facts.noise, bias, variance
