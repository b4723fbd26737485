"""Other tasks: rings (thesis 2.6.1), an interaction, a smooth function with noise, wrong labels."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import ArrayLike
from heliast.data.simulate._task import (
    BayesError,
    Codes,
    Floats,
    NumberTask,
    Task,
    at_least,
    points,
    within,
)


@dataclass(frozen=True, eq=False, repr=False)
class Rings(Task):
    """`inner` is uniform on the unit disc, `outer` on the ring from `hole` to `radius`."""

    hole: float
    radius: float

    @property
    def _area(self) -> float:
        """The area of the ring, where that of the disc is 1."""
        return self.radius**2 - self.hole**2

    def posteriors(self, X: ArrayLike) -> Floats:
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

    Parameters
    ----------
    bayes_error : float
        The error of the best rule.
    radius : float
        How far the ring reaches out.

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
    >>> task = concentric(bayes_error=0.1)
    >>> round(task.bayes_error().value, 12), task.bayes_labels([[0.9, 0.0], [1.1, 0.0]]).tolist()
    (0.1, ['inner', 'outer'])

    References
    ----------
    Thesis, section 2.6.1.
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


@dataclass(frozen=True, eq=False, repr=False)
class Logistic(Task):
    """P(yes) = 1 / (1 + exp(-(main x1 + strength x2 x3))), inputs standard normal."""

    main: float
    strength: float

    def posteriors(self, X: ArrayLike) -> Floats:
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

    Parameters
    ----------
    main, strength : float
        What x1 and the product of x2 and x3 add to the log odds.
    d : int
        The number of inputs.

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


@dataclass(frozen=True, eq=False, repr=False)
class Friedman(NumberTask):
    """10 sin(pi x1 x2) + 20 (x3 - 1/2)^2 + 10 x4 + 5 x5, inputs uniform on 0 to 1."""

    def mean(self, X: ArrayLike) -> Floats:
        a, b, c, d, e = points(X, len(self.inputs)).T[:5]
        return np.asarray(10.0 * np.sin(np.pi * a * b) + 20.0 * (c - 0.5) ** 2 + 10.0 * d + 5.0 * e)

    def draw_inputs(self, n: int, rng: np.random.Generator) -> Floats:
        return rng.random((n, len(self.inputs)))


def friedman_like(noise: float = 1.0, d: int = 10) -> NumberTask:
    """A number that depends on five of d inputs, with normal noise about it.

    Parameters
    ----------
    noise : float
        The standard deviation of the noise.
    d : int
        The number of inputs.

    Returns
    -------
    NumberTask
        The task: draws rows, knows their posteriors.

    Raises
    ------
    InputError
        If an argument lies outside its range.

    Examples
    --------
    >>> friedman_like(noise=2.0).bayes_error().value
    4.0

    References
    ----------
    Friedman (1991), Multivariate adaptive regression splines, section 4.3.
    """
    noise = within(noise, 0.0, 1e6, "noise")
    d = at_least(d, 5, "d")
    return Friedman(
        name=f"friedman_like(noise={noise:g}, d={d})",
        inputs=tuple(f"x{at + 1}" for at in range(d)),
        noise_variance=noise**2,
    )


@dataclass(frozen=True, eq=False, repr=False)
class Noisy(Task):
    """The clean task, each label replaced with probability `flip` by another, all alike."""

    clean: Task
    flip: float

    def posteriors(self, X: ArrayLike) -> Floats:
        return mixed(self.clean.posteriors(X), self.flip)

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Floats, Codes]:
        X, truth = self.clean.draw(n, rng)
        k = len(self.classes)
        wrong = rng.random(n) < self.flip
        step = rng.integers(1, k, size=n)  # to one of the other classes
        return X, np.where(wrong, (truth + step) % k, truth)

    def bayes_error(self, seed: int = 0, n: int = 10**6) -> BayesError:
        """From the clean task's, exact if that is: the best decisions stay what they were."""
        error, se = self.clean.bayes_error(seed, n)
        others = len(self.classes) - 1
        right = (1.0 - self.flip) * (1.0 - error) + self.flip * error / others
        return BayesError(1.0 - right, se * abs(1.0 - self.flip - self.flip / others))


def mixed(posteriors: Floats, flip: float) -> Floats:
    """The posteriors after labels were flipped.

    >>> mixed(np.array([[1.0, 0.0]]), 0.25).tolist()
    [[0.75, 0.25]]
    """
    others = posteriors.shape[1] - 1
    return np.asarray((1.0 - flip) * posteriors + flip * (1.0 - posteriors) / others)


def label_noise(task: Task, flip: float = 0.1) -> Task:
    """The task with each label wrong with probability `flip`.

    At (k - 1)/k the labels tell nothing any more; beyond it the best rule would turn around.

    Parameters
    ----------
    task : Task
        The task whose labels are changed.
    flip : float
        The probability of a wrong label, any of the others.

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
    >>> from heliast.data.simulate import two_gaussians
    >>> round(label_noise(two_gaussians(0.15), 0.1).bayes_error().value, 6)
    0.22
    """
    flip = within(flip, 0.0, 1.0 - 1.0 / len(task.classes), "flip")
    return Noisy(
        name=f"label_noise({task.name}, flip={flip:g})",
        classes=task.classes,
        inputs=task.inputs,
        shares=mixed(task.shares[None, :], flip)[0],
        clean=task,
        flip=flip,
    )
