"""Nested folds: what the nested cross-validation interval reads."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from heliast._core.told import told
from heliast.data import Dataset
from heliast.plans._checks import check_count, check_folds, check_stratify
from heliast.plans._dealing import DEALT, Deck, Stratify, dealt, times
from heliast.plans._piece import Piece, Positions
from heliast.plans._plan import Plan
from heliast.plans._remarks import small_classes
from heliast.predictions import Split


@told(
    DEALT
    | {
        "k": "int, default 10: Number of folds, at least 3.",
        "repeats": "int, default 50: How often folds are drawn anew, at least 1.",
    }
)
@dataclass(frozen=True)
class NestedFolds(Plan):
    """K folds, and for each of them a cross-validation over the other K - 1, many times over.

    For every repeat and fold `o`: one split of role `test` (train on all folds but `o`, predict
    `o`) and K - 1 splits of role `inner` with `outer` = o (train on all folds but `o` and `fold`,
    predict `fold`). Comparing the inner estimate with the outer loss shows by how much
    cross-validation misses the error it aims at; the nested interval is built on that.

    The fit without folds a and b serves as inner fit of both, so a repeat costs K + K(K - 1)/2
    fits. The estimate of the spread is noisy: the authors use hundreds of repeats.

    This is an interval method. Choosing parameters inside folds is another thing: there the model
    is a search and the plan any plan.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(20) % 2, "classes", ("a", "b"))
    >>> frozen = NestedFolds(5, repeats=1).on(data, seed=1)
    >>> len(frozen), len(frozen.splits.of_role("inner")), len({piece.fit for piece in frozen})
    (25, 20, 15)

    References
    ----------
    S. Bates, T. Hastie and R. Tibshirani (2021), Cross-validation: what does it estimate and how
    well does it do it?, arXiv 2104.00673.
    """

    k: int = 10
    repeats: int = 50
    stratify: Stratify = "auto"

    def __post_init__(self) -> None:
        check_count("k", self.k, 3)
        check_count("repeats", self.repeats)
        check_stratify(self.stratify)

    def words(self, task: str = "classes") -> str:
        folds = f"{self.k}-fold cross-validation, folds dealt {dealt(self.stratify, task)}"
        return f"{folds}, {times(self.repeats)}, with one inside the training part of every fold"

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        deck = Deck.of(data, self.stratify)
        check_folds(self.k, deck)
        for repeat in range(self.repeats):
            yield from self._repeat(data.n, repeat, deck.folds(self.k, rng))

    def _repeat(self, n: int, repeat: int, folds: list[Positions]) -> Iterator[Piece]:
        # One piece per pair of folds, so that both inner splits of a pair share its rows.
        pairs = {
            (a, b): Piece.leaving(n, np.concatenate([folds[a], folds[b]]), fit=(repeat, a, b))
            for a in range(self.k)
            for b in range(a + 1, self.k)
        }
        for outer in range(self.k):
            yield Piece.leaving(n, folds[outer], record=Split(0, repeat=repeat, fold=outer))
            for fold in range(self.k):
                if fold != outer:
                    pair = pairs[min(fold, outer), max(fold, outer)]
                    record = Split(0, role="inner", repeat=repeat, fold=fold, outer=outer)
                    yield pair.but(test=folds[fold], record=record)

    def remarks(self, data: Dataset) -> Iterator[str]:
        return small_classes(data, self.k)
