"""The F surface, and where the classes of the chapter's example 22.2 lie on it."""

import numpy as np
import pytest
from sklearn.metrics import fbeta_score

from heliast import InputError, Predictions
from heliast.curves import f_surface

COUNTS = {("c1", "c1"): 10, ("c2", "c2"): 7, ("c2", "c3"): 3, ("c3", "c2"): 5, ("c3", "c3"): 5}
"""Chapter, table 22.1: (true, predicted)."""
TRUTH = [truth for (truth, _), n in COUNTS.items() for _ in range(n)]
LABEL = [label for (_, label), n in COUNTS.items() for _ in range(n)]


def test_example_22_2():
    """Chapter, example 22.2: precision, recall and F of each class, and F = 0.731."""
    found = f_surface(Predictions.of(TRUTH, LABEL))
    np.testing.assert_allclose(found.precision, [1.0, 7 / 12, 5 / 8])
    np.testing.assert_allclose(found.recall, [1.0, 0.7, 0.5])
    np.testing.assert_allclose(found.f.round(3), [1.0, 0.636, 0.556])
    assert round(found.mean, 3) == 0.731
    np.testing.assert_allclose(found.at(found.precision, found.recall), found.f)


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_points_lie_on_the_surface(beta):
    rng = np.random.default_rng(0)
    truth, label = rng.integers(0, 2, (2, 200))
    found = f_surface(Predictions.of(truth, label, positive=1), beta=beta)
    assert found.f[0] == pytest.approx(fbeta_score(truth, label, beta=beta))
    assert found.at(found.precision, found.recall)[0] == pytest.approx(found.f[0])


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("height", [0.1, 0.5, 0.9])
def test_lines_of_equal_f(beta, height):
    found = f_surface(beta=beta)
    recall, precision = found.line(height)
    np.testing.assert_allclose(found.at(precision, recall), height)
    assert precision[0] == pytest.approx(1.0)
    assert recall[-1] == pytest.approx(1.0)
    assert found.at(height, height) == pytest.approx(height)
    assert f_surface().at(0.0, 0.0) == 0.0


def test_a_class_that_nobody_is_given():
    found = f_surface(Predictions.of(["a", "b", "b"], ["a", "a", "a"], positive="b"))
    assert np.isnan(found.precision[0])
    assert found.f[0] == 0
    assert "No row was given the class b" in found.svg()


def test_refused():
    with pytest.raises(InputError, match="beta=0"):
        f_surface(beta=0)
    with pytest.raises(InputError, match="no class 'd'"):
        f_surface(Predictions.of(TRUTH, LABEL), "d")
    with pytest.raises(InputError, match="predictions of numbers"):
        f_surface(Predictions.of([1.5, 2.5], [1.0, 2.0], task="regression"))
