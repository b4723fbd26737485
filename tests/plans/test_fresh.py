import pickle

import numpy as np
import pytest
from tests.plans.tables import numbers

from heliast import InputError
from heliast.data import simulate
from heliast.plans import Fresh, LabelNoise, LearningCurve

TASK = simulate.two_gaussians(bayes_error=0.2)


def test_training_sets_are_the_task_s_and_differ():
    data = TASK.sample(60, seed=1)
    frozen = Fresh(5, n_train=30).on(data, seed=2)
    assert {(one.n_train, one.n_test) for one in frozen.splits} == {(30, 60)}
    for piece in frozen:
        assert piece.test.tolist() == list(range(60))
        assert piece.train.tolist() == list(range(30))
        assert piece.in_train(60).tolist() == [0] * 60
        assert piece.data.classes == data.classes
        again = pickle.loads(pickle.dumps(piece))
        assert again.data.fingerprint == piece.data.fingerprint
    assert len({piece.data.fingerprint for piece in frozen}) == 5


def test_the_seed_and_the_task_decide():
    data = TASK.sample(20, seed=1)
    plan = Fresh(3, n_train=10, n_test=5)
    assert plan.on(data, 1).fingerprint == plan.on(data, 1).fingerprint
    assert plan.on(data, 1).fingerprint != plan.on(data, 2).fingerprint
    other = simulate.two_gaussians(bayes_error=0.1).sample(20, seed=1)
    assert plan.on(data, 1).fingerprint != plan.on(other, 1).fingerprint


def test_so_many_rows_to_predict_and_the_same_ones():
    frozen = Fresh(4, n_train=10, n_test=7).on(TASK.sample(20, seed=1), seed=1)
    assert len({tuple(piece.test) for piece in frozen}) == 1
    assert frozen.pieces[0].test.size == 7


def test_curves_vary_fresh_training_sets():
    data = TASK.sample(20, seed=1)
    curve = LearningCurve(Fresh(2, n_train=40), shares=(0.25, 1.0)).on(data, seed=1)
    assert [piece.n_train for piece in curve] == [10, 40, 10, 40]
    small = curve.pieces[0]
    assert small.data.y_true[small.train].size == 10
    noisy = LabelNoise(Fresh(1, n_train=40), shares=(0.1,)).on(data, seed=1).pieces[0]
    assert (noisy.y_true != noisy.data.y_true[noisy.train]).sum() == 4
    assert np.isin(noisy.y_true, [0, 1]).all()


def test_real_data_have_no_fresh_rows():
    with pytest.raises(InputError, match="are not simulated"):
        Fresh(2, n_train=5).on(numbers(10))


@pytest.mark.parametrize(
    "arguments",
    [
        {"times": 0, "n_train": 5},
        {"times": 1, "n_train": 0},
        {"times": 1, "n_train": 5, "n_test": 0},
        {"times": 1, "n_train": 5, "n_test": 50},
    ],
)
def test_arguments_are_checked(arguments):
    with pytest.raises(InputError, match="plan Fresh"):
        Fresh(**arguments).on(TASK.sample(20, seed=1))


def test_rows_of_each_class():
    data = simulate.two_gaussians(bayes_error=0.15).sample(50, seed=1)
    frozen = Fresh(times=3, n_train=(5, 9)).on(data, seed=2)
    for piece in frozen.pieces:
        assert piece.data.n == 14
        assert np.bincount(piece.data.y_true).tolist() == [5, 9]
