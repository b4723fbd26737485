"""A disc inside a ring."""

import numpy as np
import pytest

from heliast.data.simulate import concentric
from heliast.data.simulate._shapes import Rings


@pytest.mark.parametrize(("error", "radius"), [(0.15, 1.5), (0.0, 1.5), (0.1, 2.0), (0.25, 2**0.5)])
def test_the_error_asked_for(error: float, radius: float) -> None:
    assert concentric(error, radius).bayes_error().value == pytest.approx(error, abs=1e-12)


def test_rows_lie_where_they_should() -> None:
    task = concentric()
    assert isinstance(task, Rings)
    data = task.sample([5000, 5000], seed=1)
    away = np.hypot(*data.matrix.T)
    inner, outer = away[data.y_true == 0], away[data.y_true == 1]
    assert inner.max() <= 1.0
    assert task.hole <= outer.min()
    assert outer.max() <= 1.5
    # Uniform on a disc: the squared distance is uniform.
    assert abs((inner**2).mean() - 0.5) < 4.5 / np.sqrt(12 * 5000)


def test_posteriors_in_each_zone() -> None:
    found = concentric(0.15, 1.5).posteriors([[0.1, 0.0], [0.0, 0.9], [1.2, 0.0], [9.0, 9.0]])
    assert found[0].tolist() == [1.0, 0.0]
    assert found[1, 0] == pytest.approx(1.785714 / 2.785714, abs=1e-6)
    assert found[2].tolist() == found[3].tolist() == [0.0, 1.0]


def test_one_nearest_neighbour_errs_as_in_the_thesis() -> None:
    """Tables 2.3 to 2.9: 25.1 to 28.4% with 20 rows a class, 21.4 to 22.4% with 100."""
    from sklearn.neighbors import KNeighborsClassifier

    task = concentric()
    test = task.sample(4000, seed=100)
    for rows, low, high in ((20, 0.24, 0.30), (100, 0.205, 0.24)):
        errors = []
        for seed in range(15):
            train = task.sample([rows, rows], seed)
            model = KNeighborsClassifier(1).fit(train.matrix, train.y)
            errors.append(np.mean(model.predict(test.matrix) != test.y))
        assert low < np.mean(errors) < high
