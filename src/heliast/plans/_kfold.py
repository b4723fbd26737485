"""K-fold cross-validation, by class and repeated."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from heliast._core.told import told
from heliast.data import Dataset
from heliast.plans._checks import check_count, check_folds, check_stratify
from heliast.plans._dealing import DEALT, Deck, Stratify, dealt, times
from heliast.plans._piece import Piece
from heliast.plans._plan import Plan
from heliast.plans._remarks import small_classes
from heliast.predictions import Split


@told(DEALT | {"repeats": "int, default 1: How often folds are drawn anew, at least 1."})
@dataclass(frozen=True)
class KFold(Plan):
    """The rows in k folds; each is tested once by a model trained on the others.

    With `repeats` = M and classes this is M times stratified K-fold cross-validation: folds are
    drawn anew M times, and in each the rows of a class are spread so that counts differ by at most
    one between folds, as do the sizes of the folds. A number target is not stratified unless asked
    (`stratify=True`, or a number of quantile bins). Groups stay whole, spread by class as evenly as
    they allow.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(30) % 3, "classes", ("a", "b", "c"))
    >>> frozen = KFold(5, repeats=2).on(data, seed=1)
    >>> len(frozen), np.bincount(data.truth[frozen.pieces[0].test])
    (10, array([2, 2, 2]))

    References
    ----------
    R. Kohavi (1995), A study of cross-validation and bootstrap for accuracy estimation and model
    selection, IJCAI.
    """

    k: int = 10
    repeats: int = 1
    stratify: Stratify = "auto"

    def __post_init__(self) -> None:
        check_count("k", self.k, 2)
        check_count("repeats", self.repeats)
        check_stratify(self.stratify)

    def words(self, task: str = "classes") -> str:
        folds = f"{self.k}-fold cross-validation, folds dealt {dealt(self.stratify, task)}"
        return f"{folds}, {times(self.repeats)}"

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        deck = Deck.of(data, self.stratify)
        check_folds(self.k, deck)
        for repeat in range(self.repeats):
            for fold, test in enumerate(deck.folds(self.k, rng)):
                yield Piece.leaving(data.n, test, record=Split(0, repeat=repeat, fold=fold))

    def remarks(self, data: Dataset) -> Iterator[str]:
        return small_classes(data, self.k)
