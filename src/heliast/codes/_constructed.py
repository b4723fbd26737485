"""Codes that need no search: identity, exhaustive, Hadamard and random."""

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Seed
from heliast.codes.matrix import (
    Code,
    Rng,
    bits,
    check_count,
    dichotomies,
    warn_if_short,
    wasted_columns,
    without_waste,
)


def identity(k: int) -> Code:
    """One-vs-rest code: one column per class, all rows differ in 2 columns.

    Bayes consistent, but with little redundancy: no wrong column can be corrected.

    Parameters
    ----------
    k : int
        Number of classes, at least 2.

    Returns
    -------
    array
        The code, (k, k).

    Raises
    ------
    InputError
        If `k` is below 2.

    Examples
    --------
    >>> identity(3)
    array([[1, 0, 0],
           [0, 1, 0],
           [0, 0, 1]])
    """
    return np.eye(check_count("k", k, 2), dtype=np.int64)


LARGEST = 12  # classes of an exhaustive code; 13 would already need 4,095 columns


def exhaustive(k: int) -> Code:
    """Code of all 2^(k-1) - 1 ways to put k classes on two sides.

    All rows differ in 2^(k-2) columns, so that the code is Bayes consistent. The first class is
    always on side 1.

    Parameters
    ----------
    k : int
        Number of classes, 2 to 12.

    Returns
    -------
    array
        The code, (k, 2^(k-1) - 1).

    Raises
    ------
    InputError
        If `k` is outside 2 to 12.

    Examples
    --------
    >>> exhaustive(3)
    array([[1, 1, 1],
           [0, 0, 1],
           [0, 1, 0]])

    References
    ----------
    Dietterich and Bakiri (1995), Journal of Artificial Intelligence Research 2, 263-286.
    """
    k = check_count("k", k, 2)
    if k > LARGEST:
        raise InputError(
            f"codes.exhaustive(k={k}) would need {dichotomies(k):,} columns; it stops at "
            f"k={LARGEST}. Take codes.hadamard, codes.designed or codes.random"
        )
    others = np.arange(dichotomies(k))  # the other classes on side 1, as bits; never all of them
    return np.vstack([np.ones_like(others), bits(others, k - 1)[::-1]])


def hadamard(k: int) -> Code:
    """k rows of a Hadamard matrix of order n without its constant column: n - 1 columns.

    n is the smallest power of 2 that is at least k. All rows differ in n/2 columns, so that the
    code is Bayes consistent (theorem 1 of the thesis) with fewer than 2k columns.

    Parameters
    ----------
    k : int
        Number of classes, at least 2.

    Returns
    -------
    array
        The code, (k, n - 1).

    Raises
    ------
    InputError
        If `k` is below 2.

    Examples
    --------
    >>> hadamard(4)
    array([[1, 1, 1],
           [0, 1, 0],
           [1, 0, 0],
           [0, 0, 1]])
    >>> hadamard(26).shape
    (26, 31)

    References
    ----------
    Sylvester (1867), Philosophical Magazine 34, 461-475.
    """
    k = check_count("k", k, 2)
    order = 1 << (k - 1).bit_length()
    # Rows 0, 1, 2, 4, ... are among the first k: so no column is constant and no two are equal.
    # Class 0 is on side 1 everywhere: a word of zeros would be invisible to least squares.
    return 1 - parity(np.arange(k)[:, None] & np.arange(1, order))


def parity(numbers: Code) -> Code:
    """Return whether each number has an odd count of ones in binary."""
    return np.bitwise_count(numbers).astype(np.int64) & 1


def random(k: int, columns: int, seed: Seed = None, iid: bool = False) -> Code:
    """Random code that wastes no column.

    Uniform among the codes without a constant column, without a column that repeats or complements
    another while there are others (there are 2^(k-1) - 1), and without equal rows. With fewer than
    log2 k columns some rows must be equal; a warning says so. `iid=True` draws each entry as a fair
    coin, the distribution that theorems 2 to 5 of the thesis assume: all of the above may occur.

    Parameters
    ----------
    k : int
        Number of classes, at least 2.
    columns : int
        Number of columns B, at least 1.
    seed : Seed, optional
        Seed or generator; the same seed gives the same code.
    iid : bool, default False
        Whether each entry is an independent fair coin.

    Returns
    -------
    array
        The code, (k, columns).

    Raises
    ------
    InputError
        If `k` or `columns` is too small.

    Examples
    --------
    >>> code = random(4, 5, seed=1)
    >>> code.shape, set(code.sum(axis=0).tolist()) & {0, 4}
    ((4, 5), set())

    References
    ----------
    James (1998), Majority Vote Classifiers, section 2.2.2.
    """
    k, columns = check_count("k", k, 2), check_count("columns", columns, 1)
    rng = np.random.default_rng(seed)
    if iid:
        return rng.integers(0, 2, (k, columns))
    warn_if_short("random", k, columns)
    return draw_code(k, columns, rng)


def draw_code(k: int, columns: int, rng: Rng) -> Code:
    """Draw rows or columns without repeats, whichever can repeat less, until neither does.

    Such a code always exists; the rarest case (4 classes, 6 columns) takes about 50 draws.
    """
    distinct = 2**columns >= k
    few_words = distinct and columns <= dichotomies(k) and columns < 40 and 2**columns <= 4 * k * k
    while True:
        if few_words:
            code = bits(rng.choice(2**columns, k, replace=False), columns).T
            accepted = wasted_columns(code) == (0, 0)
        else:
            code = _draw_columns(k, columns, rng) ^ rng.integers(0, 2, columns)
            accepted = not distinct or len(np.unique(code, axis=0)) == k
        if accepted:
            return np.ascontiguousarray(code)


def _draw_columns(k: int, columns: int, rng: Rng) -> Code:
    """Draw columns with class 0 on side 0, none twice before all others occurred."""
    if columns >= dichotomies(k) // 4:
        rounds = -(-columns // dichotomies(k))
        numbers = [rng.permutation(dichotomies(k)) + 1 for _ in range(rounds)]
        return bits(np.concatenate(numbers)[:columns] << 1, k)
    code = np.empty((k, 0), np.uint8)
    while code.shape[1] < columns:
        more = rng.integers(0, 2, (k, columns), np.uint8)
        code = without_waste(np.hstack([code, more ^ more[:1]]))
    return code[:, :columns].astype(np.int64)
