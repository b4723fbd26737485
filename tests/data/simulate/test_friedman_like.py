"""A number with known noise."""

import numpy as np
import pytest

from heliast.data.simulate import friedman_like


def test_by_hand() -> None:
    found = friedman_like(d=6).mean([[1.0, 0.5, 0.5, 0.1, 0.2, 9.0]])
    assert found.tolist() == pytest.approx([10.0 + 0.0 + 1.0 + 1.0])


def test_as_in_scikit_learn() -> None:
    from sklearn.datasets import make_friedman1

    X, y = make_friedman1(50, 7, noise=0.0, random_state=1)
    np.testing.assert_allclose(friedman_like(d=7).mean(X), y)


def test_the_noise_is_what_is_left() -> None:
    task = friedman_like(noise=2.0)
    data = task.sample(20_000, seed=3)
    assert (data.task, data.n, data.simulated) == ("regression", 20_000, task)
    left = data.y - task.bayes_labels(data.matrix)
    assert left.var() == pytest.approx(task.bayes_error().value, rel=4.5 * np.sqrt(2 / 20_000))
    assert abs(left.mean()) < 4.5 * 2.0 / np.sqrt(20_000)


def test_seed() -> None:
    task = friedman_like()
    assert task.sample(9, 1).fingerprint == task.sample(9, 1).fingerprint
    assert task.sample(9, 1).fingerprint != task.sample(9, 2).fingerprint
