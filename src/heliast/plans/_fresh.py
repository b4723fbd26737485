"""Fresh training sets of a simulated task."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast.data import Dataset
from heliast.plans._checks import check_count
from heliast.plans._piece import Piece
from heliast.plans._plan import Plan
from heliast.predictions import Split


@dataclass(frozen=True)
class Fresh(Plan):
    """`times` independent training sets of `n_train` rows, all predicting the same fixed rows.

    What no real data set can give: the training set varies as the theory says it does, and the
    rows to predict stay, so bias, variance and the true error of a recipe can be read off. The data
    must come from a simulated task (`data.simulated`). `n_train` may also give the rows of each
    class, in class order. `n_test` takes so many of the rows, drawn once; by default all. No row to
    predict is ever in a training set: `seen` is 0.

    Parameters
    ----------
    times : int
        Number of training sets, at least 1.
    n_train : int or tuple of int
        Rows of each training set, or the rows of each class in class order.
    n_test : int, optional
        So many rows to predict, drawn once; None is all.

    Examples
    --------
    >>> from heliast.data import simulate
    >>> data = simulate.two_gaussians(bayes_error=0.15).sample(500, seed=1)
    >>> frozen = Fresh(times=20, n_train=50).on(data, seed=2)
    >>> len(frozen), frozen.pieces[0].data.n, int(frozen.pieces[0].seen(500).sum())
    (20, 50, 0)

    References
    ----------
    T. Hastie, R. Tibshirani and J. Friedman (2009), The Elements of Statistical Learning, section
    7.2.
    """

    times: int
    n_train: int | tuple[int, ...]
    n_test: int | None = None

    def __post_init__(self) -> None:
        check_count("times", self.times)
        for count in self.n_train if isinstance(self.n_train, tuple) else (self.n_train,):
            check_count("n_train", count)
        if self.n_test is not None:
            check_count("n_test", self.n_test)

    @property
    def judged(self) -> bool:
        return False  # the rows to predict are the data themselves

    def words(self, task: str = "classes") -> str:
        sizes = self.n_train if isinstance(self.n_train, tuple) else (self.n_train,)
        rows = f"{' + '.join(map(str, sizes))} rows"
        return f"{self.times} training sets of {rows} newly drawn, all tested on the same rows"

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        if data.simulated is None:
            raise InputError(
                f"plan={self!r}: data {data.name!r} are not simulated, so no fresh rows can be "
                "drawn; use a task of heliast.data.simulate, or Subsampling on these rows"
            )
        test = np.arange(data.n)
        if self.n_test is not None:
            if self.n_test > data.n:
                raise InputError(f"n_test={self.n_test}: the data have only {data.n} rows")
            test = np.sort(rng.choice(data.n, self.n_test, replace=False))
        total = sum(self.n_train) if isinstance(self.n_train, tuple) else self.n_train
        train = np.arange(total)
        for repeat in range(self.times):
            sample = FreshSample(data.simulated, self.n_train, int(rng.integers(2**62)))
            piece = Piece.using(total, train, test, Split(0, repeat=repeat))
            yield piece.but(fresh=sample)


@dataclass(frozen=True)
class FreshSample:
    """Makes one training set, the same at every call: its repr says all that decides it."""

    task: Any
    n: int | tuple[int, ...]
    seed: int

    def __call__(self) -> Dataset:
        return _drawn(self)


@lru_cache(maxsize=2)
def _drawn(sample: FreshSample) -> Dataset:
    """Kept for the next call: a fit asks for its training set several times."""
    data: Dataset = sample.task.sample(sample.n, sample.seed)
    return data
