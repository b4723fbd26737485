"""The bootstrap: train on a resample, predict the rows it left out."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

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

    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(100) % 2, "classes", ("a", "b"))
    >>> frozen = Bootstrap(50).on(data, seed=1)
    >>> len(frozen), frozen.splits.records[-1].role
    (51, 'full')
    >>> int(frozen.pieces[0].seen(100).sum())
    100

    Reference: B. Efron and R. Tibshirani (1997), Improvements on cross-validation: the .632+
    bootstrap method, Journal of the American Statistical Association 92.
    """

    times: int = 100

    def __post_init__(self) -> None:
        check_count("times", self.times)

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        deck = Deck.of(data, False)
        if deck.units < 2:
            raise InputError("all rows are of one group: a resample of groups leaves nothing out")
        for repeat in range(self.times):
            counts = _resample(deck, rng)
            train = np.repeat(deck.positions, counts)
            record = Split(0, repeat=repeat)
            yield Piece.using(data.n, train, np.flatnonzero(counts == 0), record)
        yield Piece.using(data.n, deck.positions, deck.positions, Split(0, role="full"))


def _resample(deck: Deck, rng: np.random.Generator) -> Positions:
    """How often each row is drawn, some row never."""
    while True:
        counts = np.bincount(rng.integers(deck.units, size=deck.units), minlength=deck.units)
        if (counts == 0).any():
            return counts if deck.group is None else counts[deck.group]
