"""The populations: the tasks fixed beforehand, and fresh ones that chose nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast.data import simulate

Array = npt.NDArray[Any]
Rng = np.random.Generator
Drawn = tuple[Array, Array, Array | None]
"""Inputs, class codes, and the group of each row or None."""


@dataclass(frozen=True)
class Population:
    """Rows can be drawn, and posteriors are known, or rows come in groups of `each`."""

    name: str
    k: int
    draw: Callable[[int, Rng], Drawn]
    posteriors: Callable[[Array], Array] | None = None
    each: int = 0

    @cached_property
    def bayes(self) -> float:
        """The least error, from a million rows."""
        assert self.posteriors is not None
        rng = np.random.default_rng(20_000)
        parts = [self.draw(100_000, rng)[0] for _ in range(10)]
        return float(np.mean([1 - self.posteriors(X).max(axis=1).mean() for X in parts]))


def _simulated(name: str, task: Any) -> Population:
    def draw(n: int, rng: Rng) -> Drawn:
        X, truth = task.draw(n, rng)
        return X, truth, None

    return Population(name, len(task.classes), draw, task.posteriors)


def _logistic(
    name: str, d: int, logit: Callable[[Array], Array], tails: bool = False
) -> Population:
    """Two classes with the given log odds; inputs normal, or Student's with 3 degrees."""
    from scipy.special import expit

    def posteriors(X: Array) -> Array:
        p = expit(logit(X))
        return np.column_stack([1 - p, p])

    def draw(n: int, rng: Rng) -> Drawn:
        X = rng.standard_t(3, (n, d)) if tails else rng.standard_normal((n, d))
        return X, (rng.random(n) < posteriors(X)[:, 1]).astype(np.int64), None

    return Population(name, 2, draw, posteriors)


def clustered(size: int, name: str, gap: float = 1.6, shift: float = 0.7) -> Population:
    """Rows in groups of `size` that share a shift of the inputs and a leaning to one class."""

    def draw(n: int, rng: Rng) -> Drawn:
        group = np.arange(n) // size
        count = int(group[-1]) + 1
        lean = np.where(rng.random(count) < 0.5, 0.2, 0.8)
        truth = (rng.random(n) < lean[group]).astype(np.int64)
        X = rng.standard_normal((n, 3)) + shift * rng.standard_normal((count, 3))[group]
        X[:, 0] += gap * truth
        return X, truth, group

    return Population(name, 2, draw, each=size)


TASKS = (
    _simulated("Gaussian", simulate.two_gaussians(0.15, d=4)),
    _simulated("near separable", simulate.two_gaussians(0.01, d=4)),
    _simulated("rare class", simulate.rare_class(0.05, 2.5, d=4)),
    _simulated("interaction", simulate.interaction()),
    _simulated("label noise", simulate.label_noise(simulate.two_gaussians(0.05, d=4), 0.3)),
    _simulated("10 classes", simulate.ten_gaussians()),
    clustered(5, "clustered rows"),
)
"""The tasks of the specification."""

FRESH = (
    _logistic("checkers", 4, lambda X: 4 * np.sign(np.sin(1.6 * X[:, 0]) * X[:, 1])),
    _logistic("heavy tails", 6, lambda X: 1.5 * X[:, 0] - X[:, 1] + 0.5, tails=True),
    _simulated("many inputs", simulate.two_gaussians(0.1, d=10)),
    _simulated("three classes", simulate.gaussian_classes(3, 2.0, seed=5)),
    _logistic("sparse", 10, lambda X: 3.0 * (X[:, 0] > 1.0) - 2.5),
    _simulated("no signal", simulate.two_gaussians(0.5, d=3)),
    _simulated("error 0.03", simulate.two_gaussians(0.03, d=2)),
    clustered(10, "groups of 10", gap=2.2, shift=0.4),
    clustered(4, "groups of 4", gap=2.2, shift=0.4),
    _logistic("exclusive or", 3, lambda X: 3 * np.sign(X[:, 0] * X[:, 1]) + X[:, 2]),
)
"""Tasks looked at only after every constant was chosen."""
