"""The bootstrap: train on a resample, predict the rows it left out."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast.data import Dataset
from heliast.plans._checks import check_count
from heliast.plans._dealing import Deck
from heliast.plans._piece import Piece, Positions
from heliast.plans._plan import Plan
from heliast.predictions import Split


@dataclass(frozen=True)
class Bootstrap(Plan):
    """Resamples of n rows drawn with replacement; each predicts the rows it did not draw.

    A row is left out with probability (1 - 1/n)^n, about 0.368. One more split of role `full` is
    the fit on all rows predicting all rows: the training error that .632 and .632+ weigh against
    the left-out error. With groups, whole groups are drawn, as many as there are. A resample that
    leaves nothing out, which only a handful of rows ever gives, is drawn again. Training rows are
    held in order of the data.

    `inner` resamples every resample so many times more: splits of role `inner` with `outer` = the
    repeat they were drawn from, which predict those of its rows that they did not draw. The
    two-stage interval reads them, and the predictions of training rows (`run(in_sample=True)`). It
    costs times * inner fits more; the resamples themselves are the same with and without.

    Parameters
    ----------
    times : int, default 100
        Number of resamples, at least 1.
    inner : int, default 0
        Resamples of each resample, for the two-stage interval; 0 is none.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(100) % 2, "classes", ("a", "b"))
    >>> frozen = Bootstrap(50).on(data, seed=1)
    >>> len(frozen), frozen.splits.records[-1].role
    (51, 'full')
    >>> int(frozen.pieces[0].seen(100).sum())
    100
    >>> Bootstrap(50, inner=2).on(data, seed=1).splits.records[51].role
    'inner'

    References
    ----------
    B. Efron and R. Tibshirani (1997), Improvements on cross-validation: the .632+ bootstrap method,
    Journal of the American Statistical Association 92.
    """

    times: int = 100
    inner: int = 0

    def __post_init__(self) -> None:
        check_count("times", self.times)
        check_count("inner", self.inner, 0)

    def words(self, task: str = "classes") -> str:
        inner = f", and {self.inner} of each of them" if self.inner else ""
        return f"{self.times} bootstrap samples{inner}, each tested on what it did not draw"

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        deck = Deck.of(data, False)
        if deck.units < 2:
            raise InputError("all rows are of one group: a resample of groups leaves nothing out")
        if self.inner and deck.units < 3:
            raise InputError(f"inner={self.inner}: a resample of 2 rows or groups repeats one")
        drawn = []
        for repeat in range(self.times):
            counts = _resample(deck.units, rng, 2 if self.inner else 1)
            yield _piece(deck, counts, counts == 0, Split(0, repeat=repeat))
            drawn.append(counts)
        yield Piece.using(data.n, deck.positions, deck.positions, Split(0, role="full"))
        for outer, counts in enumerate(drawn):
            for repeat in range(self.inner):
                again = _again(counts, rng)
                record = Split(0, role="inner", repeat=repeat, outer=outer)
                yield _piece(deck, again, (counts > 0) & (again == 0), record)


def _piece(deck: Deck, counts: Positions, away: npt.NDArray[np.bool_], record: Split) -> Piece:
    """Train on units (rows or groups) as often as they were drawn, predict those that are away."""
    if deck.group is not None:
        counts, away = counts[deck.group], away[deck.group]
    train = np.repeat(deck.positions, counts)
    return Piece.using(deck.n, train, np.flatnonzero(away), record)


def _resample(units: int, rng: np.random.Generator, distinct: int) -> Positions:
    """How often each unit is drawn: some never, and at least so many different ones at all."""
    while True:
        counts = np.bincount(rng.integers(units, size=units), minlength=units)
        if distinct <= np.count_nonzero(counts) < units:
            return counts


def _again(counts: Positions, rng: np.random.Generator) -> Positions:
    """A resample of a resample that leaves out one of its units at least."""
    copies = np.repeat(np.arange(counts.size), counts)
    while True:
        chosen = copies[rng.integers(copies.size, size=copies.size)]
        again = np.bincount(chosen, minlength=counts.size)
        if ((again == 0) & (counts > 0)).any():
            return again
