"""Random codes that waste no column."""

import warnings
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Seed
from heliast._core.told import told
from heliast.codes.matrix import (
    Code,
    check_columns,
    check_k,
    dichotomies,
    equal_rows,
    sides,
    tells_apart,
    too_few,
    wasted_columns,
)

TRIES = 10_000
"""Far more than needed: the rarest case (4 classes, 6 columns) succeeds once in about 50."""


@told(returns="array: The code, (k, columns).", raises="If `k` or `columns` is too small.")
def random(k: int, columns: int, seed: Seed = None, iid: bool = False) -> Code:
    """A code drawn at random: any class on either side, no column wasted.

    Uniform among the codes without a constant column, without a column that repeats or complements
    another while there are others (there are 2^(k-1) - 1), and without equal rows. With fewer than
    log2 k columns some rows must be equal; a warning says so. `iid=True` draws every entry by a
    fair coin, the law that theorems 2 to 5 of the thesis assume: all of the above may then occur.

    Parameters
    ----------
    k : int
        Number of classes, at least 2.
    columns : int
        Number of columns B, at least 1.
    seed : Seed, optional
        Seed or generator of what is drawn; the same seed gives the same code.
    iid : bool, default False
        Whether each entry is a fair coin, with nothing avoided.

    Examples
    --------
    >>> code = random(4, 5, seed=1)
    >>> code.shape, set(code.sum(axis=0).tolist()) & {0, 4}
    ((4, 5), set())

    References
    ----------
    James (1998), Majority Vote Classifiers, section 2.2.2.
    """
    k, columns = check_k(k), check_columns(columns)
    rng = np.random.default_rng(seed)
    if iid:
        return rng.integers(0, 2, (k, columns))
    if not tells_apart(k, columns):
        warnings.warn(too_few("random", k, columns), stacklevel=2)
        return _oriented(_questions(k, columns, rng), rng)
    return _distinct(k, columns, rng)


def _distinct(k: int, columns: int, rng: np.random.Generator) -> Code:
    """Draw words or questions without repeats, whichever can repeat less, until both hold."""
    few = columns < 40 and 2**columns <= 4 * k * k and columns <= dichotomies(k)
    for _ in range(TRIES):
        if few:
            found = _words(k, columns, rng)
            if wasted_columns(found) == (0, 0):
                return found
        else:
            found = _oriented(_questions(k, columns, rng), rng)
            if not equal_rows(found):
                return found
    raise InputError(  # pragma: no cover - see TRIES
        f"no code of {columns} columns for {k} classes found; take more columns"
    )


def _words(k: int, columns: int, rng: np.random.Generator) -> Code:
    words = rng.choice(2**columns, k, replace=False)
    return words[:, None] >> np.arange(columns)[None, :] & 1


def _questions(k: int, columns: int, rng: np.random.Generator) -> Code:
    """Columns with class 0 on side 0, none twice before all others were there."""
    if columns >= dichotomies(k) // 4:
        return _all_questions(k, columns, rng)
    found: dict[bytes, Any] = {bytes(k): None}
    while len(found) <= columns:
        more = np.ascontiguousarray(sides(rng.integers(0, 2, (k, columns), np.uint8)).T)
        for column in more:
            if len(found) <= columns:
                found.setdefault(column.tobytes(), column)
    return np.stack([column for column in found.values() if column is not None], 1).astype(np.int64)


def _all_questions(k: int, columns: int, rng: np.random.Generator) -> Code:
    """The same where there are few questions: all of them in random order, again and again."""
    rounds = -(-columns // dichotomies(k))
    order = [rng.permutation(dichotomies(k)) + 1 for _ in range(rounds)]
    numbers = np.concatenate(order)[:columns]
    return numbers[None, :] << 1 >> np.arange(k)[:, None] & 1


def _oriented(code: Code, rng: np.random.Generator) -> Code:
    """Which side is called 1 is drawn for each column."""
    return code ^ rng.integers(0, 2, code.shape[1])
