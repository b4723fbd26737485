"""Training, validation and test parts."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from heliast._core.errors import InputError
from heliast._core.told import told
from heliast.data import Dataset
from heliast.plans._checks import check_share, check_stratify
from heliast.plans._dealing import DRAWN, Deck, Stratify, dealt, unless_many
from heliast.plans._piece import Piece
from heliast.plans._plan import Plan
from heliast.predictions import Split


@told(DRAWN)
@dataclass(frozen=True)
class ThreeWay(Plan):
    """One part to train on, one to choose between models, one to test the choice.

    Two splits with the same training rows, so one fit serves both: role `validation` first, then
    role `test` with what `train` and `validation` leave. The winner on validation rows is selected,
    its validation error is therefore too good, and the untouched test rows give the honest one.

    Parameters
    ----------
    train : float, default 0.6
        Share of the rows to train on, above 0 and below 1.
    validation : float, default 0.2
        Share of the rows to choose by; what both leave is to test.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(100) % 2, "classes", ("a", "b"))
    >>> [(one.role, one.n_train, one.n_test) for one in ThreeWay().on(data, seed=1).splits]
    [('validation', 60, 20), ('test', 60, 20)]

    References
    ----------
    T. Hastie, R. Tibshirani and J. Friedman (2009), The Elements of Statistical Learning, section
    7.2.
    """

    train: float = 0.6
    validation: float = 0.2
    stratify: Stratify = "auto"

    def __post_init__(self) -> None:
        check_share("train", self.train)
        check_share("validation", self.validation)
        check_stratify(self.stratify)
        if self.train + self.validation >= 1:
            raise InputError(
                f"train={self.train:g} and validation={self.validation:g} leave no rows to test: "
                "their sum must be below 1"
            )

    def words(self, task: str = "classes") -> str:
        how = dealt(self.stratify, task, drawn=True)
        parts = f"{self.train:.0%} of the rows to train on, {self.validation:.0%} to choose by"
        return f"one split, {parts}, the others to test, dealt {how}"

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        deck = Deck.of(data, unless_many(self.stratify, data))
        _, checked, test = deck.parts(self._sizes(deck), rng)
        away = np.concatenate([checked.positions, test.positions])
        both = Piece.leaving(data.n, away, checked.positions, fit="one")
        yield both.but(record=Split(0, role="validation"))
        yield both.but(test=test.positions)

    def _sizes(self, deck: Deck) -> list[int]:
        train = int(self.train * deck.n + 0.5)
        checked = int(self.validation * deck.n + 0.5)
        sizes = [train, checked, deck.n - train - checked]
        if deck.units < 3 or min(sizes) < 1:
            what = f"{deck.n} rows" if deck.group is None else f"{deck.units} groups"
            raise InputError(
                f"train={self.train:g} and validation={self.validation:g}: of {what} this leaves "
                "one of the three parts empty; give more rows or other shares"
            )
        return sizes
