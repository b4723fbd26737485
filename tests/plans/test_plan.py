import inspect
import pickle

import numpy as np
import pytest
from tests.plans.tables import classes, numbers

from heliast import InputError, plans
from heliast.data import simulate
from heliast.plans import (
    Bootstrap,
    Expanding,
    FiveByTwo,
    Fresh,
    FrozenPlan,
    Holdout,
    KFold,
    LabelNoise,
    LearningCurve,
    LeaveOneOut,
    NestedFolds,
    PairedSubsampling,
    Plan,
    ReplaceOne,
    Rolling,
    Subsampling,
    ThreeWay,
    as_plan,
)  # fmt: skip

EVERY = [
    Holdout(), ThreeWay(), Subsampling(3), KFold(4, repeats=2), LeaveOneOut(), Bootstrap(3),
    NestedFolds(3, repeats=2), PairedSubsampling(2, 2), FiveByTwo(), Fresh(3, n_train=12),
    as_plan(__import__("sklearn.model_selection").model_selection.ShuffleSplit(3)),
    LearningCurve(KFold(3)), LabelNoise(KFold(3)), ReplaceOne(4),
    Rolling(10, 5), Expanding(10, 5),
]  # fmt: skip
FIXED = (LeaveOneOut, Rolling, Expanding)
RANDOM = [plan for plan in EVERY if not isinstance(plan, FIXED)]
DATA = simulate.two_gaussians(bayes_error=0.2).sample(40, seed=1)


def test_every_plan_is_looked_at_here():
    kinds = {
        kind
        for _, kind in inspect.getmembers(plans, inspect.isclass)
        if issubclass(kind, Plan) and kind is not Plan
    }
    assert kinds == {type(plan) for plan in EVERY}


@pytest.mark.parametrize("plan", EVERY, ids=repr)
def test_same_seed_same_splits(plan):
    first, second = plan.on(DATA, 7), plan.on(DATA, 7)
    assert first.fingerprint == second.fingerprint
    assert first.splits == second.splits
    assert first.plan == repr(plan)
    for a, b in zip(first, second, strict=True):
        assert a.train.tolist() == b.train.tolist()
        assert a.test.tolist() == b.test.tolist()


@pytest.mark.parametrize("plan", RANDOM, ids=repr)
def test_other_seed_other_splits(plan):
    assert plan.on(DATA, 1).fingerprint != plan.on(DATA, 2).fingerprint


@pytest.mark.parametrize("plan", EVERY, ids=repr)
def test_frozen_plans_travel_to_workers(plan):
    frozen = plan.on(DATA, 3)
    again = pickle.loads(pickle.dumps(frozen))
    assert again.fingerprint == frozen.fingerprint


@pytest.mark.parametrize("plan", EVERY, ids=repr)
def test_the_global_generator_is_left_alone(plan):
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    plan.on(DATA, 3)
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002


def test_different_plans_differ():
    data = classes([20, 20])
    marks = [plan.on(data, 1).fingerprint for plan in EVERY if not isinstance(plan, Fresh)]
    assert len(set(marks)) == len(marks)


def test_equal_splits_have_equal_fingerprints_whatever_made_them():
    from sklearn.model_selection import LeaveOneOut as Theirs

    data = numbers(9)
    assert as_plan(Theirs()).on(data).fingerprint == LeaveOneOut().on(data).fingerprint


def test_a_frozen_plan_is_a_sequence_of_pieces_and_a_side_table():
    frozen = KFold(4).on(DATA, 1)
    assert isinstance(frozen, FrozenPlan)
    assert len(frozen) == len(list(frozen)) == len(frozen.splits) == 4
    assert frozen.splits is frozen.splits
    assert frozen.n == 40


@pytest.mark.parametrize("plan", [p for p in EVERY if not isinstance(p, Fresh)], ids=repr)
def test_one_row_is_refused(plan):
    with pytest.raises(InputError, match="at least two rows"):
        plan.on(classes([1]))


def test_equal_plans_are_equal():
    assert KFold(10) == KFold() == KFold(k=10, repeats=1)
    assert KFold(10) != KFold(10, repeats=2)
    assert LearningCurve(KFold(), [0.5, 1.0]) == LearningCurve(KFold(), (0.5, 1.0))
    assert len({KFold(3), KFold(3), Holdout()}) == 2
