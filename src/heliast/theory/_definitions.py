"""The definitions of bias and variance, side by side.

Y is the class or number of a row, C a prediction; PY and PC are the probabilities of the classes
of either. SY and SC, the systematic parts, are the fixed answers of least expected loss: for
zero-one loss y*, the class of largest posterior, and m, the class of most votes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array


@dataclass(frozen=True, eq=False)
class Facts:
    """What a loss L makes of the predictions of each row."""

    count: Array  # how many predictions the row has (NaN elsewhere if none)
    loss: Array  # E L(Y, C), with Y and C independent
    noise: Array  # E L(Y, SY)
    systematic: Array  # E L(Y, SC)
    bias: Array  # L(SY, SC)
    variance: Array  # E L(C, SC)


@dataclass(frozen=True, eq=False)
class ClassFacts(Facts):
    """The same of classes: their probabilities (rows x classes) and systematic parts."""

    py: Array
    pc: Array
    best: Array  # y*
    main: Array  # m


def _breiman(facts: ClassFacts) -> dict[str, Array]:
    """P(C != Y) = noise + bias + variance: what exceeds the noise is variance if m = y*, else bias.

    L. Breiman (1996), Bias, variance, and arcing classifiers, Technical Report 460, University of
    California, Berkeley; thesis, section 3.5.
    """
    above = facts.loss - facts.noise
    agrees = facts.main == facts.best
    return {
        "noise": facts.noise,
        "bias": np.where(agrees, 0.0, above),
        "variance": np.where(agrees, above, 0.0),
    }


def _classical(facts: Facts) -> dict[str, Array]:
    """E (Y - C)² = Var Y + (E Y - E C)² + Var C (chapter, equations 22.14 to 22.16)."""
    return {"noise": facts.noise, "bias": facts.bias, "variance": facts.variance}


def _domingos(facts: ClassFacts) -> dict[str, Array]:
    """P(C != Y) = c1 N + B + c2 V, with B = [m != y*] and V = 1 - PC(m).

    Where there is no bias, variance hurts in full (c2 = 1: the unbiased variance); where there is,
    it helps as often as a vote finds y* (c2 V = -PC(y*): the biased variance, shown below 0).
    The noise effect is c1 N = PC(y*) N - P(C = Y != y*).

    P. Domingos (2000), A unified bias-variance decomposition for zero-one and squared loss,
    Proceedings of the 17th National Conference on Artificial Intelligence.
    """
    rows = np.arange(facts.best.size)
    pc_best = facts.pc[rows, facts.best]
    hits_elsewhere = _inner(facts.py, facts.pc) - facts.py[rows, facts.best] * pc_best
    agrees = facts.main == facts.best
    return {
        "noise": facts.noise,
        "noise_effect": pc_best * facts.noise - hits_elsewhere,
        "bias": facts.bias,
        "variance": facts.variance,
        "unbiased_variance": np.where(agrees, facts.variance, 0.0),
        "biased_variance": np.where(agrees, 0.0, 0.0 - pc_best),
    }


def _james(facts: Facts) -> dict[str, Array]:
    """E L(Y, C) = noise + systematic effect + variance effect, for any loss.

    Bias L(SY, SC) and variance E L(C, SC) say how far off and how scattered the predictions are,
    the systematic effect E L(Y, SC) - E L(Y, SY) and the variance effect E L(Y, C) - E L(Y, SC)
    what that costs. Thesis, section 3.2.4.
    """
    return {
        "noise": facts.noise,
        "bias": facts.bias,
        "variance": facts.variance,
        "systematic_effect": facts.systematic - facts.noise,
        "variance_effect": facts.loss - facts.systematic,
    }


def _kohavi_wolpert(facts: ClassFacts) -> dict[str, Array]:
    """P(C != Y) = (1 - Σ PY²)/2 + Σ (PY - PC)²/2 + (1 - Σ PC²)/2: noise, bias, variance.

    R. Kohavi and D. H. Wolpert (1996), Bias plus variance decomposition for zero-one loss
    functions, Proceedings of the 13th International Conference on Machine Learning.
    """
    difference = facts.py - facts.pc
    return {
        "noise": (1 - _inner(facts.py, facts.py)) / 2,
        "bias": _inner(difference, difference) / 2,
        "variance": (1 - _inner(facts.pc, facts.pc)) / 2,
    }


def _kong_dietterich(facts: Facts) -> dict[str, Array]:
    """P(C != Y) = bias + variance, with bias = [P(C != Y) >= 1/2]; noise is inside.

    E. B. Kong and T. G. Dietterich (1995), Error-correcting output coding corrects bias and
    variance, Proceedings of the 12th International Conference on Machine Learning; thesis, 3.5.
    """
    bias = (facts.loss >= 0.5 - 1e-12).astype(float)
    return {"bias": bias, "variance": facts.loss - bias}


def _tibshirani(facts: Facts) -> dict[str, Array]:
    """E L(Y, C) = noise + bias + aggregation effect: James's systematic and variance effect.

    R. Tibshirani (1996), Bias, variance and prediction error for classification rules, University
    of Toronto; thesis, section 3.5.
    """
    return {
        "noise": facts.noise,
        "bias": facts.systematic - facts.noise,
        "aggregation_effect": facts.loss - facts.systematic,
        "variance": facts.variance,
    }


def _inner(a: Array, b: Array) -> Array:
    return np.asarray(np.einsum("ik,ik->i", a, b))


@dataclass(frozen=True)
class Definition:
    """How the expected loss at a row is decomposed: the parts, and which of them add up to it.

    `signed` parts may be below 0. Of a `scattered` definition a finite number T of predictions
    adds variance / (T - 1) to the bias and takes it from the variance.
    """

    title: str
    formula: Callable[..., dict[str, Array]]
    adding: tuple[str, ...]
    signed: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()  # empty: for any loss
    scattered: bool = False

    def parts(self, facts: Facts, unbiased: bool) -> Mapping[str, Array]:
        """The expected loss and each part, row by row."""
        parts = {"loss": facts.loss, **self.formula(facts)}
        if unbiased and self.scattered:
            moved = parts["variance"] / np.maximum(facts.count - 1, 1)
            parts["bias"], parts["variance"] = parts["bias"] - moved, parts["variance"] + moved
        return parts


_ZERO_ONE = ("zero_one",)
_THREE = ("noise", "bias", "variance")
_DEFINITIONS = {
    "breiman": Definition("Breiman", _breiman, _THREE, losses=_ZERO_ONE),
    "classical": Definition("classical", _classical, _THREE, ("bias",), ("squared",), True),
    "domingos": Definition(
        "Domingos",
        _domingos,
        ("noise_effect", "bias", "unbiased_variance", "biased_variance"),
        ("noise_effect", "biased_variance"),
        _ZERO_ONE,
    ),
    "james": Definition(
        "James", _james, ("noise", "systematic_effect", "variance_effect"), ("variance_effect",)
    ),
    "kohavi_wolpert": Definition(
        "Kohavi and Wolpert", _kohavi_wolpert, _THREE, ("bias",), _ZERO_ONE, True
    ),
    "kong_dietterich": Definition(
        "Kong and Dietterich", _kong_dietterich, ("bias", "variance"), ("variance",), _ZERO_ONE
    ),
    "tibshirani": Definition(
        "Tibshirani", _tibshirani, ("noise", "bias", "aggregation_effect"), ("aggregation_effect",)
    ),
}


def definitions(loss: str | None = None) -> tuple[str, ...]:
    """Return the names of the definitions of bias and variance.

    Parameters
    ----------
    loss : str, optional
        Only those for this loss (`zero_one`, `squared`, ...); None is all.

    Returns
    -------
    tuple of str
        The names.

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
    """Return the definition of this name, if it holds for the loss."""
    if name not in _DEFINITIONS:
        raise InputError(f"definition={name!r}: choose one of {', '.join(_DEFINITIONS)}")
    definition = _DEFINITIONS[name]
    if name not in definitions(loss):
        raise InputError(
            f"definition={name!r} is for {' or '.join(definition.losses)} loss only, not {loss}; "
            f"for {loss} loss choose one of {', '.join(definitions(loss))}"
        )
    return definition
