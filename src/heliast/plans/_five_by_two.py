"""Five times two-fold cross-validation."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from heliast._core.told import told
from heliast.data import Dataset
from heliast.plans._checks import check_stratify
from heliast.plans._dealing import DRAWN, Stratify, dealt, unless_many
from heliast.plans._kfold import KFold
from heliast.plans._piece import Piece
from heliast.plans._plan import Plan


@told(DRAWN)
@dataclass(frozen=True)
class FiveByTwo(Plan):
    """The rows halved five times; each half trains a model that the other half tests.

    The design of Dietterich's 5 x 2 t-test and Alpaydin's F-test: the two training sets of a
    repeat have no row in common. Models learn from half the rows only. With more than two classes
    the halves are drawn at random, as Dietterich's are; `stratify=True` deals classes evenly.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(20) % 2, "classes", ("a", "b"))
    >>> frozen = FiveByTwo().on(data, seed=1)
    >>> len(frozen), {one.n_train for one in frozen.splits}
    (10, {10})

    References
    ----------
    T. G. Dietterich (1998), Approximate statistical tests for comparing supervised classification
    learning algorithms, Neural Computation 10.
    """

    stratify: Stratify = "auto"

    def __post_init__(self) -> None:
        check_stratify(self.stratify)

    def words(self, task: str = "classes") -> str:
        return f"2-fold cross-validation, folds dealt {dealt(self.stratify, task, True)}, 5 times"

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        return KFold(2, 5, unless_many(self.stratify, data)).pieces(data, rng)

    def remarks(self, data: Dataset) -> Iterator[str]:
        return KFold(2, 5, self.stratify).remarks(data)
