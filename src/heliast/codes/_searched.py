"""Codes found by search: designed for separation, or trained on the confusions of a model."""

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import ArrayLike, Floats, Seed
from heliast.codes._constructed import draw_code, parity
from heliast.codes._describe import column_separations, pairs
from heliast.codes.matrix import (
    Code,
    Rng,
    bits,
    check_count,
    dichotomies,
    row_distances,
    warn_if_short,
    wasted_columns,
    without_waste,
)


def designed(k: int, columns: int, seed: Seed = 0) -> Code:
    """Code whose rows, then whose columns, are as far apart as a local search can make them.

    Far rows correct many wrong columns, far columns are different binary problems (a column and its
    complement are the same one). The search flips single entries; it starts from subsets of words
    of lexicographic codes (few columns), from columns that are quadratic functions over a binary
    field, of which each full set is equidistant (many columns), and from random codes. Columns
    beyond all 2^(k-1) - 1 binary problems begin a new round of all.

    No guarantee of a maximum; the thesis finds no gain of designed over random codes once there
    are many columns.

    Parameters
    ----------
    k : int
        Number of classes, at least 2.
    columns : int
        Number of columns B, at least 1.
    seed : Seed, default 0
        Seed or generator; the same seed gives the same code.

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
    >>> from heliast.codes import hamming
    >>> int(hamming(designed(8, 7, seed=0))[~np.eye(8, dtype=bool)].min())
    4

    References
    ----------
    Dietterich and Bakiri (1995), Journal of Artificial Intelligence Research 2, 263-286; Conway and
    Sloane (1986), IEEE Transactions on Information Theory 32, 337-348 (lexicographic codes);
    MacWilliams and Sloane (1977), The Theory of Error-Correcting Codes, chapter 15.
    """
    k, columns = check_count("k", k, 2), check_count("columns", columns, 1)
    rng = np.random.default_rng(seed)
    warn_if_short("designed", k, columns)
    rounds, rest = divmod(columns, dichotomies(k))
    parts = [bits(np.arange(1, dichotomies(k) + 1) << 1, k)] * rounds if rounds else []
    if rest:
        drawn = max((draw_code(k, rest, rng) for _ in range(RANDOM_STARTS)), key=quality)
        starts = [drawn, *_lexicographic_starts(k, rest, rng), *_quadratic_starts(k, rest, rng)]
        parts.append(max((_climb(start, rng) for start in starts), key=quality))
    return np.hstack(parts)


# Larger values gain little on the sizes that are tested.
RANDOM_STARTS = 20  # random codes of which the best is a start
PATIENCE = 150  # steps without gain that end a phase of the search
SHORT = 14  # columns up to which all 2^B words are listed for a lexicographic code
SUBSETS = 100  # choices of k words that are tried
SWAPS = 2000  # exchanges of a column that are tried
FAR = 1 << 20  # more than any distance or count

Places = int | Code
Flip = tuple[int | None, int | None]


def quality(code: Code) -> tuple[int, int, int]:
    """Return (no wasted column, smallest row distance, smallest column separation)."""
    rows, columns = pairs(row_distances(code)), pairs(column_separations(code))
    return -sum(wasted_columns(code)), rows.min(), columns.min(initial=len(code))


def _climb(code: Code, rng: Rng) -> Code:
    """Move rows apart, then columns, then rows again; return the best code on the way."""
    code = code.copy()
    rows, columns = row_distances(code), row_distances(code.T)
    np.fill_diagonal(rows, FAR)
    np.fill_diagonal(columns, FAR)
    best, best_quality = code.copy(), quality(code)
    for step in (_move_row, _move_column, _move_row):
        idle = 0
        while idle < PATIENCE:
            i, j = step(code, rows, columns, rng)
            if i is not None and j is not None:
                rows[i] = rows[:, i] = _after(code, rows, i, j)
                columns[j] = columns[:, j] = _after(code.T, columns, j, i)
                code[i, j] ^= 1
            idle += 1
            smallest = rows.min(), _separations(columns, len(code)).min()
            better = best_quality[0] < 0 or smallest > best_quality[1:]
            if better and (now := quality(code)) > best_quality:
                best, best_quality, idle = code.copy(), now, 0
    return best


def _move_row(code: Code, rows: Code, columns: Code, rng: Rng) -> Flip:
    """Choose the best flip in a row that is nearest to another; columns stay as separated."""
    i, other = rng.choice(np.argwhere(rows == rows.min()))
    after = _separations_after(code, columns, i, np.arange(code.shape[1]))
    stays = after.min(axis=1) >= _separations(columns, len(code)).min()
    places = np.flatnonzero((code[i] == code[other]) & stays)
    return i, _choose(places, _after(code, rows, i, places), rows[i], rows.min(), rng)


