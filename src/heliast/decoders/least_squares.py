"""Decoding by least squares, with and without a penalty, and the choice of the penalty."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.records import as_dict
from heliast._core.told import told
from heliast.decoders.words import UNFIT, Array, answers, d_bar, l1, signs

Coding = Literal["signs", "binary"]
"""How answers and code enter least squares: 2p - 1 and 2Z - 1, or p and Z themselves."""


@told(
    l1,
    returns="array: Scores, (k,) or (n, k): estimates of probabilities, largest wins.",
    raises=UNFIT,
)
def regression(p: npt.ArrayLike, code: npt.ArrayLike) -> Array:
    """Least-squares estimates of the classes' probabilities: q = (Z Z')^-1 Z p.

    If the base is right, p = Z'q, and q is recovered exactly whenever Z Z' is invertible
    (theorem 6 of the thesis). Below full rank, as always with fewer columns than classes, q is the
    solution of minimum norm, and a warning says so. Estimates may lie outside of 0 to 1.

    Examples
    --------
    >>> code = [[0, 1, 1, 0, 0], [0, 0, 0, 1, 1], [1, 1, 0, 0, 1], [1, 0, 0, 0, 0]]
    >>> regression([0.5, 0.7, 0.4, 0.1, 0.4], code).round(6)
    array([0.4, 0.1, 0.3, 0.2])

    References
    ----------
    James (1998), Majority Vote Classifiers, section 2.3.1.
    """
    p, code = answers(p, code)
    say_if_deficient(code)
    return linear(p, weights_of(code, 0.0, "binary"), "binary")


def say_if_deficient(code: npt.NDArray[Any], stacklevel: int = 3) -> None:
    """Warn if least squares has no unique solution for this code."""
    k, columns = code.shape
    rank = int(np.linalg.matrix_rank(code.astype(np.float64)))
    if rank < k:
        warnings.warn(
            f"least squares with {columns} columns of rank {rank} for {k} classes: the scores are "
            "those of minimum norm; take more columns, or decoder 'ridge' or 'l1'",
            stacklevel=stacklevel,
        )


@told(
    l1,
    returns="array: Scores, (k,) or (n, k): largest wins.",
    raises="If `p` does not fit the code, `lam` is negative, or there is no such coding.",
)
def ridge(p: npt.ArrayLike, code: npt.ArrayLike, lam: float, coding: Coding = "signs") -> Array:
    """Penalised least squares: q = (M M' + lam I)^-1 M f, with M = 2Z - 1 and f = 2p - 1.

    `coding='binary'` is equation 2.10 of the thesis: M = Z and f = p, in 0 and 1. Without a
    penalty that one is `regression`; in signs it is least squares in signs, and both recover q
    where the answers are p = Z'q. An infinite penalty (the limit of lam q) is L1 in signs, and in
    0 and 1 the sum of the answers at the ones of a word, which favours words with many ones:
    therefore the default is in signs. `choose_lam` chooses the penalty from honest answers.

    Parameters
    ----------
    lam : float
        The penalty, 0 to infinity.
    coding : {'signs', 'binary'}, default 'signs'
        Whether least squares are taken in signs, or in 0 and 1.

    Examples
    --------
    >>> ridge([0.9, 0.2], [[1, 0], [0, 1]], lam=2.0).round(3)
    array([ 0.233, -0.233])

    References
    ----------
    Hoerl and Kennard (1970), Technometrics 12, 55-67; James (1998), Majority Vote Classifiers,
    section 2.3.1, which leaves the choice of lam open.
    """
    p, code = answers(p, code)
    check_lam(lam)
    _check_coding(coding)
    if lam == inf and coding == "signs":
        return d_bar(p, signs(code))
    return linear(p, weights_of(code, lam, coding), coding)


@told(
    l1,
    returns="array: Scores, (k,) or (n, k): largest wins.",
    raises="If `p` does not fit the code, or `lam` is negative.",
)
def ridge_binary(p: npt.ArrayLike, code: npt.ArrayLike, lam: float) -> Array:
    """`ridge` in 0 and 1, as the thesis has it: q = (lam I + Z Z')^-1 Z p (equation 2.10).

    Parameters
    ----------
    lam : float
        The penalty, 0 to infinity; 0 is `regression`.

    Examples
    --------
    >>> ridge_binary([0.9, 0.2], [[1, 0], [0, 1]], lam=2.0).round(3)
    array([0.3  , 0.067])

    References
    ----------
    James (1998), Majority Vote Classifiers, section 2.3.1.
    """
    return ridge(p, code, lam, "binary")


def _check_coding(coding: str) -> None:
    if coding not in ("signs", "binary"):
        raise InputError(f"coding={coding!r}: choose 'signs' or 'binary'")


def linear(p: Array, weights: Array, coding: Coding) -> Array:
    """f W, without a copy of p, which may be large."""
    found: Array = p @ weights
    if coding == "signs":
        found *= 2.0
        found -= weights.sum(axis=0)
    return found


def coded(code: npt.NDArray[Any], coding: Coding) -> Array:
    """The code as least squares take it."""
    return signs(code) if coding == "signs" else np.asarray(code, np.float64)


def weights_of(code: npt.NDArray[Any], lam: float, coding: Coding) -> Array:
    """(B, k): the weights W of scores f W."""
    matrix = coded(code, coding)
    if lam == inf:
        return np.asarray(matrix.T / matrix.shape[1])
    left, size, right = np.linalg.svd(matrix, full_matrices=False)
    # Directions that the code lacks get no weight, however small the penalty: minimum norm.
    there = size > size[0] * max(matrix.shape) * np.finfo(np.float64).eps
    scale = np.where(there, size, 0.0) / np.where(there, size**2 + lam, 1.0)
    return np.asarray((right.T * scale) @ left.T, np.float64)


def check_lam(lam: Any) -> float:
    """The penalty: a number, 0 to infinity."""
    if isinstance(lam, (str, bool)) or not np.isscalar(lam) or not lam >= 0:  # type: ignore[operator]
        raise InputError(f"lam={lam!r}: the penalty is a number, 0 to infinity")
    return float(lam)  # type: ignore[arg-type]


Rule = Literal["honest", "closed", "gcv"]
GRID: tuple[float, ...] = (*np.logspace(0, 4, 17).tolist(), inf)
"""10^0 to 10^4 in quarters of a decade, and infinity, which is L1."""


@told(
    {
        "lam": "float: The penalty, 0 to infinity.",
        "rule": "{'honest', 'closed', 'gcv'}: The rule that chose it.",
        "noise": "float: Mean squared distance of the answers from the words of the true classes.",
        "grid": "tuple of float: The penalties that were tried; none with `closed`.",
        "values": "tuple of float: The error (`honest`) or the criterion (`gcv`) at each value of "
        "the grid.",
    }
)
@dataclass(frozen=True)
class Penalty:
    """What `choose_lam` chose and from what.

    Examples
    --------
    >>> from heliast.decoders import choose_lam
    >>> choose_lam([[0.9, 0.2], [0.3, 0.8]], [0, 1], [[1, 0], [0, 1]], "closed").rule
    'closed'
    """

    lam: float
    rule: Rule
    noise: float
    grid: tuple[float, ...] = ()
    values: tuple[float, ...] = ()

    @told({}, returns="dict: Field names and plain values.")
    def to_dict(self) -> dict[str, object]:
        """The record as plain values."""
        return as_dict(self)


@told(
    l1,
    returns="Penalty: The penalty, and what was tried.",
    raises="If shapes do not fit, or there is no such rule.",
)
def choose_lam(
    p: npt.ArrayLike,
    truth: npt.ArrayLike,
    code: npt.ArrayLike,
    rule: Rule = "honest",
    coding: Coding = "signs",
) -> Penalty:
    """The penalty of ridge decoding from answers for rows that the base has not seen.

    `honest`: of 10^0 to 10^4 and infinity the one with the fewest errors, ties to the larger.
    `closed`: lam = 4 k s2, s2 = mean (p_j - Z_yj)^2. `gcv`: of the same grid the least mean over
    rows of RSS / (1 - tr H / B)^2, H = M'(M M' + lam I)^-1 M. In 0 and 1 `closed` is k s2, as
    signs are twice as far apart, and M is Z. `truth` numbers the class of each row. Answers for
    training rows would be near the words: lam near 0, and decoding by noise.

    Parameters
    ----------
    p : array-like
        Answers, (n, B), for rows that the columns were not trained on.
    truth : array-like
        Class of each row as its number, 0 to k - 1.
    rule : {'honest', 'closed', 'gcv'}, default 'honest'
        How it is chosen.
    coding : {'signs', 'binary'}, default 'signs'
        The coding of `ridge` that it is for.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> code = rng.integers(0, 2, (4, 12))
    >>> truth = rng.integers(0, 4, 300)
    >>> p = np.clip(code[truth] + rng.normal(0, 0.5, (300, 12)), 0, 1)
    >>> round(choose_lam(p, truth, code, "closed").lam, 2)
    1.85

    References
    ----------
    Hoerl, Kennard and Baldwin (1975), Communications in Statistics 4, 105-123 (the closed form);
    Golub, Heath and Wahba (1979), Technometrics 21, 215-223 (GCV).
    """
    p, code = answers(p, code)
    rows = np.asarray(truth)
    if p.ndim != 2 or rows.shape != p.shape[:1] or rows.size == 0:
        raise InputError(f"p has shape {p.shape}, truth {rows.shape}: give a class for each row")
    if rule not in RULES:
        raise InputError(f"rule={rule!r}: choose one of {', '.join(RULES)}")
    _check_coding(coding)
    return RULES[rule](p, rows, code, coding)


def _noise(p: Array, truth: npt.NDArray[Any], code: npt.NDArray[Any]) -> float:
    return float(np.mean((p - code[truth]) ** 2))


def _closed(p: Array, truth: npt.NDArray[Any], code: npt.NDArray[Any], coding: Coding) -> Penalty:
    noise = _noise(p, truth, code)
    return Penalty((4 if coding == "signs" else 1) * code.shape[0] * noise, "closed", noise)


def _honest(p: Array, truth: npt.NDArray[Any], code: npt.NDArray[Any], coding: Coding) -> Penalty:
    matrix = coded(code, coding)
    size, turn = np.linalg.eigh(matrix @ matrix.T)
    turned = linear(p, matrix.T, coding) @ turn

    def error(lam: float) -> float:
        scale = np.ones_like(size) if lam == inf else 1 / (size + lam)
        label = ((turned * scale) @ turn.T).argmax(axis=1)
        return float(np.mean(label != truth))

    return _least(error, "honest", _noise(p, truth, code))


def _gcv(p: Array, truth: npt.NDArray[Any], code: npt.NDArray[Any], coding: Coding) -> Penalty:
    columns = code.shape[1]
    _, size, turn = np.linalg.svd(coded(code, coding), full_matrices=False)
    f = coded(p, coding)
    inside = ((f @ turn.T) ** 2).mean(axis=0)
    outside = float((f**2).sum(axis=1).mean() - inside.sum())

    def criterion(lam: float) -> float:
        left = np.ones_like(size) if lam == inf else lam / (size**2 + lam)
        freedom = float((1 - left).sum())
        return float((outside + left**2 @ inside) / (1 - freedom / columns) ** 2)

    return _least(criterion, "gcv", _noise(p, truth, code))


def _least(worth: Callable[[float], float], rule: Rule, noise: float) -> Penalty:
    values = tuple(worth(lam) for lam in GRID)
    best = max(at for at, value in enumerate(values) if value == min(values))
    return Penalty(GRID[best], rule, noise, GRID, values)


RULES: dict[str, Callable[[Array, npt.NDArray[Any], npt.NDArray[Any], Coding], Penalty]] = {
    "honest": _honest,
    "closed": _closed,
    "gcv": _gcv,
}
