"""Plans that vary the training sets: their size, their labels, or the whole sample."""

from abc import abstractmethod
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.random import Generator

from heliast._core.errors import InputError
from heliast.data import Dataset
from heliast.plans.dealing import unit_codes
from heliast.plans.piece import Piece, Positions
from heliast.plans.plan import Plan
from heliast.plans.splitters import as_plan
from heliast.predictions import Split


@dataclass(frozen=True)
class Varied(Plan):
    """Splits of `plan`, each varied by every share; random choices are made once per fit.

    One choice for all shares makes the variations nested; one for all pieces of a fit keeps the
    training sets of those pieces equal, so that one fit still serves them.
    """

    plan: Plan
    shares: tuple[float, ...]
    _column: ClassVar[str]  # of the record of a split

    def __post_init__(self) -> None:
        shares = tuple(sorted(set(self.shares)))
        if not shares or not 0 <= shares[0] <= shares[-1] <= 1:
            raise InputError(f"shares must be between 0 and 1, got {shares!r}")
        object.__setattr__(self, "plan", as_plan(self.plan))
        object.__setattr__(self, "shares", shares)
        object.__setattr__(self, "judged", self.plan.judged)

    def words(self, task: str = "classification") -> str:
        shares = ", ".join(f"{100 * share:.3g}%" for share in self.shares)
        return f"{self.plan.words(task)}, {self._words.format(shares=shares)}"

    def remarks(self, data: Dataset) -> Iterator[str]:
        return self.plan.remarks(data)

    def pieces(self, data: Dataset, rng: Generator) -> Iterator[Piece]:
        choices: dict[Hashable, Any] = {}
        for split, piece in enumerate(self.plan.pieces(data, rng)):
            if getattr(piece.record, self._column) is not None:
                raise InputError(f"{self._column} of the training rows is varied already")
            key = piece.fit
            if key is None:
                key, choice = ("split", split), self._choose(piece, data, rng)
            else:
                choice = choices[key] if key in choices else self._choose(piece, data, rng)
                choices[key] = choice
            for share in self.shares:
                change: Any = {self._column: float(share)}
                record = replace(piece.record, **change)
                yield self._vary(piece, data, choice, share).but(record=record, fit=(key, share))

    @abstractmethod
    def _choose(self, piece: Piece, data: Dataset, rng: Generator) -> Any:
        """The random choice behind all shares of one fit."""

    @abstractmethod
    def _vary(self, piece: Piece, data: Dataset, choice: Any, share: float) -> Piece:
        """The piece with this share varied."""


@dataclass(frozen=True)
class LearningCurve(Varied):
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
    >>> data = Dataset((), np.arange(90) % 2, "classification", ("a", "b"))
    >>> splits = LearningCurve(Holdout(), shares=(0.5, 1.0)).on(data, seed=1).splits
    >>> [(split.train_share, split.n_train, split.n_test) for split in splits]
    [(0.5, 30, 30), (1.0, 60, 30)]

    References
    ----------
    T. Hastie, R. Tibshirani and J. Friedman (2009), The Elements of Statistical Learning, section
    7.10.
    """

    shares: tuple[float, ...] = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    _words = "models trained on {shares} of the training rows"
    _column = "train_share"

    def _choose(self, piece: Piece, data: Dataset, rng: Generator) -> Positions:
        """An order of the training rows of which every beginning has the classes' shares."""
        train, data = piece.train, piece.data or data
        unit = unit_codes(data)
        units = int(unit.max()) + 1
        shuffled = rng.permutation(train.size)
        if units < data.n:
            rank = rng.permutation(units)
            return shuffled[np.argsort(rank[unit[train[shuffled]]], kind="stable")]
        if data.task != "classification":
            return shuffled
        # The i-th of the n_c rows of a class stands at (i + 1/2) / n_c along the line.
        codes, place = data.y_true[train[shuffled]], np.empty(train.size)
        for code in np.unique(codes):
            rows = np.flatnonzero(codes == code)
            place[rows] = (np.arange(rows.size) + 0.5) / rows.size
        return shuffled[np.argsort(place, kind="stable")]

    def _vary(self, piece: Piece, data: Dataset, choice: Positions, share: float) -> Piece:
        """The piece with a share of its training rows, kept in their order."""
        size = int(share * choice.size + 0.5)
        if size == 0:
            raise InputError(
                f"shares: {share:g} of {choice.size} training rows is none; give larger shares"
            )
        chosen = np.sort(choice[:size])
        train = piece.train[chosen]
        test = np.unique(train) if piece.record.role == "full" else piece.test
        truth = None if piece.y_true is None else piece.y_true[chosen]
        return Piece.using(piece.n, train, test).but(y_true=truth, fresh=piece.fresh)


