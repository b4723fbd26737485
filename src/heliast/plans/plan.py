"""A plan says how rows are split; frozen on data, it is a list of splits with a fingerprint."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.random import Generator

from heliast._core.errors import InputError
from heliast._core.notes import MIXED, Note
from heliast.data import Dataset
from heliast.plans.dealing import stratified
from heliast.plans.piece import Piece
from heliast.plans.representative import Representativeness, compare_splits, notes_on_splits
from heliast.predictions import Splits

_BUDGET = 20_000_000  # values compared at most when a plan is frozen: about a second


@dataclass(frozen=True, eq=False)
class FrozenPlan:
    """The splits of a plan on one data set: the same for every model, named by a fingerprint.

    Parameters
    ----------
    plan : str
        The plan's repr, its identity.
    seed : int
        The seed of the splits.
    n : int
        Rows of the data.
    pieces : tuple of Piece
        The splits in order.
    notes : tuple of str
        What to know about this plan on these data.
    data : Dataset, optional
        The data, for `representativeness`; None if they were not kept.
    walks : bool
        Whether splits go forward in time: each trains on the past of what it tests.

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
        """The side table of the predictions: one record per split."""
        return Splits(tuple(piece.record for piece in self.pieces))

    def __len__(self) -> int:
        return len(self.pieces)

    def __iter__(self) -> Iterator[Piece]:
        return iter(self.pieces)

    def representativeness(self) -> Representativeness:
        """Class shares and features of every test set beside those of all rows, with p values.

        Returns
        -------
        Representativeness
            One record per split.

        Raises
        ------
        InputError
            If the splits were made without their data.
        """
        if self.data is None:
            raise InputError("these splits were made without their data: use plan.on(data, seed)")
        return compare_splits(self.data, self.pieces)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all splits: equal plans on equal data with equal seeds are equal."""
        digest = hashlib.sha256(repr(self.n).encode())
        for piece in self.pieces:
            digest.update(repr((piece.record, piece.n, piece.fit)).encode())
            for rows in (piece.kept, piece.left_out, piece.test):
                digest.update(b"|" if rows is None else rows.astype(np.int64).tobytes() + b";")
            if piece.y_true is not None:
                digest.update(np.ascontiguousarray(piece.y_true).tobytes())
            if piece.fresh is not None:
                digest.update(repr(piece.fresh).encode())  # sampling it again could be slow
        return digest.hexdigest()[:16]


class Plan(ABC):
    """How to split: `plan.on(data, seed)` gives the frozen splits.

    A plan is a frozen dataclass whose repr is its identity. It yields its splits in `pieces`;
    their numbers, sizes and notes are added by `on`.

    Examples
    --------
    >>> from heliast.data import simulate
    >>> from heliast.plans import KFold, Plan
    >>> data = simulate.two_gaussians().sample(20, seed=1)
    >>> isinstance(KFold(5), Plan), len(KFold(5).on(data, seed=1))
    (True, 5)
    """

    _words: ClassVar[str] = ""  # with fields of {plan} and {how} rows are stratified
    _sampled: ClassVar[bool] = False  # parts are random samples: see strata_of
    judged: ClassVar[bool] = True  # whether `on` compares the test rows of splits with all rows

    def on(self, data: Dataset, seed: int = 0, redraw: int = 0) -> FrozenPlan:
        """The splits of these data, decided by the seed alone.

        Splits whose test rows are not representative of all rows are named in the notes.

        Parameters
        ----------
        data : Dataset
            The data to split, at least two rows.
        seed : int, default 0
            Decides the splits, together with plan and data.
        redraw : int, default 0
            Number of times at most to draw all splits again until every one is representative;
            if none succeeds, the most representative ones are kept.

        Returns
        -------
        FrozenPlan
            The splits, the same for every model.

        Raises
        ------
        InputError
            If the data have fewer than two rows, or cannot be split by this plan.
        """
        if data.n < 2:
            raise InputError(f"{data.n} row: at least two rows are needed, to train and to test")
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0x706C616E,)))
        draws, (pieces, table) = 0, self._draw(data, rng)
        while table.unlike() and draws < redraw:
            draws += 1
            other_pieces, other_table = self._draw(data, rng)
            if other_table.p > table.p:
                pieces, table = other_pieces, other_table
        walks = self.walks(data, pieces)
        notes = [*self.remarks(data), *_notes_on_training(data, pieces, walks)]
        if not walks:  # the future differs from the past, whatever is drawn
            notes += notes_on_splits(table, draws)
        return FrozenPlan(repr(self), seed, data.n, pieces, tuple(notes), data, walks)

    def _draw(self, data: Dataset, rng: Generator) -> tuple[tuple[Piece, ...], Representativeness]:
        try:
            pieces = number_pieces(self.pieces(data, rng))
        except (TypeError, ValueError) as error:
            raise InputError(f"plan {self!r}: {error}") from error
        return pieces, compare_splits(data, pieces if self.judged else (), _BUDGET)

    def walks(self, data: Dataset, pieces: Sequence[Piece]) -> bool:
        """Whether these splits go forward in time: each trains on the past of what it tests.

        Parameters
        ----------
        data : Dataset
            The data.
        pieces : sequence of Piece
            Its splits.

        Returns
        -------
        bool
            True for rows without times only if the plan takes them to be in order of time.
        """
        return data.ordered and goes_forward(data, pieces)

    @abstractmethod
    def pieces(self, data: Dataset, rng: Generator) -> Iterator[Piece]:
        """The splits, one after the other; their numbers and sizes are filled in by `on`.

        Parameters
        ----------
        data : Dataset
            The data to split.
        rng : np.random.Generator
            The source of randomness.

        Yields
        ------
        Piece
            A split: which rows train and which are predicted.
        """

    def words(self, task: str = "classification") -> str:
        """The plan in plain words, for captions and paragraphs.

        Parameters
        ----------
        task : {'classification', 'regression'}
            What is predicted: only classes are stratified by default.

        Returns
        -------
        str
            Continues `rows were split by`; the repr of a plan that has no words.

        Examples
        --------
        >>> from heliast.plans import KFold
        >>> KFold(5).words()
        '5-fold cross-validation, stratified'
        """
        how = stratified(getattr(self, "stratify", False), task, self._sampled)
        return self._words.format(plan=self, how=how).removeprefix("1 x ") or repr(self)

    def remarks(self, data: Dataset) -> Iterator[str]:
        """What a reader of the results should know about this plan on these data.

        Parameters
        ----------
        data : Dataset
            The data to split.

        Yields
        ------
        str
            A sentence each.
        """
        return iter(())


def number_pieces(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """The pieces with their numbers and sizes; `fit` becomes the first split of that fit."""
    first: dict[Hashable, int] = {}
    numbered: list[Piece] = []
    for split, piece in enumerate(pieces):
        if not piece.n_train or not piece.test.size:
            raise InputError(
                f"split {split} has no rows to train on, or none to predict; change its sizes"
            )
        fit = split if piece.fit is None else first.setdefault(piece.fit, split)
        n_train, n_test = piece.n_train, int(piece.test.size)
        record = replace(piece.record, split=split, n_train=n_train, n_test=n_test)
        numbered.append(piece.but(record=record, fit=fit))
    if not numbered:
        raise InputError("no split of these rows; change its sizes")
    return tuple(numbered)


def goes_forward(data: Dataset, pieces: Sequence[Piece]) -> bool:
    """Whether every split trains on times before all that it tests, one split after the other."""
    times, before = data.times, -1
    for piece in pieces:
        start = times[piece.test].min()
        if piece.fresh is not None or start <= max(before, times[piece.train].max()):
            return False
        before = start
    return True


def _notes_on_training(data: Dataset, pieces: Sequence[Piece], walks: bool) -> Iterator[str]:
    """Models trained on the future, and classes that some training sets lack."""
    if data.ordered and not walks:
        yield Note(
            "rows are in order of time, but models are trained on rows later than some that they "
            "predict: rolling(...) and expanding(...) train on the past alone",
            MIXED,
        )
    if data.task != "classification":
        return
    total = np.bincount(data.y_true, minlength=len(data.classes))
    lacking = np.zeros(total.size, np.int64)
    for piece in pieces:
        if piece.fresh is None:
            # Counting the rows left out is quick: they are few in leave-one-out.
            away = piece.left_out is not None
            rows = data.y_true[piece.left_out if away else piece.train]
            counts = np.bincount(rows, minlength=total.size)
            lacking += ((total - counts if away else counts) == 0) & (total > 0)
    for code in np.flatnonzero(lacking):
        size = "1 row" if total[code] == 1 else f"{total[code]} rows"
        yield Note(
            f"class {data.classes[code]!r} ({size}) is missing from the training rows of "
            f"{lacking[code]} of {len(pieces)} splits: no model can learn it there",
            "incomplete",
        )
