"""Normal classes with scattered means, and the Bayes errors the thesis prints."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from heliast.data.simulate import gaussian_classes, ten_gaussians
from heliast.data.simulate._gaussians import Normals


def test_posteriors_by_bayes_rule() -> None:
    task = gaussian_classes(k=5, seed=2)
    assert isinstance(task, Normals)
    X = np.random.default_rng(0).uniform(-6, 6, size=(20, 2))
    dense = np.column_stack([multivariate_normal(mean, np.eye(2)).pdf(X) for mean in task.means])
    np.testing.assert_allclose(task.posteriors(X), dense / dense.sum(axis=1, keepdims=True))


def test_far_points_do_not_overflow() -> None:
    found = gaussian_classes(k=5).posteriors([[1e6, -1e6], [0.0, 1e8]])
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found.sum(axis=1), 1.0)


@pytest.mark.parametrize(
    ("k", "spread", "expected"),
    [(26, 5.0, 0.53), (10, 5.0, 0.28), (26, 11.0, 0.231), (10, 6.4, 0.205)],
)
def test_errors_that_the_thesis_prints(k: int, spread: float, expected: float) -> None:
    """One draw of means stands behind each printed figure: it must be a likely draw."""
    errors = [gaussian_classes(k, spread, seed).bayes_error(n=4000).value for seed in range(30)]
    assert abs(np.mean(errors) - expected) < 0.6 * np.std(errors)


def test_means_fill_the_square() -> None:
    task = gaussian_classes(k=500, spread=3.0)
    assert isinstance(task, Normals)
    assert np.abs(task.means).max() <= 3.0
    assert np.abs(task.means.mean(axis=0)).max() < 4.5 * 3.0 / np.sqrt(3 * 500)
    assert task.classes[0] == "c000"


def test_the_seed_of_the_means_is_not_that_of_the_rows() -> None:
    means, rows = gaussian_classes(k=9, seed=4), gaussian_classes(k=9, seed=4).sample(9, seed=4)
    assert isinstance(means, Normals)
    assert abs(np.corrcoef(means.means.ravel(), rows.matrix.ravel())[0, 1]) < 0.95
    assert gaussian_classes(seed=0).name != gaussian_classes(seed=1).name


def test_ten() -> None:
    assert len(ten_gaussians().classes) == 10
    assert ten_gaussians(seed=5).name == "gaussian_classes(k=10, spread=6.4, seed=5)"
