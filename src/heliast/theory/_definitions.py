"""Definitions of bias and variance: each declares its parts, which of them add up, and for what."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.told import told
from heliast.theory._repeated import Facts

Values = Callable[[Facts], tuple[Array, ...]]


@dataclass(frozen=True)
class Part:
    """One quantity of a definition; those with `adds` add up to the expected loss at every row."""

    name: str
    adds: bool = True
    signed: bool = False
    """Whether it may be below 0."""


@dataclass(frozen=True)
class Definition:
    """How the expected loss at a row is told apart; `values` gives one array a part, in order."""

    name: str
    title: str
    parts: tuple[Part, ...]
    values: Values
    losses: tuple[str, ...] = ()
    """The losses it is defined for; without any, all."""

    def __getitem__(self, name: str) -> Part:
        return next(part for part in self.parts if part.name == name)

    @property
    def adding(self) -> tuple[str, ...]:
        """The names of the parts that add up to the expected loss."""
        return tuple(part.name for part in self.parts if part.adds)


_DEFINITIONS: dict[str, Definition] = {}


def define(
    name: str, title: str, *parts: Part, losses: tuple[str, ...] = ()
) -> Callable[[Values], Values]:
    """Enter the decorated function as the one that computes these parts."""

    def register(values: Values) -> Values:
        _DEFINITIONS[name] = Definition(name, title, parts, values, losses)
        return values

    return register


@told(
    {"loss": "str, optional: Only those for this loss; None is all."},
    returns="tuple of str: The names.",
)
def definitions(loss: str | None = None) -> tuple[str, ...]:
    """The names of the definitions there are (for one loss: `zero_one`, `squared`, ...).

    Examples
    --------
    >>> definitions("squared")
    ('classical', 'james', 'tibshirani')
    """
    return tuple(
        name
        for name, definition in _DEFINITIONS.items()
        if loss is None or not definition.losses or loss in definition.losses
    )


def definition_of(name: str, loss: str) -> Definition:
    """The definition of this name, if it holds for the loss."""
    if name not in _DEFINITIONS:
        raise InputError(f"definition={name!r}: choose one of {', '.join(_DEFINITIONS)}")
    found = _DEFINITIONS[name]
    if found.losses and loss not in found.losses:
        raise InputError(
            f"definition={name!r} is for {' or '.join(found.losses)} loss only, not {loss}; for "
            f"{loss} loss choose one of {', '.join(definitions(loss))}"
        )
    return found


@define("breiman", "Breiman", Part("noise"), Part("bias"), Part("variance"), losses=("zero_one",))
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
    return facts.noise, *_unbiased(facts, facts.bias, facts.variance)


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
    return (1 - votes.posterior_squares) / 2, *_unbiased(facts, bias, variance)


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


def _unbiased(facts: Facts, bias: Array, variance: Array) -> tuple[Array, Array]:
    """What a finite number T of predictions moves from variance to bias, moved back if asked."""
    if not facts.unbiased:
        return bias, variance
    moved = variance / np.maximum(facts.count - 1, 1)
    return bias - moved, variance + moved
