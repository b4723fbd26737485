"""Paired subsampling: what the conservative z interval reads."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from heliast._core.errors import InputError
from heliast._core.told import told
from heliast.data import Dataset
from heliast.plans._checks import check_count, check_share, check_stratify, size_of
from heliast.plans._dealing import DRAWN, Deck, Stratify, dealt, times, unless_many
from heliast.plans._piece import Piece
from heliast.plans._plan import Plan
from heliast.plans._subsampling import Subsampling
from heliast.predictions import Split


@told(
    DRAWN
    | {
        "times": "int, default 15: Subsamplings J of the whole and of each half, at least 1.",
        "pairs": "int, default 10: Pairs of halves M, at least 1.",
        "train": "float, default 0.9: Share of the rows to train on, above 1/2 and below 1.",
    }
)
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

    def words(self, task: str = "classes") -> str:
        how = dealt(self.stratify, task, drawn=True)
        splits = f"{self.times} splits, {self.train:.0%} of the rows to train on, dealt {how}"
        return f"{splits}, and as many of both halves of the rows, halved {times(self.pairs)}"

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        deck = Deck.of(data, unless_many(self.stratify, data))
        away = deck.n - size_of("train", self.train, deck)
        if away >= deck.n // 2 or deck.units < 4:
            raise InputError(
                f"train={self.train:g}: each half of the {deck.n} rows must hold the {away} test "
                "rows and some to train on; give a larger share or more rows (at least 4 groups)"
            )
        yield from Subsampling(self.times, self.train, self.stratify).pieces(data, rng)
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
