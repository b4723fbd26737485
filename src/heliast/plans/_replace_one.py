"""Replace one: what the replace-one interval reads."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from heliast._core.errors import InputError
from heliast._core.told import told
from heliast.data import Dataset
from heliast.plans._checks import check_count, check_stratify
from heliast.plans._dealing import DEALT, Deck, Stratify, dealt
from heliast.plans._kfold import KFold
from heliast.plans._piece import Piece, Positions
from heliast.plans._plan import Plan
from heliast.predictions import Split


@told(DEALT | {"k": "int, default 5: Number of folds, at least 2."})
@dataclass(frozen=True)
class ReplaceOne(Plan):
    """K folds, and cross-validations of half the rows in which one row after another is exchanged.

    Role `test`: the k folds of all rows. Role `inner`: a random half of the rows in k plain folds,
    `outer` = 0; then for each of its rows i = 1, 2, ... the same folds with that row exchanged for
    a row of the other half, `outer` = i. How much the result moves when one row does shows its
    variance.

    Costs 2k + (k - 1) floor(n/2) fits (the fold that tests the exchanged row needs none) and
    n^2/4 predictions: for small data, or quick models. Rows that come in groups are refused.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(20) % 2, "classes", ("a", "b"))
    >>> frozen = ReplaceOne(4).on(data, seed=1)
    >>> len(frozen), len({piece.fit for piece in frozen})
    (48, 38)

    References
    ----------
    M. Austern and W. Zhou (2020), Asymptotics of cross-validation, arXiv 2001.11111.
    """

    k: int = 5
    stratify: Stratify = "auto"

    def __post_init__(self) -> None:
        check_count("k", self.k, 2)
        check_stratify(self.stratify)

    def words(self, task: str = "classes") -> str:
        folds = f"{self.k}-fold cross-validation, folds dealt {dealt(self.stratify, task)}, once"
        return f"{folds}, and over half the rows with one row exchanged at a time"

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        deck = Deck.of(data, self.stratify)
        if deck.group is not None:
            raise InputError("ReplaceOne exchanges single rows, but these come in groups")
        half = deck.n // 2
        if half < self.k:
            raise InputError(f"k={self.k}: half of the {deck.n} rows must fill the folds")
        yield from KFold(self.k, 1, self.stratify).pieces(data, rng)
        order = rng.permutation(deck.n)
        left, right = order[:half], order[half : 2 * half]
        part = rng.permutation(np.arange(half) % self.k)
        yield from self._folds(deck.n, left, part, 0)
        for at in range(half):
            rows = left.copy()
            rows[at] = right[at]
            yield from self._folds(deck.n, rows, part, at + 1, int(part[at]))

    def _folds(
        self, n: int, rows: Positions, part: Positions, outer: int, same: int | None = None
    ) -> Iterator[Piece]:
        """Folds of some rows; fold `same` trains on the rows that it trained on at first."""
        for fold in range(self.k):
            record = Split(0, role="inner", fold=fold, outer=outer)
            piece = Piece.using(n, np.sort(rows[part != fold]), rows[part == fold], record)
            yield piece.but(fit=("half", fold) if outer == 0 or fold == same else (outer, fold))

    def remarks(self, data: Dataset) -> Iterator[str]:
        return KFold(self.k, 1, self.stratify).remarks(data)
