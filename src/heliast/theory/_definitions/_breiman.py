"""Breiman: all that can be reduced is either bias or variance."""

import numpy as np

from heliast.theory._definitions._registry import Array, Part, define
from heliast.theory._facts import Facts


@define(
    "breiman",
    "Breiman",
    Part("noise"),
    Part("bias"),
    Part("variance"),
    losses=("zero_one",),
)
def breiman(facts: Facts) -> tuple[Array, ...]:
    """P(C != Y) = noise + bias + variance; at each row one of the latter two is 0.

    What exceeds the noise is variance where the vote finds the best class, else bias.

    Reference: L. Breiman (1996), Bias, variance, and arcing classifiers, Technical Report 460,
    University of California, Berkeley; thesis, section 3.5.
    """
    assert facts.votes is not None
    above = facts.loss - facts.noise
    return (
        facts.noise,
        np.where(facts.votes.agrees, 0.0, above),
        np.where(facts.votes.agrees, above, 0.0),
    )
