"""A logistic model with an interaction: no single input tells the classes apart."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from heliast.data.simulate._task import Codes, Floats, Task, at_least, points, within


@dataclass(frozen=True, eq=False, repr=False)
class Logistic(Task):
    """P(yes) = 1 / (1 + exp(-(main x1 + strength x2 x3))), inputs standard normal."""

    main: float
    strength: float

    def posteriors(self, X: npt.ArrayLike) -> Floats:
        from scipy.special import expit

        rows = points(X, len(self.inputs))
        logit = self.main * rows[:, 0] + self.strength * rows[:, 1] * rows[:, 2]
        return np.column_stack([expit(-logit), expit(logit)])

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Floats, Codes]:
        X = rng.standard_normal((n, len(self.inputs)))
        yes = rng.random(n) < self.posteriors(X)[:, 1]
        return X, yes.astype(np.int64)


def interaction(main: float = 1.0, strength: float = 3.0, d: int = 5) -> Task:
    """Two classes, `no` and `yes`, whose log odds are main x1 + strength x2 x3.

    Inputs are d independent standard normals; those after the third are noise. Changing the signs
    of x1 and x2 swaps the classes, so each has share 1/2.

    >>> interaction().posteriors([[0.0, 1.0, 0.0, 0.0, 0.0]]).tolist()
    [[0.5, 0.5]]
    """
    main = within(main, -1e3, 1e3, "main")
    strength = within(strength, -1e3, 1e3, "strength")
    d = at_least(d, 3, "d")
    return Logistic(
        name=f"interaction(main={main:g}, strength={strength:g}, d={d})",
        classes=("no", "yes"),
        inputs=tuple(f"x{at + 1}" for at in range(d)),
        shares=np.array([0.5, 0.5]),
        main=main,
        strength=strength,
    )
