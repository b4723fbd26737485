"""Codes searched for separation."""

import warnings

import numpy as np

from heliast._core.kinds import Seed
from heliast._core.told import told
from heliast.codes._designed_search import Search, quadratic, quality, rounds, words
from heliast.codes._random import random
from heliast.codes.matrix import Code, check_columns, check_k, dichotomies, tells_apart, too_few

RANDOM_STARTS = 20
"""The best of so many random codes is a start; the constructed ones are usually better."""


@told(random, returns="array: The code, (k, columns).", raises="If `k` or `columns` is too small.")
def designed(k: int, columns: int, seed: Seed = 0) -> Code:
    """A code whose nearest rows are as far apart as a search can make them, then its columns.

    Far rows correct many wrong columns, far columns ask different questions (a column and its
    complement ask the same). The search flips single entries; it starts from subsets of words of
    lexicographic codes (few columns), from columns that are quadratic functions over a binary
    field, of which every full set is equidistant (many columns), and from random codes. Columns
    beyond all 2^(k-1) - 1 questions begin a new round of all.

    The same `seed` gives the same code. No guarantee of a maximum; the thesis finds no gain of
    designed over random codes once there are many columns.

    Parameters
    ----------
    seed : Seed, default 0
        Seed or generator of what is drawn; the same seed gives the same code.

    Examples
    --------
    >>> from heliast.codes import hamming
    >>> int(hamming(designed(8, 7, seed=0))[~np.eye(8, dtype=bool)].min())
    4

    References
    ----------
    Dietterich and Bakiri (1995), Journal of Artificial Intelligence Research 2, 263-286; Conway and
    Sloane (1986), IEEE Transactions on Information Theory 32, 337-348 (lexicographic codes);
    MacWilliams and Sloane (1977), The Theory of Error-Correcting Codes, chapter 15.
    """
    k, columns = check_k(k), check_columns(columns)
    rng = np.random.default_rng(seed)
    if not tells_apart(k, columns):
        warnings.warn(too_few("designed", k, columns), stacklevel=2)
    full, rest = divmod(columns, dichotomies(k))
    parts = [rounds(k, full)] if full else []
    if rest:
        parts.append(_searched(k, rest, rng))
    return np.hstack(parts)


def _searched(k: int, columns: int, rng: np.random.Generator) -> Code:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that few columns make equal rows is said once, above
        drawn = max((random(k, columns, rng) for _ in range(RANDOM_STARTS)), key=quality)
    starts = [drawn, *words(k, columns, rng), *quadratic(k, columns, rng)]
    return max((Search(start, rng).best() for start in starts), key=quality)
