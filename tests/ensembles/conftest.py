"""Small tasks that the tests of ensembles share."""

import numpy as np
import pytest


@pytest.fixture(scope="session")
def blobs():
    """Four overlapping classes in three dimensions: (X, y, new X, new y), no two values equal."""
    rng = np.random.default_rng(3)
    names = np.array(["ash", "elm", "fir", "oak"])
    middle = rng.normal(scale=1.5, size=(4, 3))

    def draw(n):
        code = np.arange(n) % 4
        return middle[code] + rng.normal(size=(n, 3)), names[code]

    return *draw(160), *draw(400)


@pytest.fixture(scope="session")
def rings():
    """A class inside, another around it: (X, y, new X, new y)."""
    rng = np.random.default_rng(5)

    def draw(n):
        X = rng.normal(size=(n, 2))
        return X, np.where((X**2).sum(axis=1) + rng.normal(scale=0.5, size=n) > 1.4, "out", "in")

    return *draw(200), *draw(500)


@pytest.fixture(scope="session")
def waves():
    """A number: (X, y, new X, new y)."""
    rng = np.random.default_rng(8)

    def draw(n):
        X = rng.uniform(-2, 2, size=(n, 2))
        return X, np.sin(2 * X[:, 0]) + X[:, 1] ** 2 + rng.normal(scale=0.2, size=n)

    return *draw(150), *draw(300)
