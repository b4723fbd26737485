"""A class in the centre and one around it (thesis 2.6.1), overlapping by a known amount."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast.data.simulate._task import BayesError, Codes, Floats, Task, points, within


@dataclass(frozen=True, eq=False, repr=False)
class Rings(Task):
    """`inner` is uniform on the unit disc, `outer` on the ring from `hole` to `radius`."""

    hole: float
    radius: float

    @property
    def _area(self) -> float:
        """The area of the ring, where that of the disc is 1."""
        return self.radius**2 - self.hole**2

    def posteriors(self, X: npt.ArrayLike) -> Floats:
        rows = points(X, 2)
        away = (rows**2).sum(axis=1)
        found = np.zeros((len(rows), 2))
        found[:, 0] = away <= 1.0
        found[:, 1] = (away >= self.hole**2) / self._area
        # Beyond the radius both densities are 0; the ring is the nearer of the two.
        found /= found.sum(axis=1, keepdims=True)
        return found

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Floats, Codes]:
        truth = rng.integers(2, size=n)
        return self._given(truth, rng), truth

    def draw_counts(self, counts: Sequence[int], rng: np.random.Generator) -> tuple[Floats, Codes]:
        truth = np.repeat(np.arange(2), counts)
        return self._given(truth, rng), truth

    def _given(self, truth: Codes, rng: np.random.Generator) -> Floats:
        share = rng.random(truth.size)
        away = np.sqrt(np.where(truth == 0, share, self.hole**2 + share * self._area))
        angle = rng.uniform(0.0, 2.0 * np.pi, truth.size)
        return np.column_stack([away * np.cos(angle), away * np.sin(angle)])

    def bayes_error(self, seed: int = 0, n: int = 10**6) -> BayesError:
        """Exact: half the mass of the ring that lies inside the disc."""
        return BayesError(0.5 * (1.0 - self.hole**2) / self._area, 0.0)


def concentric(bayes_error: float = 0.15, radius: float = 1.5) -> Task:
    """A disc (`inner`) inside a ring (`outer`) that overlaps it; both classes equally likely.

    The ring reaches out to `radius`; how far it reaches into the disc follows from the Bayes
    error. The best rule is the circle of radius 1. The thesis gives a picture only: with the
    defaults, 1-nearest-neighbour errs about as often as its tables say.

    >>> task = concentric(bayes_error=0.1)
    >>> round(task.bayes_error().value, 12), task.bayes_labels([[0.9, 0.0], [1.1, 0.0]]).tolist()
    (0.1, ['inner', 'outer'])

    Reference: thesis, section 2.6.1.
    """
    radius = within(radius, sqrt(2.0), 1e3, "radius")
    error = within(bayes_error, 0.0, 0.5, "bayes_error")
    hole = (1.0 - 2.0 * error * radius**2) / (1.0 - 2.0 * error) if error < 0.5 else -1.0
    if hole < -1e-12:
        raise InputError(
            f"bayes_error={error:g}: with radius={radius:g} the ring fills the disc at "
            f"{0.5 / radius**2:.3g}; choose a smaller error or radius"
        )
    return Rings(
        name=f"concentric(bayes_error={error:g}, radius={radius:g})",
        classes=("inner", "outer"),
        inputs=("x1", "x2"),
        shares=np.array([0.5, 0.5]),
        hole=sqrt(max(hole, 0.0)),
        radius=radius,
    )