def _move_column(code: Code, rows: Code, columns: Code, rng: Rng) -> Flip:
    """Choose the best flip in a column that is nearest to another; rows stay as far apart."""
    separations = _separations(columns, len(code))
    j, _ = rng.choice(np.argwhere(separations == separations.min()))
    places = np.flatnonzero(_after(code, rows, np.arange(len(code)), j).min(axis=1) >= rows.min())
    after = _separations_after(code, columns, places, j)
    return _choose(places, after, separations[j], FAR, rng), j


def _after(code: Code, rows: Code, i: Places, j: Places) -> Code:
    """Return the distances from row i if its entry in column j were flipped; i or j are several."""
    step: Code = 2 * (code[i, j][..., None] == code[:, j].T) - 1
    return rows[i] + step


def _separations(columns: Code, k: int) -> Code:
    return np.minimum(columns, np.abs(k - columns))


def _separations_after(code: Code, columns: Code, i: Places, j: Places) -> Code:
    """Return the separations of column j if its entry in row i were flipped."""
    after = _separations(_after(code.T, columns, j, i), len(code))
    ones = code[:, j].sum(axis=0) + 1 - 2 * code[i, j]
    after[ones % len(code) == 0] = -1  # worse than any: a constant column
    return after


def _choose(places: Code, after: Code, now: Code, ceiling: int, rng: Rng) -> int | None:
    """Draw the place of one of the best rows of `after`; None if none is as good as `now`."""
    if not places.size:
        return None
    worth = _worth(after, ceiling)
    choice = rng.choice(np.flatnonzero(worth == worth.max()))
    return int(places[choice]) if worth[choice] >= _worth(now, ceiling) else None


def _worth(distances: Code, ceiling: int = FAR) -> Code:
    """Rank by the smallest distance, then by how few are as small (or as `ceiling`, if smaller)."""
    least = distances.min(axis=-1)
    count = (distances == np.minimum(least, ceiling)[..., None]).sum(axis=-1)
    worth: Code = least * FAR - count
    return worth


def _lexicographic_starts(k: int, columns: int, rng: Rng) -> list[Code]:
    """Choose k words of the lexicographic code of the largest distance that has so many."""
    if columns > SHORT or 2**columns < k:
        return []
    words: list[int] = []
    distance = columns
    while len(words) < k:
        left, words = np.arange(2**columns), []
        while left.size and len(words) < 16 * k:
            words.append(left[0])
            left = left[np.bitwise_count(left ^ left[0]) >= distance]
        distance -= 1
    choices = [
        bits(rng.permutation(words)[:k] ^ rng.integers(2**columns), columns).T
        for _ in range(SUBSETS)
    ]
    return [max(choices, key=lambda code: quality(code)[::2])]


# A primitive polynomial over the field of two elements for each degree, as bits.
POLYNOMIALS = {2: 7, 3: 11, 4: 19, 5: 37, 6: 67, 7: 131, 8: 285, 9: 529, 10: 1033}


def _quadratic_starts(k: int, columns: int, rng: Rng) -> list[Code]:
    """Columns x -> trace(a x^3) + b.x over a binary field, the classes being points x.

    For a fixed a, all b together make every two points differ in exactly half of the columns, and
    columns of different a differ in nearly half of the points: so full sets are taken, and for the
    rest a choice from one set more, or two.
    """
    degree = max(2, (k - 1).bit_length())
    size = 2**degree
    if degree not in POLYNOMIALS or columns > size**2 // 2:
        return []
    points = rng.permutation(size)[:k]
    full = (columns + 1) // size
    starts = []
    for sets in (full + 1, full + 2):
        table = without_waste(_quadratic_columns(degree, points, min(size, sets)))
        if table.shape[1] >= columns:  # the set a = 0 lacks its constant column
            starts.append(_complete(table, max(0, full * size - 1), columns, rng))
    return starts


def _quadratic_columns(degree: int, points: Code, sets: int) -> Code:
    """(points, sets 2^degree): trace(a x^3) + b.x for a below `sets` and each b."""
    cubes = _multiply(points, _multiply(points, points, degree), degree)
    power = trace = _multiply(np.arange(sets)[:, None], cubes, degree)
    for _ in range(degree - 1):
        power = _multiply(power, power, degree)
        trace = trace ^ power
    linear = parity(points[:, None] & np.arange(2**degree))
    return np.hstack([linear ^ values[:, None] & 1 for values in trace])


