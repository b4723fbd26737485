"""Two normals: formulas for the error and the AUC."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import roc_auc_score

from heliast.data.simulate import rare_class, two_gaussians


@pytest.mark.parametrize("error", [0.01, 0.15, 0.3, 0.5])
@pytest.mark.parametrize("d", [1, 2, 7])
def test_the_error_asked_for(error: float, d: int) -> None:
    task = two_gaussians(error, d)
    assert task.bayes_error().value == pytest.approx(error, rel=1e-9)
    assert task.bayes_error().se == 0.0
    apart = np.linalg.norm(task.means[1] - task.means[0])
    assert norm.cdf(-apart / 2) == pytest.approx(error)


def test_auc_of_the_posteriors() -> None:
    task = rare_class(share=0.1, distance=1.5, d=3)
    data = task.sample(50_000, seed=3)
    assert data.posteriors is not None
    found = roc_auc_score(data.y_true, data.posteriors[:, 1])
    assert found == pytest.approx(task.auc, abs=0.012)


def test_rare_class_by_integration() -> None:
    task = rare_class(share=0.2, distance=1.3, d=4)
    at = np.linspace(-12, 14, 400_001)
    least = np.minimum(0.8 * norm.pdf(at), 0.2 * norm.pdf(at, 1.3))
    assert task.bayes_error().value == pytest.approx(np.trapezoid(least, at), abs=1e-9)


def test_a_rare_class_nobody_can_see() -> None:
    assert rare_class(share=0.02, distance=0.0).bayes_error().value == 0.02
    assert rare_class(share=0.01, distance=0.1).bayes_error().value == pytest.approx(0.01)
    assert rare_class().classes == ("common", "rare")
