"""Normal classes: scattered over a square (thesis 2.4.2, 3.6), or two whose best rule is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from string import ascii_uppercase

import numpy as np

from heliast._core.kinds import ArrayLike
from heliast.data.simulate._task import (
    BayesError,
    Codes,
    Floats,
    Task,
    at_least,
    generator,
    points,
    within,
)


@dataclass(frozen=True, eq=False, repr=False)
class Normals(Task):
    """Normal classes with identity covariance and the given means (a row a class)."""

    means: Floats

    def posteriors(self, X: ArrayLike) -> Floats:
        from scipy.special import softmax

        rows = points(X, self.means.shape[1])
        # The squared length of x is common to all classes and cancels.
        logs = rows @ self.means.T
        logs -= 0.5 * (self.means**2).sum(axis=1)
        logs += np.log(self.shares)
        return np.asarray(softmax(logs, axis=1))

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

    Parameters
    ----------
    k : int
        The number of classes.
    spread : float
        Half the side of the square that the means are drawn from.
    seed : int
        Seed of the means.

    Returns
    -------
    Task
        The task: draws rows, knows their posteriors.

    Raises
    ------
    InputError
        If an argument lies outside its range.

    Examples
    --------
    >>> gaussian_classes(k=3, seed=1).sample([10, 10, 10], seed=2)
    <Dataset 'gaussian_classes(k=3, spread=5, seed=1)': 30 rows, 2 numeric, 0 nominal inputs, ...>

    References
    ----------
    Thesis, sections 2.4.2 and 3.6.
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

    Parameters
    ----------
    seed : int, default 0
        Seed of the means.
    spread : float, default 6.4
        Means are drawn from -spread to spread in both inputs.

    Returns
    -------
    Task
        The task.

    Examples
    --------
    >>> len(ten_gaussians().classes)
    10
    """
    return gaussian_classes(10, spread, seed)


def _letters(k: int) -> tuple[str, ...]:
    if k <= len(ascii_uppercase):
        return tuple(ascii_uppercase[:k])
    width = len(str(k - 1))
    return tuple(f"c{code:0{width}d}" for code in range(k))


@dataclass(frozen=True, eq=False, repr=False)
class Pair(Normals):
    """Two normals with identity covariance, `distance` apart."""

    distance: float

    def bayes_error(self, seed: int = 0, n: int = 10**6) -> BayesError:
        """Exact: the mass beyond the point where the posteriors cross."""
        from scipy.special import ndtr

        first, second = self.shares
        if self.distance == 0.0:
            return BayesError(float(min(first, second)), 0.0)
        cross = self.distance / 2 + log(first / second) / self.distance
        return BayesError(float(first * ndtr(-cross) + second * ndtr(cross - self.distance)), 0.0)

    @property
    def auc(self) -> float:
        """The area under the ROC curve of the true posteriors: Phi(distance / sqrt 2)."""
        from scipy.special import ndtr

        return float(ndtr(self.distance / np.sqrt(2.0)))


def pair(name: str, classes: tuple[str, str], distance: float, d: int, share: float) -> Pair:
    """Two normals in d inputs; the distance is spread evenly over the inputs."""
    step = distance / (2.0 * np.sqrt(d))
    return Pair(
        name=name,
        classes=classes,
        inputs=tuple(f"x{at + 1}" for at in range(d)),
        shares=np.array([1.0 - share, share]),
        means=np.array([[-step] * d, [step] * d]),
        distance=distance,
    )


def two_gaussians(bayes_error: float = 0.15, d: int = 2) -> Pair:
    """Two equally likely normals in d inputs with the Bayes error asked for.

    The error is Phi(-distance / 2), so the distance is twice a normal quantile.

    Parameters
    ----------
    bayes_error : float
        The error of the best rule.
    d : int
        The number of inputs.

    Returns
    -------
    Pair
        The task: draws rows, knows their posteriors.

    Raises
    ------
    InputError
        If an argument lies outside its range.

    Examples
    --------
    >>> round(two_gaussians(0.2, d=3).bayes_error().value, 6)
    0.2
    """
    from scipy.special import ndtri

    error = within(bayes_error, 1e-9, 0.5, "bayes_error")
    distance = float(-2.0 * ndtri(error))
    name = f"two_gaussians(bayes_error={error:g}, d={d})"
    return pair(name, ("A", "B"), distance, at_least(d, 1, "d"), 0.5)


def rare_class(share: float = 0.02, distance: float = 2.0, d: int = 5) -> Pair:
    """Two normals, `distance` apart in d inputs; the class `rare` has the given share.

    Bayes error and `.auc` are exact.

    Parameters
    ----------
    share : float
        The share of the rare class.
    distance : float
        How far apart the means lie.
    d : int
        The number of inputs.

    Returns
    -------
    Pair
        The task: draws rows, knows their posteriors.

    Raises
    ------
    InputError
        If an argument lies outside its range.

    Examples
    --------
    >>> task = rare_class(share=0.05)
    >>> round(task.bayes_error().value, 4), round(task.auc, 4)
    (0.0405, 0.9214)
    """
    share = within(share, 0.0, 0.5, "share", open_=True)
    distance = within(distance, 0.0, 40.0, "distance")
    name = f"rare_class(share={share:g}, distance={distance:g}, d={d})"
    return pair(name, ("common", "rare"), distance, at_least(d, 1, "d"), share)
