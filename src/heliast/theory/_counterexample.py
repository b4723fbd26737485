"""Bayes consistency by search: a posterior for which a perfect base gives the wrong class."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast import codes, decoders
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.records import Shown
from heliast._core.told import told

Decoder = Callable[[Any, Any], Any]
TOLERANCE = 1e-10


@told(
    {
        "consistent": "bool or None: True, False, or None where it is not known.",
        "exact": "bool: Whether the verdict is proven.",
        "decoder": "str: Name of the decoder.",
        "posterior": "tuple of float: The counterexample: probabilities of the classes.",
        "decoded": "int, optional: The class that was decoded there.",
        "scores": "tuple of float: The scores of the classes there.",
        "tried": "int, default 0: Number of posteriors that were tried.",
    }
)
@dataclass(frozen=True)
class Consistency(Shown):
    """Whether a decoder finds the most probable class when every column is answered perfectly.

    `consistent` is False with a counterexample (`posterior`, the class `decoded`, the `scores`),
    True where none can exist (`exact`: the decoder is linear in the answers, so that extreme points
    decide), None where a search found none, which proves nothing.

    Examples
    --------
    >>> from heliast.codes import hadamard
    >>> from heliast.theory import consistency
    >>> consistency(hadamard(5)).exact
    True
    """

    consistent: bool | None
    exact: bool
    decoder: str
    posterior: tuple[float, ...] = ()
    decoded: int | None = None
    scores: tuple[float, ...] = ()
    tried: int = 0

    @property
    def sentence(self) -> str:
        """The finding in words."""
        if self.consistent:
            return f"{self.decoder} is Bayes consistent with this code"
        if self.consistent is None:
            return f"no counterexample among {self.tried:,} posteriors: perhaps consistent"
        best = int(np.argmax(self.posterior))
        return (
            f"{self.decoder} is not Bayes consistent with this code: class {best} has the largest "
            f"posterior ({self.posterior[best]:.3f}), but class {self.decoded} is decoded"
        )


@told(
    returns="Consistency: The verdict, with a counterexample if there is one.",
    raises="If `code` is no code, or there is no such decoder.",
)
def consistency(
    code: npt.ArrayLike,
    decoder: str | Decoder = "l1",
    trials: int = 20_000,
    seed: int = 0,
    **options: Any,
) -> Consistency:
    """Search for a posterior q for which the answers p = Z'q are decoded to the wrong class.

    For decoders that are linear in p (L1, least squares, ridge) scores are linear in q, and where a
    rival j is scored highest against i, given that q_i is largest, q is equal on a set of classes
    that contains i: those few are tried, so the verdict is exact. Others are tried at the same
    points and at random ones. `options` go to the decoder, such as `lam`.

    Parameters
    ----------
    code : array-like
        The code, (k, B): 0 and 1, a row a class and a column a question.
    decoder : str or callable, default 'l1'
        A name of `heliast.decoders.names()`, or a function of (p, code).
    trials : int, default 20000
        Number of random posteriors that are tried.
    seed : int, default 0
        Seed of what is drawn.
    **options : keywords
        Options of the decoder, such as `lam`.

    Examples
    --------
    >>> from heliast.codes import hadamard
    >>> consistency(hadamard(5)).consistent
    True
    >>> print(consistency([[0, 1, 1], [0, 0, 0], [1, 1, 0], [1, 0, 0]]).sentence)
    l1 is not Bayes consistent with this code: class 0 has the largest posterior (0.334), but ...

    References
    ----------
    thesis, theorems 1 and 6.
    """
    matrix = codes.as_code(code)
    score, name = _decoder(decoder, options)
    k = matrix.shape[0]
    pure = _scored(score, np.eye(k), matrix)
    points = _extreme(pure)
    rng = np.random.default_rng(seed)
    sharp = rng.choice([0.2, 1.0, 5.0], size=trials)
    drawn = rng.gamma(sharp[:, None], size=(trials, k)) + 1e-300
    drawn /= drawn.sum(axis=1, keepdims=True)
    found = _scored(score, drawn, matrix)
    exact = bool(np.allclose(found, drawn @ pure, atol=1e-9 * max(1.0, np.abs(pure).max())))
    everything = np.concatenate([points, drawn])
    scores = np.concatenate([_scored(score, points, matrix), found])
    wrong = _fooled(everything, scores)
    if wrong is None:
        return Consistency(True if exact else None, exact, name, tried=len(everything))
    posterior, said = everything[wrong], scores[wrong]
    return Consistency(
        False,
        exact,
        name,
        tuple(posterior.tolist()),
        _rival(posterior, said),
        tuple(said.tolist()),
        len(everything),
    )


def _decoder(decoder: str | Decoder, options: dict[str, Any]) -> tuple[Decoder, str]:
    if callable(decoder):
        return (lambda p, code: decoder(p, code, **options)), getattr(decoder, "__name__", "it")
    needs = decoders.find(decoder).needs
    if needs is not None and needs not in options:
        raise InputError(
            f"decoder={decoder!r} needs {needs}="
            + ("" if needs == "lam" else ", which come from training rows: pass a function instead")
        )
    function = getattr(decoders, decoder)
    return (lambda p, code: function(p, code, **options)), decoder


def _scored(score: Decoder, posteriors: Array, code: Array) -> Array:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a code is poor is what is being found out
        return np.asarray(score(np.clip(posteriors @ code, 0.0, 1.0), code), np.float64)


def _extreme(pure: Array) -> Array:
    """Posteriors that favour a rival as far as they can while class i is (just) the largest."""
    k = len(pure)
    found = [np.eye(k)]
    for i in range(k):
        for j in range(k):
            if i == j:
                continue
            gain = pure[:, j] - pure[:, i]
            others = [c for c in np.argsort(-gain, kind="stable") if c != i]
            sums = np.cumsum(gain[others])
            means = (gain[i] + sums) / np.arange(2, k + 1)
            q = np.zeros(k)
            size = int(means.argmax()) + 1
            q[[i, *others[:size]]] = 1.0 / (size + 1)
            # A little more for class i, so that it is the largest without doubt.
            found.append(((1 - 1e-3) * q + 1e-3 * np.eye(k)[i])[None, :])
    return np.concatenate(found)


def _fooled(posteriors: Array, scores: Array) -> int | None:
    """The first posterior whose (single) largest class does not have the single largest score."""
    best = posteriors.argmax(axis=1)
    everyone = np.arange(best.size)
    rest = posteriors.copy()
    rest[everyone, best] = -np.inf
    clear = posteriors[everyone, best] > rest.max(axis=1) + 1e-6
    own = scores[everyone, best]
    others = scores.copy()
    others[everyone, best] = -np.inf
    size = np.maximum(1.0, np.abs(scores).max(axis=1))
    fooled = clear & (others.max(axis=1) >= own - TOLERANCE * size)
    return int(fooled.argmax()) if fooled.any() else None


def _rival(posterior: Array, scores: Array) -> int:
    others = scores.copy()
    others[posterior.argmax()] = -np.inf
    return int(others.argmax())
