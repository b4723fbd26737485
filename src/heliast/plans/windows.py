"""Windows that move with time: train on the past, test what comes next."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from heliast._core.errors import InputError
from heliast.data import Dataset
from heliast.plans.piece import Piece
from heliast.plans.plan import Plan
from heliast.predictions import Split


@dataclass(frozen=True)
class Rolling(Plan):
    """Train on a window of the past, test what follows, move on: the window keeps its length.

    Windows count times (those of `read(..., time=)`): rows of one time stay together, and where
    every row has a time of its own, or no times are known and rows are in order, they count rows.
    The last test may be shorter. The estimate is that of the learning algorithm trained on `train`
    times, as time goes on (Giacomini and White 2006, Tests of conditional predictive ability,
    Econometrica 74).

    Parameters
    ----------
    train, test : int
        How many times to train on, and how many of the next to test.
    step : int, optional
        How many times to move on; by default as many as are tested.
    gap : int, default 0
        So many times between training and test are left out: as many as pass before the true
        label of a row is known.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(7) % 2, "classification", ("a", "b"))
    >>> [(piece.train.tolist(), piece.test.tolist()) for piece in Rolling(3, 2).on(data)]
    [([0, 1, 2], [3, 4]), ([2, 3, 4], [5, 6])]
    """

    train: int
    test: int = 1
    step: int | None = None
    gap: int = 0
    _growing: ClassVar[bool] = False

    _words = "rolling windows, {plan.train} times to train on, gap {plan.gap}, test {plan.test}"

    judged = False  # these splits are not random

    def walks(self, data: Dataset, pieces: Sequence[Piece]) -> bool:
        return True

    def pieces(self, data: Dataset, rng: Generator) -> Iterator[Piece]:
        if data.group is not None and not data.ordered:
            raise InputError(
                f"{type(self).__name__} goes by time, but rows come in groups: give time= instead "
                "of group="
            )
        times = data.times
        last, order = int(times.max()) + 1, np.argsort(times, kind="stable")
        edge = np.searchsorted(times[order], np.arange(last + 1))
        if self.gap < 0:
            raise InputError(f"gap must not be negative, got {self.gap}")
        starts = range(self.train + self.gap, last, self.step or self.test)
        for fold, start in enumerate(starts):
            end = start - self.gap
            begin = 0 if self._growing else end - self.train
            train = np.sort(order[edge[begin] : edge[end]])
            test = np.sort(order[edge[start] : edge[min(start + self.test, last)]])
            yield Piece.using(data.n, train, test, Split(0, fold=fold))

    def remarks(self, data: Dataset) -> Iterator[str]:
        if not data.ordered:
            yield "rows are taken to be in order of time; time= (--time) names a column of times"


@dataclass(frozen=True)
class Expanding(Rolling):
    """Train on all of the past, test what follows, move on: the window grows.

    As `Rolling`, but nothing of the past is forgotten: `train` is how many times the first window
    has. Scikit-learn's TimeSeriesSplit does the same, with windows by the number of splits.

    Parameters
    ----------
    train, test : int
        How many times the first window has, and how many of the next to test.
    step : int, optional
        How many times to move on; by default as many as are tested.
    gap : int, default 0
        So many times between training and test are left out.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(7) % 2, "classification", ("a", "b"))
    >>> [(piece.n_train, piece.test.tolist()) for piece in Expanding(3, 2).on(data)]
    [(3, [3, 4]), (5, [5, 6])]
    """

    _growing = True
    _words = (
        "expanding windows, first {plan.train} times to train on, gap {plan.gap}, test {plan.test}"
    )


def time_series_split(k: int, data: Dataset) -> Expanding:
    """K tests of equal length forward in time, as TimeSeriesSplit(k) of scikit-learn has them.

    >>> time_series_split(3, Dataset((), np.arange(10) % 2, "classification", ("a", "b")))
    Expanding(train=4, test=2, step=None, gap=0)
    """
    times = int(data.times.max()) + 1
    length = times // (k + 1)
    if length < 1:
        raise InputError(f"k={k}: {times} times can be split into {times - 1} tests at most")
    return Expanding(times - k * length, length)
