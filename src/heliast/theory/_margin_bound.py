"""Bounds that rest on margins: of AdaBoost's training margins, and Schapire's of the test error."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.records import Shown
from heliast._core.told import told
from heliast.theory._margins import Margins


@told(
    {
        "value": "float: The bound, 0 to 1.",
        "raw": "float: The same, not cut at 1.",
        "theta": "float: The margin it is about.",
        "form": "str: Which bound it is, in words.",
        "notes": "tuple of str: What to know of it.",
    }
)
@dataclass(frozen=True)
class Bound(Shown):
    """An upper bound on a share: `value` is `raw` cut at 1, where it says nothing any more.

    Examples
    --------
    >>> from heliast.theory import margin_bound
    >>> margin_bound([0.2, 0.0]).value
    0.0
    """

    value: float
    raw: float
    theta: float
    form: str
    notes: tuple[str, ...] = ()

    @property
    def informative(self) -> bool:
        """Whether the bound is below 1."""
        return self.raw < 1


@told(returns="Bound: The bound.", raises="If an error, theta or alpha is out of range.")
def margin_bound(
    errors: npt.ArrayLike,
    theta: float = 0.0,
    *,
    alphas: npt.ArrayLike | None = None,
    resets: Sequence[int] = (),
) -> Bound:
    """What share of the training rows can have a margin of at most theta after boosting.

    P(M <= theta) <= exp(theta Σ a_t) Π Z_t with Z_t = (1 - e_t) exp(-a_t) + e_t exp(a_t), where e_t
    is the weighted training error of round t and a_t half its vote weight. By default
    a_t = log((1 - e_t) / e_t) / 2, which gives 2^B Π sqrt(e_t^(1 - theta) (1 - e_t)^(1 + theta)).
    Give `alphas` where votes were weighted otherwise, say by the error on a resample: the bound
    holds for any, as long as the weights of the rows were updated by the same.

    `resets` are the rounds (0, 1, ...) that began with equal weights again: each stretch has its
    own bound, and since some stretch must have a margin of at most theta where the whole has, the
    bounds add up.

    Parameters
    ----------
    errors : array-like
        Weighted training error of each round, 0 to 1/2.
    theta : float, default 0.0
        The margin, from -1 to 1.
    alphas : array-like, optional
        Half the vote weight of each round; None follows from the errors.
    resets : sequence of int
        Rounds that began with even weights again.

    Examples
    --------
    >>> round(margin_bound([0.2, 0.3, 0.3], theta=0.1).value, 4)
    0.7839
    >>> margin_bound([0.2, 0.0]).value
    0.0

    References
    ----------
    thesis, theorem 10; R. E. Schapire and others (1998), Boosting the margin, Annals of Statistics
    26, theorem 5.
    """
    error = np.asarray(errors, np.float64)
    _check(error, theta)
    with np.errstate(divide="ignore"):
        alpha = np.log((1 - error) / error) / 2 if alphas is None else np.asarray(alphas, float)
    if alpha.shape != error.shape or not (alpha >= 0).all():
        raise InputError("alphas: give one a round, none below 0 (of an error above 1/2)")
    borders = sorted({0, error.size, *resets})
    if borders[0] < 0 or borders[-1] > error.size:
        raise InputError(f"resets={list(resets)}: rounds go from 0 to {error.size - 1}")
    parts = [_stretch(error[lo:hi], alpha[lo:hi], theta) for lo, hi in pairwise(borders)]
    raw = float(sum(parts))
    notes = (f"the sum of {len(parts)} bounds, one a stretch",) if len(parts) > 1 else ()
    return Bound(min(1.0, raw), raw, float(theta), "training margin (theorem 10)", notes)


@told(
    {
        "gamma": "float: By how much every error is below 1/2, above 0 up to 1/2.",
        "rounds": "int: Number of rounds B.",
        "theta": "float, default 0.0: The margin, from -1 to 1.",
    },
    returns="Bound: The bound.",
    raises="If gamma or theta is out of range.",
)
def simple_margin_bound(gamma: float, rounds: int, theta: float = 0.0) -> Bound:
    """The bound when every error is at most 1/2 - gamma.

    P(M <= theta) <= ((1 - 2 gamma)^(1 - theta) (1 + 2 gamma)^(1 + theta))^(B / 2), which falls
    with B as long as theta < gamma (and for somewhat larger theta too).

    Examples
    --------
    >>> round(simple_margin_bound(0.2, 10).value, 4)
    0.4182

    References
    ----------
    thesis, theorem 10.
    """
    if not 0 < gamma <= 0.5:
        raise InputError(f"gamma={gamma!r}: choose a number above 0, at most 1/2")
    _check(np.array([0.5 - gamma]), theta)
    base = math.sqrt((1 - 2 * gamma) ** (1 - theta) * (1 + 2 * gamma) ** (1 + theta))
    raw = base**rounds
    return Bound(min(1.0, raw), raw, float(theta), "training margin, simplified (theorem 10)")


@told(
    {
        "margins": "Margins or array-like: Training margins, one a row.",
        "theta": "float: The margin, above 0 up to 1.",
        "log_hypotheses": "float: Logarithm of the number of base classifiers there are.",
        "classes": "int, optional: Number of classes; None takes that of the margins.",
        "delta": "float, default 0.05: Chance that the bound does not hold, above 0 up to 1.",
        "constant": "float, default 1.0: The constant that the theorem leaves open.",
    },
    returns="Bound: The bound.",
    raises="If the number of classes is unknown, or a number is out of range.",
)
def schapire_bound(
    margins: Margins | Any,
    theta: float,
    *,
    log_hypotheses: float,
    classes: int | None = None,
    delta: float = 0.05,
    constant: float = 1.0,
) -> Bound:
    """Schapire's bound on the test error from training margins, up to its constant.

    P(M <= theta) + constant * sqrt((log(n k) log|H| / theta^2 + log(1 / delta)) / n), with
    probability 1 - delta over training sets of n rows; |H| is the number of base classifiers there
    are. The theorem leaves the constant open; with 1 the second term is usually above 1, so
    that the bound is loose and says nothing of a given vote.

    Examples
    --------
    >>> found = schapire_bound([0.8] * 99, theta=0.2, log_hypotheses=10, classes=2)
    >>> found.informative, found.value
    (False, 1.0)

    References
    ----------
    thesis, theorem 9; R. E. Schapire and others (1998), Boosting the margin, Annals of Statistics
    26, theorem 1.
    """
    value = margins.value if isinstance(margins, Margins) else np.asarray(margins, np.float64)
    k = classes if classes is not None else len(getattr(margins, "classes", ())) or None
    if k is None:
        raise InputError("classes=: how many classes there are is needed")
    for name, number, least in (("theta", theta, 0.0), ("delta", delta, 0.0)):
        if not least < number <= 1:
            raise InputError(f"{name}={number!r}: choose a number above 0, at most 1")
    if log_hypotheses < 0 or constant < 0:
        raise InputError("log_hypotheses and constant must not be negative")
    n = value.size
    share = float((value <= theta).mean())
    more = math.sqrt((math.log(n * k) * log_hypotheses / theta**2 + math.log(1 / delta)) / n)
    raw = share + constant * more
    notes = (
        f"loose: {share:.3f} from the margins and {constant * more:.3f} from the theorem, whose "
        f"constant is not known (here {constant:g})",
    )
    return Bound(min(1.0, raw), raw, float(theta), "test error (theorem 9)", notes)


def _check(error: Array, theta: float) -> None:
    if error.ndim != 1 or not error.size or not ((error >= 0) & (error <= 0.5)).all():
        raise InputError(
            "errors: give one a round, each from 0 to 1/2 (above that, none is proved)"
        )
    if not -1 <= theta <= 1:
        raise InputError(f"theta={theta!r}: margins lie between -1 and 1")


def _stretch(error: Array, alpha: Array, theta: float) -> float:
    """exp(theta Σ a) Π Z in logs; a perfect round leaves no row with a margin below 1."""
    if np.isinf(alpha).any():
        return 0.0 if theta < 1 else math.inf
    z = (1 - error) * np.exp(-alpha) + error * np.exp(alpha)
    if (z == 0).any():
        return 0.0
    return float(np.exp(np.minimum(theta * alpha.sum() + np.log(z).sum(), 700.0)))
