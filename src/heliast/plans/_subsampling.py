"""Random subsampling: the holdout, repeated."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from heliast._core.told import told
from heliast.data import Dataset
from heliast.plans._checks import check_count, check_share, check_stratify, size_of
from heliast.plans._dealing import DRAWN, Deck, Stratify, dealt, unless_many
from heliast.plans._piece import Piece
from heliast.plans._plan import Plan
from heliast.predictions import Split


@told(DRAWN | {"times": "int, default 10: How often it is done, at least 1."})
@dataclass(frozen=True)
class Subsampling(Plan):
    """The holdout repeated with new parts each time; results are averaged.

    Parts are drawn as those of `Holdout`: by class with two classes, at random with more.
    Test parts of different times overlap, and so do training parts, so the results are dependent:
    a plain t interval over them is far too short (Nadeau and Bengio 2003).

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(30) % 2, "classes", ("a", "b"))
    >>> [(one.repeat, one.n_train) for one in Subsampling(3).on(data, seed=1).splits]
    [(0, 20), (1, 20), (2, 20)]

    References
    ----------
    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52.
    """

    times: int = 10
    train: float = 2 / 3
    stratify: Stratify = "auto"

    def __post_init__(self) -> None:
        check_count("times", self.times)
        check_share("train", self.train)
        check_stratify(self.stratify)

    def words(self, task: str = "classes") -> str:
        how = dealt(self.stratify, task, drawn=True)
        return f"{self.times} splits, {self.train:.0%} of the rows to train on, dealt {how}"

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        deck = Deck.of(data, unless_many(self.stratify, data))
        size = size_of("train", self.train, deck)
        for repeat in range(self.times):
            _, test = deck.divide(size, rng)
            yield Piece.leaving(data.n, test.positions, record=Split(0, repeat=repeat))
