"""Codes of questions that a first model finds easy."""

import warnings

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.kinds import Seed
from heliast._core.told import told
from heliast.codes._describe import between_rows
from heliast.codes._random import random
from heliast.codes.matrix import Code, check_columns, check_k, wasted_columns

BASE_ERROR = 0.2
"""How often a column is taken to err: a few points more or less hardly change the code."""
ROUNDS = 30
"""Passes over all entries at most; the search usually settles in fewer than ten."""


@told(
    random,
    returns="array: The code, (k, columns).",
    raises="If `confusion` is not a square of counts.",
)
def trained(confusion: npt.ArrayLike, columns: int, seed: Seed = 0) -> Code:
    """A code of easy questions: classes that a first model confuses are more often on one side.

    `confusion` (k, k) counts the rows of a class (row) that were taken for another (column), from
    honest predictions. Class i is decoded as l with a probability of at most rho^D_il,
    rho = 2 sqrt(e (1 - e)), if each of the D_il columns in which they differ errs with e = 0.2; the
    search flips single entries of a random code to lower the sum of w_il rho^D_il,
    w_il = 1 / sqrt(s_il), with s_il the share of rows of i and l that were confused (one half added
    to each count). No constant column results, and none repeats or complements another unless
    there are no others.

    To part confused classes more than others (w rising in s) was tried and is worse than no
    training: it makes every question hard. Gains are small, as the thesis expects; `docs/codes.md`
    has figures.

    Parameters
    ----------
    confusion : array-like
        Counts, (k, k): rows of a class (row) taken for another (column).
    seed : Seed, default 0
        Seed or generator of what is drawn; the same seed gives the same code.

    Examples
    --------
    >>> counts = 20 * np.eye(10, dtype=int)
    >>> counts[0, 1] = counts[1, 0] = 15
    >>> from heliast.codes import hamming
    >>> apart = hamming(trained(counts, 20, seed=0))
    >>> bool(apart[0, 1] < apart[0, 2:].min())
    True

    References
    ----------
    James (1998), Majority Vote Classifiers, section 2.2.3; Chernoff (1952), Annals of Mathematical
    Statistics 23, 493-507 (the bound on a wrong majority).
    """
    weight = _weights(confusion)
    k, columns = check_k(weight.shape[0]), check_columns(columns)
    rng = np.random.default_rng(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        code = random(k, columns, rng)
    return _settled(code, weight, rng)


def _weights(confusion: npt.ArrayLike) -> npt.NDArray[np.float64]:
    counts = np.asarray(confusion, np.float64)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or counts.shape[0] < 2:
        raise InputError(f"confusion has shape {counts.shape}: give a row and a column a class")
    if not (np.isfinite(counts).all() and (counts >= 0).all()):
        raise InputError("confusion: counts are finite and not negative")
    rows = counts.sum(axis=1)
    share = (counts + counts.T + 1) / (rows[:, None] + rows[None, :] + 2)
    found: npt.NDArray[np.float64] = 1 / np.sqrt(share)
    np.fill_diagonal(found, 0.0)
    return found


def _settled(code: Code, weight: npt.NDArray[np.float64], rng: np.random.Generator) -> Code:
    """Flip entries as long as one of a row lowers the sum."""
    k = code.shape[0]
    decay = np.log(2 * np.sqrt(BASE_ERROR * (1 - BASE_ERROR)))
    allowed = wasted_columns(code)
    for _ in range(ROUNDS):
        before = code.copy()
        for i in rng.permutation(k):
            _improve(code, int(i), weight, decay, allowed)
        if np.array_equal(before, code):
            break
    return code


def _improve(
    code: Code, i: int, weight: npt.NDArray[np.float64], decay: float, allowed: tuple[int, int]
) -> None:
    """Flip the entry of row i that lowers the sum most, if there is one and no column is wasted."""
    distance = between_rows(code)[i]
    distance[i] = distance.max()  # not near itself: its weight is 0, and the rest would underflow
    now = weight[i] * np.exp(decay * (distance - distance.min()))
    step = 2 * (code[i] == code) - 1  # (k, B): what a flip does to each distance
    change = now @ np.expm1(decay * step)
    for b in np.argsort(change):
        if change[b] >= -1e-12 * now.sum():
            return
        code[i, b] ^= 1
        if wasted_columns(code) <= allowed:
            return
        code[i, b] ^= 1
