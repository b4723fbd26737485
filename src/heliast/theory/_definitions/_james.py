"""James: bias and variance, and apart from them their effects on the loss."""

from heliast.theory._definitions._registry import Array, Part, define
from heliast.theory._facts import Facts


@define(
    "james",
    "James",
    Part("noise"),
    Part("bias", adds=False),
    Part("variance", adds=False),
    Part("systematic_effect"),
    Part("variance_effect", signed=True),
)
def james(facts: Facts) -> tuple[Array, ...]:
    """E L(Y, C) = noise + systematic effect + variance effect, for any loss.

    bias L(SY, SC) and variance E L(C, SC) say how far off and how scattered the predictions are;
    the systematic effect E L(Y, SC) - E L(Y, SY) and the variance effect E L(Y, C) - E L(Y, SC) say
    what that costs. The variance effect may be negative: scatter may hit the right class. For
    squared loss both pairs are the same.

    Reference: thesis, section 3.2.4.
    """
    return (
        facts.noise,
        facts.bias,
        facts.variance,
        facts.systematic - facts.noise,
        facts.loss - facts.systematic,
    )
