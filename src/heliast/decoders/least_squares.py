"""Decoding by least squares, with and without a penalty, and the choice of the penalty."""

import warnings
from dataclasses import dataclass
from math import inf
from typing import Any, Literal

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike, Floats
from heliast._core.records import Shown
from heliast.decoders.words import answers, d_bar, signs

# How answers and code enter least squares: 2p - 1 and 2Z - 1, or p and Z themselves.
Coding = Literal["signs", "binary"]


def regression(p: ArrayLike, code: ArrayLike) -> Floats:
    """Least-squares estimates of the classes' probabilities: q = (Z Z')^-1 Z p.

    If the base is right, p = Z'q, and q is recovered exactly whenever Z Z' is invertible
    (theorem 6 of the thesis). Below full rank, as always with fewer columns than classes, q is the
    solution of minimum norm, and a warning says so. Estimates may lie outside of 0 to 1.

    Parameters
    ----------
    p : array-like
        Answers of the columns, (B,) or (n, B): the probability of side 1, from 0 to 1.
    code : array-like
        The code, (k, B): 0 and 1, a row a class and a column a binary problem.

    Returns
    -------
    array
        Scores, (k,) or (n, k): estimates of probabilities, largest wins.

    Raises
    ------
    InputError
        If `p` is outside 0 to 1 or does not fit the code.

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
    k, columns = code.shape
    rank = int(np.linalg.matrix_rank(code.astype(np.float64)))
    if rank < k:
        warnings.warn(
            f"least squares with {columns} columns of rank {rank} for {k} classes: the scores are "
            "those of minimum norm; take more columns, or decoder 'ridge' or 'l1'",
            stacklevel=2,
        )
    return linear(p, weights_of(code, 0.0, "binary"), "binary")


def ridge(p: ArrayLike, code: ArrayLike, lam: float, coding: Coding = "signs") -> Floats:
    """Penalised least squares: q = (M M' + lam I)^-1 M f, with M = 2Z - 1 and f = 2p - 1.

    `coding='binary'` is equation 2.10 of the thesis: M = Z and f = p, in 0 and 1. Without a
    penalty that one is `regression`; in signs it is least squares in signs, and both recover q
    where the answers are p = Z'q. An infinite penalty (the limit of lam q) is L1 in signs, and in
    0 and 1 the sum of the answers at the ones of a word, which favours words with many ones:
    therefore the default is in signs. `choose_lam` chooses the penalty from out-of-sample answers.

    Parameters
    ----------
    p : array-like
        Answers of the columns, (B,) or (n, B): the probability of side 1, from 0 to 1.
    code : array-like
        The code, (k, B): 0 and 1, a row a class and a column a binary problem.
    lam : float
        The penalty, 0 to infinity.
    coding : {'signs', 'binary'}, default 'signs'
        Whether least squares are taken in signs, or in 0 and 1.

    Returns
    -------
    array
        Scores, (k,) or (n, k): largest wins.

    Raises
    ------
    InputError
        If `p` does not fit the code, `lam` is negative, or there is no such coding.

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
    if check_lam(lam) == inf and coding == "signs":
        return d_bar(p, signs(code))
    return linear(p, weights_of(code, lam, coding), coding)


def ridge_binary(p: ArrayLike, code: ArrayLike, lam: float) -> Floats:
    """`ridge` in 0 and 1, as the thesis has it: q = (lam I + Z Z')^-1 Z p (equation 2.10).

    Parameters
    ----------
    p : array-like
        Answers of the columns, (B,) or (n, B): the probability of side 1, from 0 to 1.
    code : array-like
        The code, (k, B): 0 and 1, a row a class and a column a binary problem.
    lam : float
        The penalty, 0 to infinity; 0 is `regression`.

    Returns
    -------
    array
        Scores, (k,) or (n, k): largest wins.

    Raises
    ------
    InputError
        If `p` does not fit the code, or `lam` is negative.

    Examples
    --------
    >>> ridge_binary([0.9, 0.2], [[1, 0], [0, 1]], lam=2.0).round(3)
    array([0.3  , 0.067])

    References
    ----------
    James (1998), Majority Vote Classifiers, section 2.3.1.
    """
    return ridge(p, code, lam, "binary")


def linear(p: Floats, weights: Floats, coding: Coding) -> Floats:
    """Return the scores f W, without a copy of p, which may be large."""
    scores: Floats = p @ weights
    if coding == "signs":
        scores *= 2.0
        scores -= weights.sum(axis=0)
    return scores


def coded(values: Array, coding: Coding) -> Floats:
    """Return code or answers as least squares take them."""
    if coding not in ("signs", "binary"):
        raise InputError(f"coding={coding!r}: choose 'signs' or 'binary'")
    return signs(values) if coding == "signs" else np.asarray(values, np.float64)


def weights_of(code: Array, lam: float, coding: Coding) -> Floats:
    """Return the weights W of scores f W, (B, k)."""
    matrix = coded(code, coding)
    if lam == inf:
        return np.asarray(matrix.T / matrix.shape[1])
    left, size, right = np.linalg.svd(matrix, full_matrices=False)
    # Directions that the code lacks get no weight, however small the penalty: minimum norm.
    size[size <= size[0] * max(matrix.shape) * np.finfo(np.float64).eps] = 0.0
    scale = size / np.where(size > 0, size**2 + lam, 1.0)
    return np.asarray((right.T * scale) @ left.T, np.float64)


def check_lam(lam: Any) -> float:
    """Return the penalty as a float from 0 to infinity."""
    if isinstance(lam, (str, bool)) or not np.isscalar(lam) or not lam >= 0:  # type: ignore[operator]
        raise InputError(f"lam={lam!r}: the penalty is a number, 0 to infinity")
    return float(lam)  # type: ignore[arg-type]


Rule = Literal["honest", "closed", "gcv"]
# 10^0 to 10^4 in quarters of a decade, and infinity, which is L1.
GRID: tuple[float, ...] = (*np.logspace(0, 4, 17).tolist(), inf)


@dataclass(frozen=True)
class Penalty(Shown):
    """The penalty that `choose_lam` chose, and from what.

    Parameters
    ----------
    lam : float
        The penalty, 0 to infinity.
    rule : {'honest', 'closed', 'gcv'}
        The rule that chose it.
    noise : float
        Mean squared distance of the answers from the words of the true classes.
    grid : tuple of float
        The penalties that were tried; none with `closed`.
    values : tuple of float
        The error rate (`honest`) or the criterion (`gcv`) at each value of the grid.

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


def choose_lam(
    p: ArrayLike,
    y_true: ArrayLike,
    code: ArrayLike,
    rule: Rule = "honest",
    coding: Coding = "signs",
) -> Penalty:
    """Choose the penalty of ridge decoding from out-of-sample answers.

    `honest`: of 10^0 to 10^4 and infinity the one with the fewest errors, ties to the larger.
    `closed`: lam = 4 k s2, s2 = mean (p_j - Z_yj)^2. `gcv`: of the same grid the least mean over
    rows of RSS / (1 - tr H / B)^2, H = M'(M M' + lam I)^-1 M. In 0 and 1 `closed` is k s2, as
    signs are twice as far apart, and M is Z. Answers for training rows would be near the words:
    lam near 0, and decoding by noise.

    Parameters
    ----------
    p : array-like
        Answers, (n, B), for rows that the columns were not trained on.
    y_true : array-like
        Class of each row as its number, 0 to k - 1.
    code : array-like
        The code, (k, B): 0 and 1, a row a class and a column a binary problem.
    rule : {'honest', 'closed', 'gcv'}, default 'honest'
        How it is chosen.
    coding : {'signs', 'binary'}, default 'signs'
        The coding of `ridge` that it is for.

    Returns
    -------
    Penalty
        The penalty, and what was tried.

    Raises
    ------
    InputError
        If shapes do not fit, or there is no such rule.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> code = rng.integers(0, 2, (4, 12))
    >>> y = rng.integers(0, 4, 300)
    >>> p = np.clip(code[y] + rng.normal(0, 0.5, (300, 12)), 0, 1)
    >>> round(choose_lam(p, y, code, "closed").lam, 2)
    1.85

    References
    ----------
    Hoerl, Kennard and Baldwin (1975), Communications in Statistics 4, 105-123 (the closed form);
    Golub, Heath and Wahba (1979), Technometrics 21, 215-223 (GCV).
    """
    p, code = answers(p, code)
    y_true, matrix = np.asarray(y_true), coded(code, coding)
    if p.ndim != 2 or y_true.shape != p.shape[:1] or y_true.size == 0:
        raise InputError(f"p has shape {p.shape}, y_true {y_true.shape}: give a class for each row")
    noise = float(np.mean((p - code[y_true]) ** 2))
    if rule == "closed":
        return Penalty((4 if coding == "signs" else 1) * len(code) * noise, rule, noise)
    if rule == "honest":
        values = _error_rates(p, y_true, matrix, coding)
    elif rule == "gcv":
        values = _cross_validation(coded(p, coding), matrix)
    else:
        raise InputError(f"rule={rule!r}: choose one of honest, closed, gcv")
    best = max(lam for lam, value in zip(GRID, values, strict=True) if value == min(values))
    return Penalty(best, rule, noise, GRID, tuple(values))


def _error_rates(p: Floats, y_true: Array, matrix: Floats, coding: Coding) -> list[float]:
    """Return the error rate with each penalty of the grid."""
    size, turn = np.linalg.eigh(matrix @ matrix.T)
    turned = linear(p, matrix.T, coding) @ turn
    labels = [((turned / (1 + size / lam)) @ turn.T).argmax(axis=1) for lam in GRID]
    return [float(np.mean(y_pred != y_true)) for y_pred in labels]


def _cross_validation(f: Floats, matrix: Floats) -> list[float]:
    """Return the generalised cross-validation criterion with each penalty of the grid."""
    _, size, turn = np.linalg.svd(matrix, full_matrices=False)
    inside = ((f @ turn.T) ** 2).mean(axis=0)
    outside = (f**2).sum(axis=1).mean() - inside.sum()
    left = 1 / (1 + size**2 / np.array(GRID)[:, None])  # what the penalty leaves of residuals
    freedom = (1 - left).sum(axis=1)
    values = (outside + left**2 @ inside) / (1 - freedom / f.shape[1]) ** 2
    return list(values.tolist())
