"""A smooth function of five inputs with known noise, for predictors of numbers."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from heliast.data.simulate._task import Floats, NumberTask, at_least, points, within


@dataclass(frozen=True, eq=False, repr=False)
class Friedman(NumberTask):
    """10 sin(pi x1 x2) + 20 (x3 - 1/2)^2 + 10 x4 + 5 x5, inputs uniform on 0 to 1."""

    def mean(self, X: npt.ArrayLike) -> Floats:
        a, b, c, d, e = points(X, len(self.inputs)).T[:5]
        return np.asarray(10.0 * np.sin(np.pi * a * b) + 20.0 * (c - 0.5) ** 2 + 10.0 * d + 5.0 * e)

    def draw_inputs(self, n: int, rng: np.random.Generator) -> Floats:
        return rng.random((n, len(self.inputs)))


def friedman_like(noise: float = 1.0, d: int = 10) -> NumberTask:
    """A number that depends on five of d inputs; `noise` is the standard deviation about it.

    >>> friedman_like(noise=2.0).bayes_error().value
    4.0

    Reference: Friedman (1991), Multivariate adaptive regression splines, section 4.3.
    """
    noise = within(noise, 0.0, 1e6, "noise")
    d = at_least(d, 5, "d")
    return Friedman(
        name=f"friedman_like(noise={noise:g}, d={d})",
        inputs=tuple(f"x{at + 1}" for at in range(d)),
        noise_variance=noise**2,
    )
