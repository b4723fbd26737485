"""Plans that vary one thing: every split of another plan, once per share."""

from abc import abstractmethod
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.told import told
from heliast.data import Dataset
from heliast.plans._checks import check_rising
from heliast.plans._dealing import group_codes
from heliast.plans._from_sklearn import as_plan
from heliast.plans._piece import Piece, Positions
from heliast.plans._plan import Plan

Choice = TypeVar("Choice")
Turns = tuple[Positions, Positions]
_TENTHS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True)
class Varied(Plan, Generic[Choice]):
    """Splits of `plan`, each varied by every share; random choices are made once per fit.

    One choice for all shares makes the variations nested; one for all pieces of a fit keeps the
    training sets of those pieces equal, so that one fit still serves them.
    """

    plan: Plan
    shares: tuple[float, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "plan", as_plan(self.plan))
        object.__setattr__(self, "shares", check_rising(self.shares))

    @property
    def judged(self) -> bool:
        return self.plan.judged

    def remarks(self, data: Dataset) -> Iterator[str]:
        return self.plan.remarks(data)

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        chosen: dict[Hashable, Choice] = {}
        for at, piece in enumerate(self.plan.pieces(data, rng)):
            if piece.fit is None:
                key: Hashable = at
                choice = self.choose(piece, data, rng)
            else:
                key = piece.fit
                choice = chosen[key] if key in chosen else self.choose(piece, data, rng)
                chosen[key] = choice
            for share in self.shares:
                yield self.vary(piece, data, choice, share).but(fit=(key, share))

    @told(
        {
            "piece": "Piece: A split of the plan inside.",
            "data": "Dataset: The data to split.",
            "rng": "np.random.Generator: Where chance comes from.",
        }
    )
    @abstractmethod
    def choose(self, piece: Piece, data: Dataset, rng: np.random.Generator) -> Choice:
        """The random choice behind all shares of one fit."""

    @told(choose)
    @abstractmethod
    def vary(self, piece: Piece, data: Dataset, choice: Choice, share: float) -> Piece:
        """The piece with this share varied.

        Parameters
        ----------
        choice : Choice
            What `choose` decided for this split.
        share : float
            The share that is varied, 0 to 1.
        """


@dataclass(frozen=True)
class LabelNoise(Varied[Turns]):
    """Every split of a plan, with the truth of a share of its training rows made wrong.

    Exactly that share of the (distinct) training rows, rounded to the nearest row, gets another
    class, each of the others equally likely; a row drawn several times is wrong every time. Test
    rows keep their truth. Within a split, more noise adds wrong labels to those that less noise
    has. The share is recorded as `noise`. Numbers have no other class: refused.

    Parameters
    ----------
    plan : Plan
        The plan whose splits are varied.
    shares : tuple of float
        Shares of training rows with a wrong class, from 0 to 1, one split each.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> from heliast.plans import Holdout
    >>> data = Dataset((), np.arange(90) % 3, "classes", ("a", "b", "c"))
    >>> clean, noisy = LabelNoise(Holdout(), shares=(0, 0.1)).on(data, seed=1)
    >>> clean.truth is None, int((noisy.truth != data.truth[noisy.train]).sum())
    (True, 6)

    References
    ----------
    T. G. Dietterich (2000), An experimental comparison of three methods for constructing ensembles
    of decision trees, Machine Learning 40.
    """

    shares: tuple[float, ...] = (0, 0.05, 0.1, 0.2)

    @told(
        Varied.choose,
        returns="Turns: Rows in that order, and by how many places each class is turned.",
        raises="If the target is a number or has one class, or the plan has label noise already.",
    )
    def choose(self, piece: Piece, data: Dataset, rng: np.random.Generator) -> Turns:
        """The distinct training rows in the order in which they turn wrong, and how far each."""
        if data.task != "classes" or len(data.classes) < 2:
            raise InputError(
                "plan=LabelNoise(...): a label is made wrong by giving another class, and the "
                f"target {data.target!r} has no other class to give"
            )
        if piece.record.noise is not None:
            raise InputError("plan: label noise on label noise has no meaning")
        rows = rng.permutation(np.unique(piece.train))
        return rows, rng.integers(1, len(data.classes), size=rows.size)

    @told(Varied.vary, returns="Piece: The split with wrong labels among its training rows.")
    def vary(self, piece: Piece, data: Dataset, choice: Turns, share: float) -> Piece:
        """The piece with the first rows turned to another class; no row, no change."""
        rows, turns = choice
        size = int(share * rows.size + 0.5)
        noisy = piece.but(record=replace(piece.record, noise=float(share)))
        if size == 0:
            return noisy
        turn = np.zeros(piece.n, np.int64)
        turn[rows[:size]] = turns[:size]
        truth = _truth(piece, data)
        turned = (truth.astype(np.int64) + turn[piece.train]) % len(data.classes)
        return noisy.but(truth=turned.astype(truth.dtype))


