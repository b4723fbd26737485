"""A plan says how rows are split; frozen on data, it is a list of splits with a fingerprint."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from heliast._core.errors import InputError
from heliast._core.told import told
from heliast.data import Dataset
from heliast.plans._checks import check_count
from heliast.plans._piece import Piece
from heliast.plans._remarks import missing_classes, mixed_times, unlike_splits, walks_forward
from heliast.plans._representative import Representativeness, judge
from heliast.predictions import Splits

_BUDGET = 20_000_000  # values looked at, at most, when splits are checked unasked: a second


@told(
    {
        "plan": "str: The plan's repr, its identity.",
        "seed": "int: The seed that drew the splits.",
        "n": "int: Rows of the data.",
        "pieces": "tuple of Piece: The splits in order.",
        "notes": "tuple of str: What to know about this plan on these data.",
        "data": "Dataset, optional: The data, for `representativeness`; None if they were not "
        "kept.",
        "walks": "bool: Whether splits go forward in time: each trains on the past of what it "
        "tests.",
    }
)
@dataclass(frozen=True, eq=False)
class FrozenPlan:
    """The splits of a plan on one data set: the same for every model, named by a fingerprint.

    Examples
    --------
    >>> from heliast.data import simulate
    >>> from heliast.plans import Holdout
    >>> frozen = Holdout(0.75).on(simulate.two_gaussians().sample(20, seed=1), seed=1)
    >>> frozen.n, [piece.test.size for piece in frozen]
    (20, [5])
    """

    plan: str
    seed: int
    n: int
    pieces: tuple[Piece, ...]
    notes: tuple[str, ...] = ()
    data: Dataset | None = field(default=None, repr=False)
    walks: bool = False

    @cached_property
    def splits(self) -> Splits:
        """The side table of the predictions: one record a split."""
        return Splits(tuple(piece.record for piece in self.pieces))

    def __len__(self) -> int:
        return len(self.pieces)

    def __iter__(self) -> Iterator[Piece]:
        return iter(self.pieces)

    @told(
        {},
        returns="Representativeness: One record a split.",
        raises="If the splits were made without their data.",
    )
    def representativeness(self) -> Representativeness:
        """Class shares and inputs of every test set beside those of all rows, with their chance."""
        if self.data is None:
            raise InputError("these splits were made without their data: use plan.on(data, seed)")
        return judge(self.data, self.pieces)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all splits: equal plans on equal data with equal seeds are equal."""
        digest = hashlib.sha256(repr(self.n).encode())
        for piece in self.pieces:
            digest.update(repr((piece.record, piece.n, piece.fit)).encode())
            for rows in (piece.kept, piece.left_out, piece.test):
                digest.update(b"|" if rows is None else rows.astype(np.int64).tobytes() + b";")
            if piece.truth is not None:
                digest.update(np.ascontiguousarray(piece.truth).tobytes())
            if piece.fresh is not None:
                digest.update(repr(piece.fresh).encode())  # drawing it anew could be slow
        return digest.hexdigest()[:16]


class Plan(ABC):
    """How to split: `plan.on(data, seed)` gives the frozen splits.

    A plan is a frozen dataclass whose repr is its identity. It says its splits in `pieces`; the
    numbering, the sizes and the notes are added here.

    Examples
    --------
    >>> from heliast.data import simulate
    >>> from heliast.plans import KFold, Plan
    >>> data = simulate.two_gaussians().sample(20, seed=1)
    >>> isinstance(KFold(5), Plan), len(KFold(5).on(data, seed=1))
    (True, 5)
    """

    @property
    def judged(self) -> bool:
        """Whether splits should be checked for being representative of the data."""
        return True

    @told(
        returns="FrozenPlan: The splits, the same for every model.",
        raises="If the data have fewer than two rows, or cannot be split by this plan.",
    )
    def on(self, data: Dataset, seed: int = 0, redraw: int = 0) -> FrozenPlan:
        """The splits of these data, decided by the seed alone.

        Splits whose test rows are unlike the whole are named in the notes. `redraw` gives up to so
        many new draws, until all are representative; failing that the most representative is kept.

        Parameters
        ----------
        data : Dataset
            The data to split, at least two rows.
        seed : int, default 0
            Decides the splits, together with plan and data.
        redraw : int, default 0
            So many new draws at most, until every test set is like the whole; 0 takes the first.
        """
        if data.n < 2:
            raise InputError(f"{data.n} row: at least two rows are needed, to train and to test")
        check_count("redraw", redraw, 0)
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0x706C616E,)))
        pieces, said = self._drawn(data, rng, redraw)
        walks = self.walks(data, pieces)
        said = () if walks else said  # other times are others: no redrawing makes them alike
        mixed = mixed_times(data, walks)
        notes = (*self.remarks(data), *mixed, *missing_classes(data, pieces), *said)
        return FrozenPlan(repr(self), seed, data.n, pieces, notes, data, walks)

    @told(
        {"data": "Dataset: The data.", "pieces": "sequence of Piece: Its splits."},
        returns="bool: Of rows whose time is not told, only for plans that take them to stand in "
        "order.",
    )
    def walks(self, data: Dataset, pieces: Sequence[Piece]) -> bool:
        """Whether these splits go forward in time: each trains on the past of what it tests."""
        return data.ordered and walks_forward(data, pieces)

    def _drawn(
        self, data: Dataset, rng: np.random.Generator, redraw: int
    ) -> tuple[tuple[Piece, ...], Iterable[str]]:
        """The splits, drawn again while they are not representative, and what to say of it."""
        pieces = numbered(self.pieces(data, rng))
        if not self.judged:
            return pieces, iter(())
        table = judge(data, pieces, _BUDGET)
        tries = 0
        while table.unlike() and tries < redraw:
            tries += 1
            others = numbered(self.pieces(data, rng))
            again = judge(data, others, _BUDGET)
            if again.p > table.p:
                pieces, table = others, again
        return pieces, unlike_splits(table, tries)

    @abstractmethod
    @told(
        {
            "data": "Dataset: The data to split.",
            "rng": "np.random.Generator: Where chance comes from.",
        },
        yields="Piece: A split: which rows train and which are predicted.",
    )
    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        """The splits, one after the other; their numbers and sizes are filled in by `on`."""

    @told(
        {"task": "{'classes', 'number'}: What is predicted: only classes are dealt by class."},
        returns="str: As after `rows were split by`; of a plan without words its repr.",
    )
    def words(self, task: str = "classes") -> str:
        """The plan in plain words, for captions and paragraphs.

        Examples
        --------
        >>> from heliast.plans import KFold
        >>> KFold(5).words()
        '5-fold cross-validation, folds dealt by class, once'
        """
        return repr(self)

    @told({"data": "Dataset: The data to split."}, yields="str: A sentence each.")
    def remarks(self, data: Dataset) -> Iterator[str]:
        """What a reader of the results should know about this plan on these data."""
        return iter(())


def numbered(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """The pieces with their numbers and sizes; `fit` becomes the first split of that fit."""
    first: dict[Hashable, int] = {}
    done: list[Piece] = []
    for at, piece in enumerate(pieces):
        if not piece.n_train or not piece.test.size:
            side = "to train on" if not piece.n_train else "to predict"
            raise InputError(f"split {at} has no rows {side}: change the plan's sizes")
        fit = at if piece.fit is None else first.setdefault(piece.fit, at)
        record = replace(piece.record, split=at, n_train=piece.n_train, n_test=int(piece.test.size))
        done.append(replace(piece, record=record, fit=fit))
    return tuple(done)
