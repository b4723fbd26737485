"""A task with known densities: what every simulated task can tell and draw."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.kinds import ArrayLike
from heliast._core.labels import Label
from heliast.data._dataset import Dataset, Input

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
Size = int | Sequence[int]
Purpose = Literal["task", "rows", "error"]

_CHUNK = 50_000
"""Rows whose posteriors are held at once while the Bayes error is averaged."""


class BayesError(NamedTuple):
    """The least error any model can have, and the standard error of that figure (0 if exact).

    Examples
    --------
    >>> from heliast.data import simulate
    >>> simulate.friedman_like(noise=2.0).bayes_error()
    BayesError(value=4.0, se=0.0)
    """

    value: float
    se: float


@dataclass(frozen=True, eq=False, repr=False)
class Task(ABC):
    """Classes whose posteriors are known at every point.

    Parameters
    ----------
    name : str
        How the task was made.
    classes : tuple of Label
        The classes in order.
    inputs : tuple of str
        Names of the inputs.
    shares : array
        Class probabilities of the population, in class order.

    Examples
    --------
    >>> from heliast.data import simulate
    >>> task = simulate.two_gaussians(bayes_error=0.1)
    >>> task.classes, task.shares.tolist()
    (('A', 'B'), [0.5, 0.5])
    """

    name: str
    classes: tuple[Label, ...]
    inputs: tuple[str, ...]
    shares: Floats

    @abstractmethod
    def posteriors(self, X: ArrayLike) -> Floats:
        """The probability of each class at each row.

        Parameters
        ----------
        X : array-like
            Rows of inputs, (n, inputs).

        Returns
        -------
        array
            One column a class, in class order.
        """

    @abstractmethod
    def draw(self, n: int, rng: np.random.Generator) -> tuple[Floats, Codes]:
        """Independent rows of the population.

        Parameters
        ----------
        n : int
            How many rows, at least 1.
        rng : np.random.Generator
            Where chance comes from.

        Returns
        -------
        tuple of arrays
            Inputs and class codes.
        """

    def sample(self, n: Size, seed: int = 0) -> Dataset:
        """n rows of the population, or so many of each class (in class order), shuffled.

        Counts change what is drawn, not the task: the posteriors still refer to `shares`.

        Parameters
        ----------
        n : int or sequence of int
            How many rows, or how many of each class.
        seed : int
            Seed of the draw.

        Returns
        -------
        Dataset
            The rows with their true posteriors.

        Raises
        ------
        InputError
            If there are to be no rows, or classes cannot be drawn apart.
        """
        rng = generator(seed, "rows")
        if isinstance(n, (int, float, np.generic)):
            X, truth = self.draw(_count(n), rng)
        else:
            X, truth = self.draw_counts(self._counts(n), rng)
            order = rng.permutation(truth.size)
            X, truth = X[order], truth[order]
        return Dataset(
            inputs=_inputs(X, self.inputs),
            y_true=truth,
            task="classification",
            classes=self.classes,
            target="class",
            name=self.name,
            posteriors=self.posteriors(X),
            simulated=self,
        )

    def draw_counts(self, counts: Sequence[int], rng: np.random.Generator) -> tuple[Floats, Codes]:
        """So many rows of each class, in class order, where classes can be drawn apart.

        Parameters
        ----------
        counts : sequence of int
            Rows of each class, in class order.
        rng : np.random.Generator
            Where chance comes from.

        Returns
        -------
        tuple[array, array]
            Inputs (n, inputs) and class codes (n,), class after class.

        Raises
        ------
        InputError
            If the task does not draw classes apart.
        """
        raise InputError(f"{self.name}: rows are not drawn by class; give n as one number")

    def bayes_labels(self, X: ArrayLike) -> npt.NDArray[Any]:
        """The class of largest posterior at each row; the first in order where two are equal.

        Parameters
        ----------
        X : array-like
            Rows of inputs, (n, inputs).

        Returns
        -------
        array
            One label a row.
        """
        best = self.posteriors(X).argmax(axis=1)
        return np.asarray(np.array(self.classes)[best])

    def bayes_error(self, seed: int = 0, n: int = 10**6) -> BayesError:
        """The error of the Bayes classifier: exact where there is a formula, else a mean.

        The mean of 1 - (largest posterior) over n rows; it varies less than counted errors do.

        Parameters
        ----------
        seed, n : int
            Seed and number of the rows, where there is no formula.

        Returns
        -------
        BayesError
            The value and its standard error.
        """
        rng = generator(seed, "error")
        total = squares = 0.0
        for start in range(0, _count(n), _CHUNK):
            X, _ = self.draw(min(_CHUNK, n - start), rng)
            lost = 1.0 - self.posteriors(X).max(axis=1)
            total += float(lost.sum())
            squares += float(lost @ lost)
        mean = total / n
        spread = max(squares / n - mean * mean, 0.0) / max(n - 1, 1)
        return BayesError(mean, spread**0.5)

    def __repr__(self) -> str:
        return self.name

    def _counts(self, counts: Sequence[int]) -> Sequence[int]:
        found = [_count(one, least=0) for one in counts]
        if len(found) != len(self.classes) or not any(found):
            raise InputError(
                f"n={list(counts)}: give one count a class, {len(self.classes)} in all, not all 0"
            )
        return found


@dataclass(frozen=True, eq=False, repr=False)
class NumberTask(ABC):
    """A number whose mean at every point, and the variance of the noise about it, are known.

    Parameters
    ----------
    name : str
        How the task was made; equal names are equal tasks.
    inputs : tuple of str
        Names of the inputs.
    noise_variance : float
        Variance of the noise about the mean.
    classes : tuple of Label
        None: a number has no classes.

    Examples
    --------
    >>> from heliast.data import simulate
    >>> simulate.friedman_like(noise=1.0).sample(100, seed=1).task
    'regression'
    """

    name: str
    inputs: tuple[str, ...]
    noise_variance: float
    classes: tuple[Label, ...] = ()

    @abstractmethod
    def mean(self, X: ArrayLike) -> Floats:
        """The expected number at each row: the best prediction under squared loss.

        Parameters
        ----------
        X : array-like
            Rows of inputs, (n, inputs).

        Returns
        -------
        array
            One number a row.
        """

    @abstractmethod
    def draw_inputs(self, n: int, rng: np.random.Generator) -> Floats:
        """n independent rows of inputs.

        Parameters
        ----------
        n : int
            How many rows, at least 1.
        rng : np.random.Generator
            Where chance comes from.

        Returns
        -------
        array
            Inputs, (n, inputs).
        """

    def sample(self, n: int, seed: int = 0) -> Dataset:
        """Rows with normal noise about the mean.

        Parameters
        ----------
        n : int
            How many rows, at least 1.
        seed : int
            Seed of the draw.

        Returns
        -------
        Dataset
            The rows.
        """
        rng = generator(seed, "rows")
        X = self.draw_inputs(_count(n), rng)
        noise = rng.normal(scale=self.noise_variance**0.5, size=n)
        return Dataset(
            inputs=_inputs(X, self.inputs),
            y_true=self.mean(X) + noise,
            task="regression",
            name=self.name,
            simulated=self,
        )

    def bayes_labels(self, X: ArrayLike) -> Floats:
        """The best prediction under squared loss.

        Parameters
        ----------
        X : array-like
            Rows of inputs, (n, inputs).

        Returns
        -------
        array
            The mean at each row, (n,).
        """
        return self.mean(X)

    def bayes_error(self) -> BayesError:
        """The least mean squared error any model can have.

        Returns
        -------
        BayesError
            The variance of the noise, exact.
        """
        return BayesError(self.noise_variance, 0.0)

    def __repr__(self) -> str:
        return self.name


def points(X: ArrayLike, width: int) -> Floats:
    """X as rows of `width` numbers."""
    rows = np.asarray(X, np.float64)
    if rows.ndim != 2 or rows.shape[1] != width:
        raise InputError(f"X has shape {rows.shape}; this task has {width} inputs a row")
    return rows


def within(value: float, low: float, high: float, argument: str, open_: bool = False) -> float:
    """The value, if it lies between the two limits (`open_`: strictly)."""
    inside = low < value < high if open_ else low <= value <= high
    if not inside:
        raise InputError(
            f"{argument}={value!r}: choose a number {'inside' if open_ else 'from'} {low} to {high}"
        )
    return float(value)


def at_least(value: int, least: int, argument: str) -> int:
    """The whole number, if it is large enough."""
    if not isinstance(value, (int, np.integer)) or value < least:
        raise InputError(f"{argument}={value!r}: choose a whole number of at least {least}")
    return int(value)


def _count(n: object, least: int = 1) -> int:
    return at_least(n, least, "n")  # type: ignore[arg-type]


def generator(seed: int, purpose: Purpose) -> np.random.Generator:
    """Random numbers of their own for each purpose, so that one seed may serve several."""
    key = sum(ord(letter) << (8 * at) for at, letter in enumerate(purpose[:4]))
    return np.random.default_rng(
        np.random.SeedSequence(at_least(seed, 0, "seed"), spawn_key=(key,))
    )


def _inputs(X: Floats, names: Sequence[str]) -> tuple[Input, ...]:
    return tuple(Input(name, np.ascontiguousarray(X[:, at])) for at, name in enumerate(names))
