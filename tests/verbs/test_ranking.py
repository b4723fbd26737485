"""Which rankings are possible where models fail, against all subsets of models."""

from itertools import combinations, pairwise

import numpy as np

from heliast.verbs.benchmarked import possible

NAMES = "abcdef"


def test_each_step_leaves_out_one_more_and_gains_data_sets() -> None:
    rng = np.random.default_rng(4)
    for _ in range(60):
        lacking = [[name for name in NAMES if rng.random() < 0.15] for _ in range(12)]
        found = possible(lacking, NAMES)
        assert found[0].without == ()
        for before, after in pairwise(found):
            assert set(before.without) < set(after.without)
            assert before.sets < after.sets
        for one in found:
            whole = sum(set(these) <= set(one.without) for these in lacking)
            assert (one.models, one.sets) == (len(NAMES) - len(one.without), whole)
            assert one.models >= 2


def test_one_model_left_out_is_the_best_one_to_leave_out() -> None:
    """Where each data set lacks at most one model, no other choice of as many gains more."""
    rng = np.random.default_rng(5)
    for _ in range(60):
        picks = rng.integers(0, 9, 12)
        lacking = [[NAMES[at]] if at < 4 else [] for at in picks]
        for one in possible(lacking, NAMES):
            most = max(
                sum(set(these) <= set(gone) for these in lacking)
                for gone in combinations(NAMES, len(one.without))
            )
            assert one.sets == most


def test_two_models_stay() -> None:
    assert [one.without for one in possible([["a"], ["b"], []], "ab")] == [()]
