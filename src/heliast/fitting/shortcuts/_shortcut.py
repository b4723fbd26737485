"""What every shortcut offers: the predictions of refitted models, without refitting them."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.kinds import Counts, Floats
from heliast.fitting.shortcuts._change import Change

ROWS = 1 << 17
"""Test rows that are worked on at a time."""


class Piece(Protocol):
    """What is read of a split as `heliast.plans` freezes it."""

    @property
    def train(self) -> Counts: ...
    @property
    def test(self) -> Counts: ...
    @property
    def left_out(self) -> npt.NDArray[Any] | None: ...
    @property
    def truth(self) -> npt.NDArray[Any] | None: ...
    @property
    def fresh(self) -> Any: ...


class Guess(NamedTuple):
    """What the refitted model would say of the test rows."""

    label: npt.NDArray[Any]
    """Codes into the classes (numbers, if a number is predicted)."""
    score: Floats | None
    """A probability per class, 0 for classes without training rows; None for numbers."""


class Batch(NamedTuple):
    """Predictions of several splits, one below the other; splits that are not sure are refitted.

    In leave-one-out each row is a split.
    """

    label: npt.NDArray[Any]
    score: Floats | None
    sure: npt.NDArray[np.bool_]


class Shortcut(ABC):
    """Predicts as the model refitted on a split's training rows would; None: refit this split.

    None comes where refitting raises an error, where rounding could decide a label, or where the
    statistics of the training rows are too ill-conditioned to agree to 1e-9.
    """

    def __init__(self, X: Floats, truth: npt.NDArray[Any], order: Counts | None) -> None:
        self.X = np.ascontiguousarray(X)
        self.n, self.d = X.shape
        self.k = 0 if order is None else order.size
        # Inside, classes stand in the order in which scikit-learn sorts them.
        self.order = order
        if order is not None:
            truth = np.argsort(order)[truth].astype(np.int64)
        self.truth = np.ascontiguousarray(truth)

    @abstractmethod
    def batch(self, changes: list[Change], tests: list[Counts]) -> Batch:
        """Predictions of several splits, classes in scikit-learn's order."""

    @abstractmethod
    def each_left_out(self) -> Batch:
        """Leave-one-out at one stroke; `sure` False where one row needs a closer look."""

    def predict(self, train: npt.ArrayLike, test: npt.ArrayLike) -> Guess | None:
        """What the model fitted on these rows (repeats meant) says of those, or None: refit."""
        tested = self._checked(np.asarray(test, np.int64))
        change = Change.of(np.asarray(train, np.int64), self.n)
        return next(self._guesses(self.batch([change], [tested]), [tested]))

    def predict_many(self, pieces: Iterable[Piece]) -> Iterator[Guess | None]:
        """One answer a split, in order, sharing work between them.

        A split with its own truth or training sample is refitted: it is answered by None.
        """
        todo: list[Piece] = []
        rows = 0
        for piece in pieces:
            todo.append(piece)
            rows += piece.test.size
            # One row at a time is leave-one-out, whose answers are computed for all rows at once.
            if rows >= ROWS or len(todo) >= 4096:
                yield from self._answer(todo)
                todo, rows = [], 0
        yield from self._answer(todo)

    @cached_property
    def _left_out(self) -> Batch:
        label, score, sure = self.each_left_out()
        rows = np.flatnonzero(~sure)
        for start in range(0, rows.size, 256):
            some = rows[start : start + 256]
            alone = [some[i : i + 1] for i in range(some.size)]
            closer = self.batch([Change.without(row) for row in alone], alone)
            found = some[closer.sure]
            sure[found], label[found] = True, closer.label[closer.sure]
            if score is not None and closer.score is not None:
                score[found] = closer.score[closer.sure]
        return Batch(self._own_codes(label), self._own_columns(score), sure)

    def leave_one_out(self) -> Batch:
        """Every row predicted by the model fitted on all others."""
        return self._left_out

    def _answer(self, pieces: list[Piece]) -> list[Guess | None]:
        answers: list[Guess | None] = [None] * len(pieces)
        rest = []
        for at, piece in enumerate(pieces):
            gone, test = piece.left_out, piece.test
            if piece.truth is not None or piece.fresh is not None:
                continue
            if gone is not None and gone.size == test.size == 1 and gone[0] == test[0]:
                answers[at] = self._singles[gone[0]]
            else:
                rest.append(at)
        if rest:
            changes = [self._change(pieces[at]) for at in rest]
            tests = [self._checked(np.asarray(pieces[at].test, np.int64)) for at in rest]
            guesses = self._guesses(self.batch(changes, tests), tests)
            for at, guess in zip(rest, guesses, strict=True):
                answers[at] = guess
        return answers

    @cached_property
    def _singles(self) -> list[Guess | None]:
        """Leave-one-out, row by row: ten thousand splits are looked up, not worked on."""
        label, score, sure = self._left_out
        scores = [None] * self.n if score is None else score[:, None, :]
        rows = zip(label[:, None], scores, sure.tolist(), strict=True)
        return [Guess(one, some) if yes else None for one, some, yes in rows]

    def _change(self, piece: Piece) -> Change:
        gone = piece.left_out
        if gone is not None and 2 * gone.size <= self.n and (gone[1:] > gone[:-1]).all():
            return Change.without(self._checked(gone.astype(np.int64)))
        return Change.of(piece.train, self.n)

    def _checked(self, test: Counts) -> Counts:
        if test.size and (test.min() < 0 or test.max() >= self.n):
            raise InputError(f"positions outside 0 .. {self.n - 1}: use rows of the data")
        return test

    def _guesses(self, batch: Batch, tests: list[Counts]) -> Iterator[Guess | None]:
        label, score = self._own_codes(batch.label), self._own_columns(batch.score)
        start = 0
        for sure, test in zip(batch.sure, tests, strict=True):
            rows = slice(start, start + test.size)
            start += test.size
            yield Guess(label[rows], None if score is None else score[rows]) if sure else None

    def _own_codes(self, label: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return label if self.order is None or self._sorted else self.order[label]

    def _own_columns(self, score: Floats | None) -> Floats | None:
        if score is None or self.order is None or self._sorted:
            return score
        back = np.empty_like(score)
        back[:, self.order] = score
        return back

    @cached_property
    def _sorted(self) -> bool:
        return self.order is None or bool((np.diff(self.order) > 0).all())


class WithPriors(Shortcut):
    """A shortcut to class densities, each times its prior."""

    priors: Floats | None

    def _shares(self, count: Floats) -> Floats:
        """The priors, or the shares of the classes among the training rows."""
        if self.priors is not None:
            return np.broadcast_to(self.priors, count.shape)
        share: Floats = count / np.maximum(count.sum(axis=-1, keepdims=True), 1.0)
        return share

    def _log_priors(self, count: Floats) -> Floats:
        """Their logs; -inf for a class without rows."""
        with np.errstate(divide="ignore"):
            logs: Floats = np.log(np.where(count > 0, self._shares(count), 0.0))
        return logs

    def _unknown(self, rows: int, splits: int) -> Batch:
        """No split is sure."""
        nothing = np.zeros((rows, self.k))
        return Batch(np.zeros(rows, np.int64), nothing, np.zeros(splits, np.bool_))
