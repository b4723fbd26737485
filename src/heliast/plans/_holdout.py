"""Holdout: one part to train on, the rest to test on."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from heliast._core.told import told
from heliast.data import Dataset
from heliast.plans._checks import check_share, check_stratify
from heliast.plans._dealing import DRAWN, Stratify, dealt
from heliast.plans._piece import Piece
from heliast.plans._plan import Plan
from heliast.plans._subsampling import Subsampling


@told(DRAWN)
@dataclass(frozen=True)
class Holdout(Plan):
    """Train on two thirds of the rows, test on the others (Leung 2007, section 2.1).

    The training part has the share `train` of the rows, rounded to the nearest row. With two
    classes, or `stratify=True`: of every class its share, rounded up or down. More classes are
    drawn as they come, because even parts would show too small an error. Groups stay whole.

    What it estimates is the error of this one fitted model, so its interval is the honest one of a
    test set; its flaw is that rows used for testing are lost to training, which small data feel.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(150) % 3, "classes", ("a", "b", "c"))
    >>> split, = Holdout().on(data, seed=1).splits
    >>> split.n_train, split.n_test
    (100, 50)

    References
    ----------
    K. M. Leung (2007), Estimating and Reducing the Error of a Classifier or Predictor.
    """

    train: float = 2 / 3
    stratify: Stratify = "auto"

    def __post_init__(self) -> None:
        check_share("train", self.train)
        check_stratify(self.stratify)

    def words(self, task: str = "classes") -> str:
        how = dealt(self.stratify, task, drawn=True)
        return f"one split, {self.train:.0%} of the rows to train on, dealt {how}"

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        return Subsampling(1, self.train, self.stratify).pieces(data, rng)