def _multiply(a: Code, b: Code, degree: int) -> Code:
    """Multiply in the field of 2^degree elements."""
    product = np.zeros_like(a * b)
    for bit in range(degree):
        product ^= (b >> bit & 1) * a
        a = a << 1
        a = a ^ (a >> degree) * POLYNOMIALS[degree]
    return product


def _complete(table: Code, fixed: int, columns: int, rng: Rng) -> Code:
    """The first `fixed` columns, and of the others a choice that leaves the nearest rows far apart.

    The choice is improved by exchanging one column at a time.
    """
    size = table.shape[1]
    order = np.concatenate([np.arange(fixed), fixed + rng.permutation(size - fixed)])
    if columns in (fixed, size):
        return table[:, order[:columns]]
    rows = row_distances(table[:, order[:columns]])
    np.fill_diagonal(rows, FAR)
    for _ in range(SWAPS):
        out, into = rng.integers(fixed, columns), rng.integers(columns, size)
        gone, come = table[:, order[out]], table[:, order[into]]
        after = rows + (come[:, None] != come) - (gone[:, None] != gone)
        if _worth(after.ravel()) >= _worth(rows.ravel()):
            rows = after
            order[[out, into]] = order[[into, out]]
    return table[:, order[:columns]]


BASE_ERROR = 0.2  # error rate of a column; a few points more or less hardly change the code
ROUNDS = 30  # passes over all entries at most; the search usually settles in fewer than ten


def trained(confusion: ArrayLike, columns: int, seed: Seed = 0) -> Code:
    """Code of easy binary problems: classes that a first model confuses are more often on one side.

    `confusion` (k, k) is an out-of-sample confusion matrix, rows being true classes. Class i is
    decoded as l with a probability of at most rho^D_il, rho = 2 sqrt(e (1 - e)), if each of the
    D_il columns in which they differ errs with e = 0.2; the search flips single entries of a random
    code to lower the sum of w_il rho^D_il, w_il = 1 / sqrt(s_il), with s_il the share of rows of i
    and l that were confused (one half added to each count). No constant column results, and none
    repeats or complements another unless there are no others.

    To part confused classes more than others (w rising in s) was tried and is worse than no
    training: it makes every binary problem hard. Gains are small, as the thesis expects;
    `docs/codes.md` has figures.

    Parameters
    ----------
    confusion : array-like
        Confusion matrix, (k, k): rows of a class (row) predicted as another (column).
    columns : int
        Number of columns B, at least 1.
    seed : Seed, default 0
        Seed or generator; the same seed gives the same code.

    Returns
    -------
    array
        The code, (k, columns).

    Raises
    ------
    InputError
        If `confusion` is not a square of counts.

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
    counts, columns = np.asarray(confusion, np.float64), check_count("columns", columns, 1)
    k = len(np.atleast_1d(counts))
    if k < 2 or counts.shape != (k, k) or not (np.isfinite(counts) & (counts >= 0)).all():
        raise InputError(
            f"confusion has shape {counts.shape}: give a square of finite counts >= 0, with a row "
            "and a column for each of two or more classes"
        )
    n = counts.sum(axis=1)
    weight = 1 / np.sqrt((counts + counts.T + 1) / (n[:, None] + n + 2))
    np.fill_diagonal(weight, 0.0)
    rng = np.random.default_rng(seed)
    code = draw_code(k, columns, rng)
    allowed = wasted_columns(code)
    for _ in range(ROUNDS):
        before = code.copy()
        for i in rng.permutation(k):
            _flip_best(code, i, weight[i], allowed)
        if np.array_equal(before, code):
            break
    return code


def _flip_best(code: Code, i: int, weight: Floats, allowed: tuple[int, int]) -> None:
    """Flip the entry of row i that lowers the sum most, if any does and wastes no column."""
    decay = np.log(2 * np.sqrt(BASE_ERROR * (1 - BASE_ERROR)))
    distance = row_distances(code)[i]
    distance[i] = distance.max()  # not near itself: its weight is 0, and the rest would underflow
    terms = weight * np.exp(decay * (distance - distance.min()))
    step = 2 * (code[i] == code) - 1  # (k, B): what a flip does to each distance
    change = terms @ np.expm1(decay * step)
    for column in np.argsort(change):
        if change[column] >= -1e-12 * terms.sum():
            return
        code[i, column] ^= 1
        if wasted_columns(code) <= allowed:
            return
        code[i, column] ^= 1
