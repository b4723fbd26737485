"""k bivariate normal classes with means scattered over a square (thesis 2.4.2 and 3.6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

import numpy as np
import numpy.typing as npt

from heliast.data.simulate._task import (
    Codes,
    Floats,
    Task,
    at_least,
    generator,
    points,
    softmax,
    within,
)


@dataclass(frozen=True, eq=False, repr=False)
class Normals(Task):
    """Normal classes with identity covariance and the given means (a row a class)."""

    means: Floats

    def posteriors(self, X: npt.ArrayLike) -> Floats:
        rows = points(X, self.means.shape[1])
        # The squared length of x is common to all classes and cancels.
        logs = rows @ self.means.T
        logs -= 0.5 * (self.means**2).sum(axis=1)
        logs += np.log(self.shares)
        return softmax(logs)

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Floats, Codes]:
        truth = rng.choice(len(self.classes), size=n, p=self.shares)
        return self._given(truth, rng), truth

    def draw_counts(self, counts: Sequence[int], rng: np.random.Generator) -> tuple[Floats, Codes]:
        truth = np.repeat(np.arange(len(self.classes)), counts)
        return self._given(truth, rng), truth

    def _given(self, truth: Codes, rng: np.random.Generator) -> Floats:
        X = rng.standard_normal((truth.size, self.means.shape[1]))
        X += self.means[truth]
        return X


def gaussian_classes(k: int = 26, spread: float = 5.0, seed: int = 0) -> Task:
    """k equally likely bivariate normals, identity covariance, means uniform in +-spread.

    The seed draws the means. With 26 classes the Bayes error is about 53% at spread 5 and 23% at
    11; with 10 classes 28% at 5 and 20.5% at 6.4, averaged over the means.

    >>> gaussian_classes(k=3, seed=1).sample([10, 10, 10], seed=2)
    <Dataset 'gaussian_classes(k=3, spread=5, seed=1)': 30 rows, 2 numeric, 0 nominal inputs, ...>

    Reference: thesis, sections 2.4.2 and 3.6.
    """
    k = at_least(k, 2, "k")
    spread = within(spread, 0.0, 1e6, "spread")
    means = generator(seed, "task").uniform(-spread, spread, size=(k, 2))
    return Normals(
        name=f"gaussian_classes(k={k}, spread={spread:g}, seed={seed})",
        classes=_letters(k),
        inputs=("x1", "x2"),
        shares=np.full(k, 1.0 / k),
        means=means,
    )


def ten_gaussians(seed: int = 0, spread: float = 6.4) -> Task:
    """Ten bivariate normals: the second task of thesis 3.6, whose Bayes error is near 20.5%.

    >>> len(ten_gaussians().classes)
    10
    """
    return gaussian_classes(10, spread, seed)


def _letters(k: int) -> tuple[str, ...]:
    if k <= len(ascii_uppercase):
        return tuple(ascii_uppercase[:k])
    width = len(str(k - 1))
    return tuple(f"c{code:0{width}d}" for code in range(k))
