"""A logistic model with an interaction."""

import numpy as np
import pytest

from heliast.data.simulate import interaction


def test_posteriors_by_hand() -> None:
    task = interaction(main=2.0, strength=1.0, d=3)
    found = task.posteriors([[0.5, 2.0, -1.0]])
    assert found[0, 1] == pytest.approx(1 / (1 + np.exp(1.0)))


def test_signs_swap_the_classes() -> None:
    task = interaction()
    X = np.random.default_rng(0).standard_normal((100, 5))
    turned = X * [-1, -1, 1, 1, 1]
    np.testing.assert_allclose(task.posteriors(X), task.posteriors(turned)[:, ::-1])


def test_no_line_tells_the_classes_apart() -> None:
    """A linear rule on the interacting inputs is no better than guessing."""
    from sklearn.linear_model import LogisticRegression

    data = interaction(main=0.0).sample(20_000, seed=1)
    rows = data.matrix
    model = LogisticRegression().fit(rows[:10_000], data.y[:10_000])
    wrong = (model.predict(rows[10_000:]) != data.y[10_000:]).mean()
    assert wrong > 0.47
    assert interaction(main=0.0).bayes_error(n=20_000).value < 0.3
