"""Two normal classes a known distance apart: error and AUC of the best rule are formulas."""

from dataclasses import dataclass
from math import log

import numpy as np

from heliast.data.simulate._gaussian_classes import Normals
from heliast.data.simulate._task import BayesError, at_least, within


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

    >>> round(two_gaussians(0.2, d=3).bayes_error().value, 6)
    0.2
    """
    from scipy.special import ndtri

    error = within(bayes_error, 1e-9, 0.5, "bayes_error")
    distance = float(-2.0 * ndtri(error))
    name = f"two_gaussians(bayes_error={error:g}, d={d})"
    return pair(name, ("A", "B"), distance, at_least(d, 1, "d"), 0.5)
