"""Kong and Dietterich: bias where errors are in the majority."""

from heliast.theory._definitions._registry import Array, Part, define
from heliast.theory._facts import Facts


@define(
    "kong_dietterich",
    "Kong and Dietterich",
    Part("bias"),
    Part("variance", signed=True),
    losses=("zero_one",),
)
def kong_dietterich(facts: Facts) -> tuple[Array, ...]:
    """P(C != Y) = bias + variance, with bias = [P(C != Y) >= 1/2].

    The variance is negative wherever there is bias. Noise is not told apart: the best possible
    classifier may have bias. With two classes and no ties the bias is James's.

    Reference: E. B. Kong and T. G. Dietterich (1995), Error-correcting output coding corrects bias
    and variance, Proceedings of the 12th International Conference on Machine Learning; thesis,
    section 3.5.
    """
    bias = (facts.loss >= 0.5 - 1e-12).astype(float)
    return bias, facts.loss - bias
