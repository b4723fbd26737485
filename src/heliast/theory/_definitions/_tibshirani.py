"""Tibshirani: bias, and the aggregation effect beside the variance."""

from heliast.theory._definitions._registry import Array, Part, define
from heliast.theory._facts import Facts


@define(
    "tibshirani",
    "Tibshirani",
    Part("noise"),
    Part("bias"),
    Part("aggregation_effect", signed=True),
    Part("variance", adds=False),
)
def tibshirani(facts: Facts) -> tuple[Array, ...]:
    """E L(Y, C) = noise + bias + aggregation effect.

    Bias is what James calls the systematic effect, the aggregation effect what he calls the
    variance effect: how much the vote over training sets would gain on a single fit. The variance
    is E L(C, SC).

    Reference: R. Tibshirani (1996), Bias, variance and prediction error for classification rules,
    University of Toronto; thesis, section 3.5.
    """
    return (
        facts.noise,
        facts.systematic - facts.noise,
        facts.loss - facts.systematic,
        facts.variance,
    )
