import numpy as np
import pytest
from sklearn import model_selection as skl
from tests.plans.tables import check_frozen, classes, numbers

from heliast import InputError
from heliast.plans import (
    Bootstrap,
    FiveByTwo,
    FromSklearn,
    Holdout,
    KFold,
    LearningCurve,
    LeaveOneOut,
    NestedFolds,
    Rolling,
    Subsampling,
    ThreeWay,
    as_plan,
)

GROUP = np.repeat(np.arange(10), 3)


@pytest.mark.parametrize(
    "splitter",
    [
        skl.KFold(5),
        skl.KFold(5, shuffle=True, random_state=3),
        skl.StratifiedKFold(3),
        skl.ShuffleSplit(4, test_size=0.3, random_state=1),
        skl.StratifiedShuffleSplit(4, test_size=0.3, random_state=1),
        skl.RepeatedKFold(n_splits=3, n_repeats=2, random_state=5),
        skl.RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=5),
        skl.LeaveOneOut(),
        skl.PredefinedSplit(np.arange(30) % 4 - 1),
        skl.TimeSeriesSplit(3),
    ],
    ids=lambda splitter: type(splitter).__name__,
)
def test_indices_are_the_splitters_own(splitter):
    data = classes([12, 10, 8], inputs=2)
    frozen = as_plan(splitter).on(data, seed=1)
    check_frozen(frozen, data)
    expected = list(splitter.split(data.matrix, data.y))
    assert len(frozen) == len(expected)
    for piece, (train, test) in zip(frozen, expected, strict=True):
        assert piece.train.tolist() == train.tolist()
        assert piece.test.tolist() == test.tolist()


@pytest.mark.parametrize(
    "splitter", [skl.GroupKFold(3), skl.StratifiedGroupKFold(3), skl.LeaveOneGroupOut()]
)
def test_groups_are_passed_on(splitter):
    data = classes([12, 10, 8], GROUP)
    frozen = as_plan(splitter).on(data)
    check_frozen(frozen, data)
    expected = list(splitter.split(data.matrix, data.y, GROUP))
    assert [piece.test.tolist() for piece in frozen] == [test.tolist() for _, test in expected]


def test_a_splitter_that_tears_groups_is_refused():
    with pytest.raises(InputError, match="group 3 is in the training and the test rows"):
        as_plan(skl.KFold(3)).on(classes([12, 10, 8], GROUP))


def test_where_each_split_stands():
    data = classes([15, 15])
    folds = as_plan(skl.RepeatedKFold(n_splits=3, n_repeats=2, random_state=0)).on(data).splits
    assert [(one.repeat, one.fold) for one in folds] == [
        (0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)
    ]  # fmt: skip
    times = as_plan(skl.ShuffleSplit(3, test_size=1, random_state=0)).on(data).splits
    assert [(one.repeat, one.fold) for one in times] == [(0, 0), (1, 0), (2, 0)]


def test_an_open_random_state_is_the_plans_seed():
    data = numbers(20)
    splitter = skl.ShuffleSplit(3)
    plan = as_plan(splitter)
    assert plan.on(data, 1).fingerprint == plan.on(data, 1).fingerprint
    assert plan.on(data, 1).fingerprint != plan.on(data, 2).fingerprint
    assert splitter.random_state is None
    shuffled = as_plan(skl.KFold(4, shuffle=True))
    assert shuffled.on(data, 1).fingerprint != shuffled.on(data, 2).fingerprint


def test_a_generator_as_random_state_is_left_as_it_was():
    plan, data = as_plan(skl.ShuffleSplit(3, random_state=np.random.RandomState(0))), numbers(20)
    assert plan.on(data).fingerprint == plan.on(data).fingerprint


def test_what_sklearn_refuses_is_said_in_our_error():
    with pytest.raises(InputError, match=r"KFold.*: Cannot have number of splits n_splits=10"):
        as_plan(skl.KFold(10)).on(classes([3, 3]))
    with pytest.raises(InputError, match="groups"):
        as_plan(skl.GroupKFold(2)).on(classes([3, 3]))


def test_rows_predicted_twice_are_refused():
    class Twice:
        def split(self, X, y=None, groups=None):
            yield [0, 1], [2, 2]

    with pytest.raises(InputError, match="more than once"):
        as_plan(Twice()).on(numbers(3))


def test_as_plan():
    assert as_plan(KFold(3)) == KFold(3)
    assert as_plan(7) == KFold(7)
    assert repr(as_plan(skl.LeaveOneOut())) == "FromSklearn(splitter=LeaveOneOut())"
    for wrong in (skl.KFold, "ten", True, None, 0.5):
        with pytest.raises(InputError):
            as_plan(wrong)
    with pytest.raises(InputError, match="an instance of a scikit-learn splitter"):
        FromSklearn(skl.KFold)


@pytest.mark.parametrize(
    ("words", "plan"),
    [
        ("10", KFold(10)),
        ("10-fold", KFold(10)),
        ("10 folds", KFold(10)),
        ("random subsampling", Subsampling()),
        ("5x2", FiveByTwo()),
        ("kfold(10, repeats=5)", KFold(10, repeats=5)),
        ("stratified", KFold(stratify=True)),
        ("stratified(5)", KFold(5, stratify=True)),
        ("loo", LeaveOneOut()),
        ("leave-one-out", LeaveOneOut()),
        ("Holdout(train=0.5)", Holdout(0.5)),
        ("three-way", ThreeWay()),
        ("bootstrap", Bootstrap()),
        (".632(50)", Bootstrap(50)),
        ("nested", NestedFolds()),
        ("subsampling", Subsampling()),
        ("rolling(200, 20)", Rolling(200, 20)),
        ("learningcurve('5-fold', [0.5, 1])", LearningCurve(KFold(5), (0.5, 1))),
    ],
)
def test_words(words, plan):
    assert as_plan(words) == plan


@pytest.mark.parametrize(
    "words",
    [
        "", "weekly", "kfold(folds=3)", "kfold(3)(4)", "kfold(3) + 1", "kfold(((",
        "kfold(*[3])", "kfold(**{'k': 3})", "kfold(__import__('os').getpid())", "plan()", "piece",
        "learningcurve([4, 8])", "9" * 5000, "kfold(" + "-" * 10_000 + "1)",
    ],
)  # fmt: skip
def test_words_that_are_no_plan(words):
    with pytest.raises(InputError, match="plan"):
        as_plan(words)
