"""Leave-one-out: as many folds as rows."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from heliast.data import Dataset
from heliast.plans._dealing import Deck
from heliast.plans._piece import Piece
from heliast.plans._plan import Plan
from heliast.predictions import Split


@dataclass(frozen=True)
class LeaveOneOut(Plan):
    """Each row tested by a model trained on all the others: n fits, no random choice.

    With groups it leaves out one group at a time. Its interval holds for stable learners only, and
    measures that need several rows at once (AUC) are undefined in a fold of one row.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.array([0, 1, 0]), "classes", ("a", "b"))
    >>> [piece.train.tolist() for piece in LeaveOneOut().on(data)]
    [[1, 2], [0, 2], [0, 1]]

    References
    ----------
    M. Stone (1974), Cross-validatory choice and assessment of statistical predictions, Journal of
    the Royal Statistical Society B 36.
    """

    @property
    def judged(self) -> bool:
        return False  # one row, or one group, represents nothing, and there are no others to draw

    def words(self, task: str = "classes") -> str:
        return "leave-one-out cross-validation"

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        deck = Deck.of(data, False)
        if deck.group is None:
            parts = list(np.arange(data.n).reshape(-1, 1))
        else:
            order = np.argsort(deck.group, kind="stable")
            parts = np.split(order, np.cumsum(np.bincount(deck.group))[:-1])
        for fold, test in enumerate(parts):
            yield Piece.leaving(data.n, test, record=Split(0, fold=fold))
