"""Windows that move with time: train on the past, test what comes next."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from heliast._core.errors import InputError
from heliast.data import Dataset
from heliast.plans._checks import check_count
from heliast.plans._piece import Piece
from heliast.plans._plan import Plan
from heliast.predictions import Split


@dataclass(frozen=True)
class Rolling(Plan):
    """Train on a window of the past, test what follows, move on: the window keeps its length.

    Windows count times (those of `read(..., time=)`): rows of one time stay together, and where
    every row has a time of its own, or none is told and rows stand in order, they count rows. The
    last test may be shorter. The value speaks of the recipe trained on `train` times, as time goes
    on (Giacomini and White 2006, Tests of conditional predictive ability, Econometrica 74).

    Parameters
    ----------
    train, test : int
        How many times to train on, and how many of the next to test.
    step : int, optional
        How many times to move on; as many as are tested if not given.
    gap : int, default 0
        So many times between training and test are left out: as many as pass before the truth of
        a row is known.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(7) % 2, "classes", ("a", "b"))
    >>> [(piece.train.tolist(), piece.test.tolist()) for piece in Rolling(3, 2).on(data)]
    [([0, 1, 2], [3, 4]), ([2, 3, 4], [5, 6])]
    """

    train: int
    test: int = 1
    step: int | None = None
    gap: int = 0
    _growing: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for name in ("train", "test", "step"):
            if getattr(self, name) is not None:
                check_count(name, getattr(self, name))
        check_count("gap", self.gap, 0)

    def words(self, task: str = "classes") -> str:
        many = f"{self.train} times" if self.train > 1 else "one time"
        past = f"all of the past, at first {many}" if self._growing else f"the last {many}"
        after = f", {self.gap} left out between" if self.gap else ""
        step = f", moved by {self.step}" if self.step else ""
        tested = f"the next {self.test}" if self.test > 1 else "the next one"
        return f"windows of time, {past} to train on and {tested} to test{after}{step}"

    @property
    def judged(self) -> bool:
        return False  # chance has no part in these splits

    def walks(self, data: Dataset, pieces: Sequence[Piece]) -> bool:
        return True

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        if data.group is not None and not data.ordered:
            raise InputError(
                f"{type(self).__name__} goes by time, but rows come in groups: give time= instead "
                "of group="
            )
        times = data.times
        last, order = int(times.max()) + 1, np.argsort(times, kind="stable")
        edge = np.searchsorted(times[order], np.arange(last + 1))
        first = self.train + self.gap
        if first >= last:
            raise InputError(
                f"train={self.train}, gap={self.gap}: of {last} times none is left to test; train "
                "on fewer"
            )
        for fold, start in enumerate(range(first, last, self.step or self.test)):
            end = start - self.gap
            begin = 0 if self._growing else end - self.train
            train = np.sort(order[edge[begin] : edge[end]])
            test = np.sort(order[edge[start] : edge[min(start + self.test, last)]])
            yield Piece.using(data.n, train, test, Split(0, fold=fold))

    def remarks(self, data: Dataset) -> Iterator[str]:
        if not data.ordered:
            yield "rows are taken to stand in order of time; time= (--time) names a column of times"


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
        How many times to move on; as many as are tested if not given.
    gap : int, default 0
        So many times between training and test are left out.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(7) % 2, "classes", ("a", "b"))
    >>> [(piece.n_train, piece.test.tolist()) for piece in Expanding(3, 2).on(data)]
    [(3, [3, 4]), (5, [5, 6])]
    """

    _growing: ClassVar[bool] = True


def forward(tests: int, data: Dataset) -> Expanding:
    """So many tests of equal length forward in time, as TimeSeriesSplit(tests) has them.

    >>> forward(3, Dataset((), np.arange(10) % 2, "classes", ("a", "b")))
    Expanding(train=4, test=2, step=None, gap=0)
    """
    check_count("k", tests, 2)
    times = int(data.times.max()) + 1
    length = times // (tests + 1)
    if length < 1:
        raise InputError(
            f"k={tests}: there are only {times} times, so k can be {times - 1} at most"
        )
    return Expanding(times - tests * length, length)
