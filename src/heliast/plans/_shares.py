"""Plans by shares of the rows: divided once, into three, many times, and in pairs of halves."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from heliast._core.errors import InputError
from heliast._core.told import told
from heliast.data import Dataset
from heliast.plans._checks import check_count, check_share, check_stratify, size_of
from heliast.plans._dealing import Deck, Stratify, unless_many
from heliast.plans._piece import Piece
from heliast.plans._plan import Plan
from heliast.predictions import Split


@dataclass(frozen=True)
class Holdout(Plan):
    """Train on two thirds of the rows, test on the others (Leung 2007, section 2.1).

    The training part has the share `train` of the rows, rounded to the nearest row. With two
    classes, or `stratify=True`: of every class its share, rounded up or down. More classes are
    drawn as they come, because even parts would show too small an error. Groups stay whole.

    What it estimates is the error of this one fitted model, so its interval is the honest one of a
    test set; its flaw is that rows used for testing are lost to training, which small data feel.

    Parameters
    ----------
    train : float, default 0.6666666666666666
        Share of the rows to train on, above 0 and below 1.
    stratify : Stratify, default 'auto'
        Whether classes are dealt evenly: `auto` does so for two classes; a number is so many
        quantile bins of a number target.

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

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        deck = Deck.of(data, unless_many(self.stratify, data))
        _, test = deck.divide(size_of("train", self.train, deck), rng)
        yield Piece.leaving(data.n, test.positions)


@told(Holdout)
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


@told(Holdout)
@dataclass(frozen=True)
class Subsampling(Plan):
    """The holdout repeated with new parts each time; results are averaged.

    Parts are drawn as those of `Holdout`: by class with two classes, at random with more.
    Test parts of different times overlap, and so do training parts, so the results are dependent:
    a plain t interval over them is far too short (Nadeau and Bengio 2003).

    Parameters
    ----------
    times : int, default 10
        How often it is done, at least 1.

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

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        deck = Deck.of(data, unless_many(self.stratify, data))
        size = size_of("train", self.train, deck)
        for repeat in range(self.times):
            _, test = deck.divide(size, rng)
            yield Piece.leaving(data.n, test.positions, record=Split(0, repeat=repeat))


@told(Holdout)
@dataclass(frozen=True)
class PairedSubsampling(Plan):
    """Subsampling for the estimate, and pairs of subsamplings on disjoint halves for its spread.

    1. Role `test`: `times` (J) subsamplings of all n rows, n_train = train * n rows to train on
       and n_test = n - n_train to test on. Their mean is the estimate.
    2. Role `inner`: `pairs` (M) times, the rows are cut into two disjoint halves of floor(n/2)
       rows, and in each half (`outer` = 0 or 1, `repeat` = the pair) J subsamplings (`fold`) test
       the same n_test rows a time and train on the floor(n/2) - n_test that remain.

    The means m0 and m1 of the two halves of a pair share no row, so (m0 - m1)^2 / 2, averaged over
    pairs, estimates without bias the variance of a subsampling mean with fewer training rows. That
    is larger than the variance wanted: the z interval built on it errs on the safe side.

    Costs J (1 + 2M) fits. Test rows must be fewer than half of all rows, so `train` > 1/2.

    Parameters
    ----------
    times : int, default 15
        Subsamplings J of the whole and of each half, at least 1.
    pairs : int, default 10
        Pairs of halves M, at least 1.
    train : float, default 0.9
        Share of the rows to train on, above 1/2 and below 1.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(100) % 2, "classes", ("a", "b"))
    >>> splits = PairedSubsampling(times=2, pairs=1).on(data, seed=1).splits
    >>> [(one.role, one.outer, one.n_train, one.n_test) for one in splits][1:3]
    [('test', None, 90, 10), ('inner', 0, 40, 10)]

    References
    ----------
    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52.
    """

    times: int = 15
    pairs: int = 10
    train: float = 0.9
    stratify: Stratify = "auto"

    def __post_init__(self) -> None:
        check_count("times", self.times)
        check_count("pairs", self.pairs)
        check_share("train", self.train)
        check_stratify(self.stratify)

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        deck = Deck.of(data, unless_many(self.stratify, data))
        size = size_of("train", self.train, deck)
        away = deck.n - size
        if away >= deck.n // 2 or deck.units < 4:
            raise InputError(
                f"train={self.train:g}: each half of the {deck.n} rows must hold the {away} test "
                "rows and some to train on; give a larger share or more rows (at least 4 groups)"
            )
        for repeat in range(self.times):
            _, test = deck.divide(size, rng)
            yield Piece.leaving(data.n, test.positions, record=Split(0, repeat=repeat))
        for pair in range(self.pairs):
            for half, part in enumerate(_halves(deck, rng)):
                keep = size_of("train", (part.n - away) / part.n, part)
                for fold in range(self.times):
                    kept, test = part.divide(keep, rng)
                    record = Split(0, role="inner", repeat=pair, fold=fold, outer=half)
                    yield Piece.using(data.n, kept.positions, test.positions, record)


def _halves(deck: Deck, rng: np.random.Generator) -> tuple[Deck, Deck]:
    """Two disjoint decks of floor(n/2) rows; an odd row is left out at random."""
    first, rest = deck.divide(deck.n // 2, rng)
    odd = deck.group is None and rest.n > first.n
    return first, rest.divide(first.n, rng)[0] if odd else rest
