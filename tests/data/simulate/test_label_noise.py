"""Labels flipped on purpose."""

import numpy as np
import pytest

from heliast.data.simulate import gaussian_classes, label_noise, rare_class, two_gaussians


def test_two_classes_by_formula() -> None:
    found = label_noise(two_gaussians(0.15), 0.2).bayes_error()
    assert found.value == pytest.approx(0.15 + 0.2 * (1 - 2 * 0.15))
    assert found.se == 0.0


def test_shares_move_together() -> None:
    assert label_noise(rare_class(0.1), 0.25).shares == pytest.approx([0.7, 0.3])


def test_so_many_labels_change() -> None:
    clean = gaussian_classes(k=4, spread=50.0, seed=1)
    data = label_noise(clean, 0.3).sample(20_000, seed=2)
    wrong = (clean.bayes_labels(data.matrix) != data.y).mean()
    assert wrong == pytest.approx(0.3, abs=0.02)


def test_none_and_all() -> None:
    clean = two_gaussians(0.15)
    X = clean.sample(100, seed=1).matrix
    np.testing.assert_allclose(label_noise(clean, 0.0).posteriors(X), clean.posteriors(X))
    np.testing.assert_allclose(label_noise(clean, 0.5).posteriors(X), 0.5)
    assert label_noise(clean, 0.5).bayes_error().value == pytest.approx(0.5)


def test_noise_on_noise() -> None:
    twice = label_noise(label_noise(two_gaussians(0.15), 0.1), 0.1)
    assert twice.bayes_error().value == pytest.approx(0.22 + 0.1 * (1 - 0.44))
