"""Bounds that rest on margins: of AdaBoost's training margins, and Schapire's of the test error."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike
from heliast._core.records import Shown
from heliast.theory._margins import Margins


@dataclass(frozen=True)
class Bound(Shown):
    """An upper bound on a share: `value` is `raw` cut at 1, where it says nothing any more.

    Parameters
    ----------
    value : float
        The bound, 0 to 1.
    raw : float
        The same, not cut at 1.
    theta : float
        The margin it is about.
    form : str
        Which bound it is, in words.
    notes : tuple of str
        Remarks.

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


def margin_bound(
    errors: ArrayLike,
    theta: float = 0.0,
    *,
    alphas: ArrayLike | None = None,
    resets: Sequence[int] = (),
) -> Bound:
    """Bound the share of training rows that have a margin of at most theta after boosting.

    P(M <= theta) <= exp(theta Σ a_t) Π Z_t with Z_t = (1 - e_t) exp(-a_t) + e_t exp(a_t), where e_t
    is the weighted training error of round t and a_t half its vote weight; with
    a_t = log((1 - e_t) / e_t) / 2 it is 2^B Π sqrt(e_t^(1 - theta) (1 - e_t)^(1 + theta)). It holds
    for any a_t by which the weights of the rows were updated. Where rounds began with equal weights
    again each stretch has its own bound; some stretch must have a margin of at most theta where the
    full vote has, so the bounds add up.

    Parameters
    ----------
    errors : array-like
        Weighted training error of each round, 0 to 1/2.
    theta : float, default 0.0
        The margin, from -1 to 1.
    alphas : array-like, optional
        Half the vote weight of each round; None follows from the errors.
    resets : sequence of int
        Rounds (0, 1, ...) that began with equal weights again.

    Returns
    -------
    Bound
        The bound.

    Raises
    ------
    InputError
        If an error, theta or alpha is out of range.

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
    if error.ndim != 1 or not error.size or not ((error >= 0) & (error <= 0.5)).all():
        raise InputError("errors: give one a round, from 0 to 1/2 (above, no bound is proved)")
    _check("theta", theta, -1, 1)
    with np.errstate(divide="ignore"):
        alpha = np.log((1 - error) / error) / 2 if alphas is None else np.asarray(alphas, float)
    if alpha.shape != error.shape or not (alpha >= 0).all():
        raise InputError("alphas: give one a round, none below 0 (of an error above 1/2)")
    borders = sorted({0, error.size, *resets})
    if borders[0] < 0 or borders[-1] > error.size:
        raise InputError(f"resets={list(resets)}: rounds go from 0 to {error.size - 1}")
    parts = [_stretch(error[lo:hi], alpha[lo:hi], theta) for lo, hi in pairwise(borders)]
    notes = (f"the sum of {len(parts)} bounds, one a stretch",) if len(parts) > 1 else ()
    return _bound(float(sum(parts)), theta, "training margin (theorem 10)", notes)


def _stretch(error: Array, alpha: Array, theta: float) -> float:
    """exp(theta Σ a) Π Z in logs; a perfect round leaves no row with a margin below 1."""
    if np.isinf(alpha).any():
        return 0.0 if theta < 1 else math.inf
    z = (1 - error) * np.exp(-alpha) + error * np.exp(alpha)
    with np.errstate(divide="ignore"):
        return float(np.exp(np.minimum(theta * alpha.sum() + np.log(z).sum(), 700.0)))


def simple_margin_bound(gamma: float, rounds: int, theta: float = 0.0) -> Bound:
    """Bound the same share when every error is at most 1/2 - gamma.

    P(M <= theta) <= ((1 - 2 gamma)^(1 - theta) (1 + 2 gamma)^(1 + theta))^(B / 2), which falls
    with B as long as theta < gamma (and for somewhat larger theta too).

    Parameters
    ----------
    gamma : float
        By how much every error is below 1/2, above 0 up to 1/2.
    rounds : int
        Number of rounds B.
    theta : float, default 0.0
        The margin, from -1 to 1.

    Returns
    -------
    Bound
        The bound.

    Raises
    ------
    InputError
        If gamma or theta is out of range.

    Examples
    --------
    >>> round(simple_margin_bound(0.2, 10).value, 4)
    0.4182

    References
    ----------
    thesis, theorem 10.
    """
    _check("gamma", gamma, math.ulp(0.0), 0.5)
    _check("theta", theta, -1, 1)
    base = math.sqrt((1 - 2 * gamma) ** (1 - theta) * (1 + 2 * gamma) ** (1 + theta))
    return _bound(base**rounds, theta, "training margin, simplified (theorem 10)")


def schapire_bound(
    margins: Margins | Any,
    theta: float,
    *,
    log_hypotheses: float,
    classes: int | None = None,
    delta: float = 0.05,
    constant: float = 1.0,
) -> Bound:
    """Bound the test error by training margins, up to a constant.

    P(M <= theta) + constant * sqrt((log(n k) log|H| / theta^2 + log(1 / delta)) / n), with
    probability 1 - delta over training sets of n rows; |H| is the number of base classifiers there
    are. The theorem leaves the constant open; with 1 the second term is usually above 1.

    Parameters
    ----------
    margins : Margins or array-like
        Training margins, one a row.
    theta : float
        The margin, above 0 up to 1.
    log_hypotheses : float
        Logarithm of the number of base classifiers there are.
    classes : int, optional
        Number of classes; None takes that of the margins.
    delta : float, default 0.05
        Chance that the bound does not hold, above 0 up to 1.
    constant : float, default 1.0
        The constant that the theorem leaves open.

    Returns
    -------
    Bound
        The bound.

    Raises
    ------
    InputError
        If the number of classes is unknown, or a number is out of range.

    Examples
    --------
    >>> bound = schapire_bound([0.8] * 99, theta=0.2, log_hypotheses=10, classes=2)
    >>> bound.informative, bound.value
    (False, 1.0)

    References
    ----------
    thesis, theorem 9; R. E. Schapire and others (1998), Boosting the margin, Annals of Statistics
    26, theorem 1.
    """
    value = margins.value if isinstance(margins, Margins) else np.asarray(margins, np.float64)
    k = classes if classes is not None else len(getattr(margins, "classes", ()))
    if not k:
        raise InputError("classes=: how many classes there are is needed")
    _check("theta", theta, math.ulp(0.0), 1)
    _check("delta", delta, math.ulp(0.0), 1)
    _check("log_hypotheses", log_hypotheses, 0, math.inf)
    _check("constant", constant, 0, math.inf)
    n = value.size
    share = float((value <= theta).mean())
    more = math.sqrt((math.log(n * k) * log_hypotheses / theta**2 + math.log(1 / delta)) / n)
    note = (
        f"loose: {share:.3f} from the margins and {constant * more:.3f} from the theorem, whose "
        f"constant is not known (here {constant:g})"
    )
    return _bound(share + constant * more, theta, "test error (theorem 9)", (note,))


def _bound(raw: float, theta: float, form: str, notes: tuple[str, ...] = ()) -> Bound:
    return Bound(min(1.0, raw), raw, float(theta), form, notes)


def _check(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise InputError(f"{name}={value!r}: choose a number from {low:g} to {high:g}")