@dataclass(frozen=True)
class LabelNoise(Varied):
    """Every split of a plan, with wrong labels for a share of its training rows.

    Exactly that share of the (distinct) training rows, rounded to the nearest row, gets another
    class, each of the others equally likely; a row drawn several times is wrong every time. Test
    rows keep their labels. Within a split, more noise adds wrong labels to those that less noise
    has. The share is recorded as `noise`. Numbers have no other class and are refused.

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
    >>> data = Dataset((), np.arange(90) % 3, "classification", ("a", "b", "c"))
    >>> clean, noisy = LabelNoise(Holdout(), shares=(0, 0.1)).on(data, seed=1)
    >>> clean.y_true is None, int((noisy.y_true != data.y_true[noisy.train]).sum())
    (True, 6)

    References
    ----------
    T. G. Dietterich (2000), An experimental comparison of three methods for constructing ensembles
    of decision trees, Machine Learning 40.
    """

    shares: tuple[float, ...] = (0, 0.05, 0.1, 0.2)
    _words = "with {shares} of the training rows given a wrong class"
    _column = "noise"

    def _choose(self, piece: Piece, data: Dataset, rng: Generator) -> Any:
        """The distinct training rows in the order in which they turn wrong, and how far each."""
        if data.task != "classification" or len(data.classes) < 2:
            raise InputError(f"LabelNoise: the target {data.target!r} has no other class to give")
        rows = rng.permutation(np.unique(piece.train))
        return rows, rng.integers(1, len(data.classes), size=rows.size)

    def _vary(self, piece: Piece, data: Dataset, choice: Any, share: float) -> Piece:
        """The piece with the first rows turned to another class; no row, no change."""
        rows, turns = choice
        size = int(share * rows.size + 0.5)
        if size == 0:
            return piece
        turn = np.zeros(piece.n, np.int64)
        turn[rows[:size]] = turns[:size]
        truth = (piece.data or data).y_true[piece.train] if piece.y_true is None else piece.y_true
        turned = (truth.astype(np.int64) + turn[piece.train]) % len(data.classes)
        return piece.but(y_true=turned.astype(truth.dtype))


@dataclass(frozen=True)
class Fresh(Plan):
    """`times` independent training sets of `n_train` rows, all predicting the same fixed rows.

    What no real data set can give: the training set varies as in theory, and the rows to predict
    stay, so bias, variance and the true error of a learning algorithm can be read off. The data
    must come from a simulated task (`data.simulated`). `n_train` may also give the rows of each
    class, in class order. `n_test` takes so many of the rows, drawn once; by default all. No row to
    predict is ever in a training set: `in_train` is 0.

    Parameters
    ----------
    times : int
        Number of training sets, at least 1.
    n_train : int or tuple of int
        Rows of each training set, or the rows of each class in class order.
    n_test : int, optional
        So many rows to predict, drawn once; None is all.

    Examples
    --------
    >>> from heliast.data import simulate
    >>> data = simulate.two_gaussians(bayes_error=0.15).sample(500, seed=1)
    >>> frozen = Fresh(times=20, n_train=50).on(data, seed=2)
    >>> len(frozen), frozen.pieces[0].data.n, int(frozen.pieces[0].in_train(500).sum())
    (20, 50, 0)

    References
    ----------
    T. Hastie, R. Tibshirani and J. Friedman (2009), The Elements of Statistical Learning, section
    7.2.
    """

    times: int
    n_train: int | tuple[int, ...]
    n_test: int | None = None
    _words = "{plan.times} new training samples of {plan.n_train} rows, all tested on the same rows"

    judged = False  # the rows to predict are the data themselves

    def pieces(self, data: Dataset, rng: Generator) -> Iterator[Piece]:
        if data.simulated is None:
            raise InputError(
                f"data {data.name!r} are not simulated, so no fresh rows can be drawn; use a task "
                "of heliast.data.simulate, or Subsampling on these rows"
            )
        test = np.arange(data.n)
        if self.n_test is not None:
            test = np.sort(rng.choice(data.n, self.n_test, replace=False))
        n = int(np.sum(self.n_train))
        for repeat in range(self.times):
            sample = FreshSample(data.simulated, self.n_train, int(rng.integers(2**62)))
            piece = Piece.using(n, np.arange(n), test, Split(0, repeat=repeat))
            yield piece.but(fresh=sample)


@dataclass(frozen=True)
class FreshSample:
    """Makes one training set, the same at every call: its repr names all that decides it."""

    task: Any
    n: int | tuple[int, ...]
    seed: int

    @lru_cache(maxsize=2)  # noqa: B019 - a fit asks for its training set several times
    def __call__(self) -> Dataset:
        data: Dataset = self.task.sample(self.n, self.seed)
        return data