def _truth(piece: Piece, data: Dataset) -> npt.NDArray[Any]:
    """The training truth before noise, aligned with the training rows."""
    if piece.truth is not None:
        return piece.truth
    whole = data if piece.fresh is None else piece.fresh()
    return whole.truth[piece.train]


@dataclass(frozen=True)
class LearningCurve(Varied[Positions]):
    """Every split of a plan, trained on each share of its training rows; the test rows stay.

    Within a split the training sets are nested: a smaller share is a subset of a larger one, so
    the curve's points differ by added rows only. Classes keep their shares, to within about a row.
    With groups, whole groups are added in random order and only the last may be cut. The share is
    recorded as `train_share`. A `full` split goes on predicting the rows it was trained on.

    Parameters
    ----------
    plan : Plan
        The plan whose splits are varied.
    shares : tuple of float
        Shares of the training rows, above 0 up to 1, one split each.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> from heliast.plans import Holdout
    >>> data = Dataset((), np.arange(90) % 2, "classes", ("a", "b"))
    >>> splits = LearningCurve(Holdout(), shares=(0.5, 1.0)).on(data, seed=1).splits
    >>> [(one.train_share, one.n_train, one.n_test) for one in splits]
    [(0.5, 30, 30), (1.0, 60, 30)]

    References
    ----------
    T. Hastie, R. Tibshirani and J. Friedman (2009), The Elements of Statistical Learning, section
    7.10.
    """

    shares: tuple[float, ...] = _TENTHS

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.shares[0] == 0:
            raise InputError(f"shares={self.shares!r}: a model needs some rows to train on")

    @told(
        Varied.choose,
        returns="Positions: Places among the training rows, (n_train,).",
        raises="If the plan is a learning curve already.",
    )
    def choose(self, piece: Piece, data: Dataset, rng: np.random.Generator) -> Positions:
        """The places of the training rows in the order in which they are added."""
        if piece.record.train_share is not None:
            raise InputError("plan: a learning curve of a learning curve has no meaning")
        return _order(piece, data, rng)

    @told(
        Varied.vary,
        returns="Piece: The split with fewer training rows.",
        raises="If the share is less than one row.",
    )
    def vary(self, piece: Piece, data: Dataset, choice: Positions, share: float) -> Piece:
        """The piece with a share of its training rows, kept in their order."""
        size = int(share * choice.size + 0.5)
        if size == 0:
            raise InputError(
                f"shares: {share:g} of {choice.size} training rows is none; give larger shares"
            )
        chosen = np.sort(choice[:size])
        train = piece.train[chosen]
        test = np.unique(train) if piece.record.role == "full" else piece.test
        record = replace(piece.record, train_share=float(share))
        truth = None if piece.truth is None else piece.truth[chosen]
        fewer = Piece.using(piece.n, train, test, record)
        return fewer.but(truth=truth, fresh=piece.fresh)


def _order(piece: Piece, data: Dataset, rng: np.random.Generator) -> Positions:
    """An order of the training rows of which every beginning has the classes' shares."""
    train = piece.train
    whole = data if piece.fresh is None else piece.fresh()
    group = group_codes(whole)
    shuffled = rng.permutation(train.size)
    if group is not None:
        rank = rng.permutation(int(group.max()) + 1)
        return shuffled[np.argsort(rank[group[train[shuffled]]], kind="stable")]
    if whole.task != "classes":
        return shuffled
    # The i-th of the n_c rows of a class stands at (i + 1/2) / n_c along the line.
    codes = whole.truth[train[shuffled]].astype(np.int64)
    by_class = np.argsort(codes, kind="stable")
    sizes = np.bincount(codes)
    starts = np.cumsum(sizes) - sizes
    place = np.empty(train.size)
    ordered = codes[by_class]
    place[by_class] = (np.arange(train.size) - starts[ordered] + 0.5) / sizes[ordered]
    return shuffled[np.argsort(place, kind="stable")]
