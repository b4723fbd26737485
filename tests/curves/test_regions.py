"""Outlines of regions on a grid: where they run, and that they close."""

import numpy as np
import pytest

from heliast import InputError
from heliast.curves import Regions
from heliast.curves.planes import outlines

AXIS = np.linspace(-1, 1, 81)
X, Y = np.meshgrid(AXIS, AXIS)


def record(label, **changes):
    code = np.zeros(1, int)
    fields = {
        "x": AXIS,
        "y": AXIS,
        "y_pred": label,
        "classes": ("a", "b", "c"),
        "inputs": ("u", "v"),
        "points": np.zeros((1, 2)),
        "y_true": code,
        "decided": code,
        "in_train": np.ones(1, bool),
    }
    return Regions(**fields | changes)


def test_a_circle_is_one_closed_line():
    ((x, y),) = record((X**2 + Y**2 < 0.36).astype(int)).borders
    assert (x[0], y[0]) == (x[-1], y[-1])
    # No vertex is off by more than half a step of the grid.
    np.testing.assert_allclose(np.hypot(x, y), 0.6, atol=0.0125)
    area = 0.5 * abs(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))
    assert area == pytest.approx(np.pi * 0.36, rel=0.02)


def test_a_straight_border_is_a_straight_line():
    ((x, y),) = record((Y > 0.5 * X + 0.1).astype(int)).borders
    assert x.size < 20
    np.testing.assert_allclose(y, 0.5 * x + 0.1, atol=0.025)
    assert sorted((round(x[0]), round(x[-1]))) == [-1, 1]


def test_four_quarters_and_islands():
    checks = (X > 0).astype(int) ^ (Y > 0)
    assert len(outlines(checks.astype(bool))) in (1, 2, 4)
    islands = (np.hypot(X - 0.5, Y) < 0.2) | (np.hypot(X + 0.5, Y) < 0.2)
    assert len(outlines(islands)) == 2
    assert outlines(np.ones((5, 5), bool)) == []


def test_three_classes_have_all_their_borders():
    """Thirds of the plane: a point of each border has a line close by."""
    label = np.where(X > 0.3, 2, np.where(X < -0.3, 0, 1))
    places = {round(float(np.median(x)), 1) for x, _ in record(label).borders}
    assert places == {-0.3, 0.3}


def test_normals_hold_as_many_rows_as_a_normal_does():
    """Figure 22.1 of the chapter: contours at one and two standard deviations."""
    rng = np.random.default_rng(0)
    points = rng.multivariate_normal([1, 2], [[2, 0.9], [0.9, 1]], 20_000)
    zero = np.zeros(len(points), int)
    made = record(
        zero_grid(), points=points, y_true=zero, decided=zero, in_train=np.ones(len(points), bool)
    )
    for deviations in (1.0, 2.0):
        ((code, mean, (x, y)),) = made.normals(deviations)
        np.testing.assert_allclose(mean, points.mean(axis=0))
        inverse = np.linalg.inv(np.cov(points.T))
        off = np.stack([x, y]) - mean[:, None]
        np.testing.assert_allclose(np.einsum("ij,ik,kj->j", off, inverse, off), deviations**2)
        assert code == 0


def zero_grid():
    return np.zeros((AXIS.size, AXIS.size), int)


def test_rows_to_judge_by():
    code = np.array([0, 1, 1])
    one = {"points": np.zeros((3, 2)), "y_true": code, "decided": 0 * code}
    mixed = record(zero_grid(), **one, in_train=np.array([True, True, False]))
    assert mixed.words == "1 of 1 held-out rows"
    assert record(zero_grid(), **one, in_train=np.ones(3, bool)).words == "2 of 3 training rows"
    assert record(zero_grid(), **one, in_train=np.zeros(3, bool)).words == "2 of 3 rows"


def test_a_grid_of_another_shape_is_refused():
    with pytest.raises(InputError, match="a column for each of 81 places x"):
        record(np.zeros((3, 3)))
