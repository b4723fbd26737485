"""Designed and trained codes."""

import numpy as np
import pytest

from heliast import InputError, codes
from heliast.codes.matrix import wasted_columns

DRAWS = 10_000


def best_of_random(k, columns, seed):
    """(smallest row distance, smallest column separation), each the best of 10,000 codes.

    Among those that waste no column, as only such are sought.
    """
    rng = np.random.default_rng(seed)
    signs = rng.integers(0, 2, (DRAWS, k, columns)).astype(np.float32) * 2 - 1
    rows = (columns - np.einsum("dib,djb->dij", signs, signs, optimize=True)) / 2
    rows[:, np.arange(k), np.arange(k)] = columns
    between = np.abs(np.einsum("dib,dic->dbc", signs, signs, optimize=True))
    between[:, np.arange(columns), np.arange(columns)] = 0
    separation = (k - between.max(axis=(1, 2))) / 2
    whole = (separation > 0) & (np.abs(signs.sum(axis=1)).max(axis=1) < k)
    return rows.min(axis=(1, 2))[whole].max(), separation[whole].max()


@pytest.mark.parametrize(("k", "columns"), [(4, 5), (6, 8), (8, 15), (10, 15), (11, 20), (26, 10)])
def test_at_least_as_separated_as_the_best_of_10_000_random_codes(k, columns):
    code = codes.designed(k, columns, seed=0)
    row, column = best_of_random(k, columns, seed=1)
    assert wasted_columns(code) == (0, 0)
    assert codes.describe(code).row_smallest >= row
    assert codes.describe(code).column_smallest >= column


@pytest.mark.parametrize(
    ("k", "columns", "row"), [(8, 7, 4), (26, 31, 16), (26, 10, 4), (16, 15, 8)]
)
def test_known_optima_are_reached(k, columns, row):
    # Plotkin's bound for the simplex codes; A(10, 4) = 40, and no 26 words have distance 5.
    assert codes.describe(codes.designed(k, columns, seed=3)).row_smallest == row


def test_all_questions_come_before_one_comes_again():
    code = codes.designed(3, 10, seed=0)
    assert wasted_columns(code) == (0, 7)
    assert codes.describe(code).row_smallest == 6  # three rounds, each of distance 2
    assert codes.is_bayes_consistent(codes.designed(4, 14, seed=0))


def test_few_columns_say_so():
    with pytest.warns(UserWarning, match=r"codes.designed\(k=26, columns=3\)"):
        codes.designed(26, 3)


def test_same_seed_same_code():
    assert np.array_equal(codes.designed(9, 20, 5), codes.designed(9, 20, 5))


def confusion(k, pair, share):
    counts = np.full((k, k), 1.0)
    np.fill_diagonal(counts, 100)
    counts[pair] = counts[pair[::-1]] = share
    return counts


def test_trained_asks_easy_questions():
    least, usual = [], []
    for seed in range(10):
        apart = codes.hamming(codes.trained(confusion(8, (2, 5), 60), 20, seed))
        others = apart[~np.eye(8, dtype=bool)]
        assert 0 < apart[2, 5] < np.median(others)
        least.append(others.min())
        usual.append(codes.hamming(codes.random(8, 20, seed))[~np.eye(8, dtype=bool)].min())
    assert np.mean(least) > np.mean(usual)  # of one seed it depends on the processor's rounding


def test_trained_wastes_no_column():
    for seed in range(10):
        code = codes.trained(confusion(5, (0, 1), 50), 12, seed)
        assert wasted_columns(code) == (0, 0)
        assert codes.describe(code).row_smallest > 0


def test_trained_lowers_its_bound():
    counts = confusion(10, (0, 9), 30)
    rate = np.log(0.8)

    def bound(code):
        rows = counts.sum(axis=1)
        share = (counts + counts.T + 1) / (rows[:, None] + rows + 2)
        pairs = np.triu_indices(10, 1)
        return share[pairs] ** -0.5 @ np.exp(rate * codes.hamming(code)[pairs])

    random = min(bound(codes.random(10, 30, seed)) for seed in range(20))
    assert bound(codes.trained(counts, 30, 0)) < random


@pytest.mark.parametrize("wrong", [[[1, 2]], [[1, -1], [0, 1]], [[1, np.nan], [0, 1]], [[1.0]]])
def test_trained_refuses(wrong):
    with pytest.raises(InputError, match="confusion"):
        codes.trained(wrong, 5)
