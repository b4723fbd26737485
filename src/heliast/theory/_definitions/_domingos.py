"""Domingos: noise and variance with factors that say whether they hurt or help."""

import numpy as np

from heliast.theory._definitions._registry import Array, Part, define
from heliast.theory._facts import Facts


@define(
    "domingos",
    "Domingos",
    Part("noise", adds=False),
    Part("noise_effect", signed=True),
    Part("bias"),
    Part("variance", adds=False),
    Part("unbiased_variance"),
    Part("biased_variance", signed=True),
    losses=("zero_one",),
)
def domingos(facts: Facts) -> tuple[Array, ...]:
    """P(C != Y) = c1 N + B + c2 V, with B = [m != y*] and V = 1 - PC(m).

    Where there is no bias, variance hurts in full (c2 = 1: the unbiased variance); where there is,
    it helps as often as a vote finds y* (c2 V = -PC(y*): the biased variance, shown below 0).
    The noise effect is c1 N = PC(y*) N - P(C = Y != y*).

    Reference: P. Domingos (2000), A unified bias-variance decomposition for zero-one and squared
    loss, Proceedings of the 17th National Conference on Artificial Intelligence.
    """
    votes = facts.votes
    assert votes is not None
    by_chance = votes.hit - votes.best_posterior * votes.best
    return (
        facts.noise,
        votes.best * facts.noise - by_chance,
        facts.bias,
        facts.variance,
        np.where(votes.agrees, facts.variance, 0.0),
        np.where(votes.agrees, 0.0, 0.0 - votes.best),
    )
