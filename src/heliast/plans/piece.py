"""One split, as positions of the rows to train on and of the rows to predict."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.kinds import Array, ArrayLike
from heliast.data import Dataset
from heliast.predictions import Split

Positions = npt.NDArray[np.int64]
FIRST = Split(0)


@dataclass(frozen=True, eq=False)
class Piece:
    """One split: the training rows (repeats allowed) and the rows to predict, as positions.

    Build it with `using` (the training rows) or `leaving` (the rows kept from training). Only the
    shorter of the two is stored, so 10,000 leave-one-out splits take 10,000 numbers; `train` is
    computed on access.

    `y_true` replaces the target of the training rows (codes or numbers, aligned with `train`) when
    labels were made noisy. `fresh` makes a new training sample, identified by its repr: then
    `train` and `n` count in `data`, and no row to predict is in the training sample. Pieces with
    the same `fit` have the same training rows: one fit serves them all.

    Parameters
    ----------
    record : Split
        Its number, role, repeat and fold.
    n : int
        Rows of the data, or of the fresh sample.
    test : Positions
        Positions of the rows to predict.
    kept : array, optional
        Positions of the training rows, repeats allowed; None if `left_out` is given.
    left_out : array, optional
        Positions of the rows kept from training; None if `kept` is given.
    y_true : array, optional
        Target of the training rows, if it is not the data's.
    fresh : callable, optional
        Makes the training sample, if it is not part of the data.
    fit : hashable, optional
        Pieces with an equal value have the same training rows.

    Examples
    --------
    >>> piece = Piece.leaving(5, np.array([1, 3]))
    >>> piece.train, piece.test, piece.in_train(5)
    (array([0, 2, 4]), array([1, 3]), array([1, 0, 1, 0, 1]))
    """

    record: Split
    n: int
    test: Positions
    kept: Array | None = None
    left_out: Array | None = None
    y_true: Array | None = None
    fresh: Callable[[], Dataset] | None = None
    fit: Hashable = None

    @classmethod
    def using(cls, n: int, train: ArrayLike, test: ArrayLike, record: Split = FIRST) -> "Piece":
        """Split with these training rows, in this order and as often as they occur.

        Parameters
        ----------
        n : int
            Rows of the data.
        train : array-like
            Positions of the training rows, repeats allowed.
        test : array-like
            Positions of the rows to predict.
        record : Split
            Its number, role, repeat and fold.

        Returns
        -------
        Piece
            The split.
        """
        kept, rows = np.asarray(train, np.int64), np.asarray(test, np.int64)
        if 2 * kept.size > n and (np.diff(kept) > 0).all():
            return cls(record, n, rows, left_out=_small(_others(n, kept), n))
        return cls(record, n, rows, kept=_small(kept, n))

    @classmethod
    def leaving(
        cls,
        n: int,
        left_out: ArrayLike,
        test: ArrayLike | None = None,
        record: Split = FIRST,
        fit: Hashable = None,
    ) -> "Piece":
        """Split trained on all of n rows but these, which it predicts unless `test` is given.

        Parameters
        ----------
        n : int
            Rows of the data.
        left_out : array-like
            Positions of the rows kept from training.
        test : array-like, optional
            Positions to predict; by default the rows left out.
        record : Split
            Its number, role, repeat and fold.
        fit : hashable, optional
            Pieces with an equal value have the same training rows.

        Returns
        -------
        Piece
            The split.
        """
        away = np.asarray(left_out, np.int64)
        rows = away if test is None else np.asarray(test, np.int64)
        if 2 * away.size >= n:
            return cls.using(n, _others(n, away), rows, record).but(fit=fit)
        return cls(record, n, rows, left_out=_small(np.sort(away), n), fit=fit)

    def but(self, **changes: Any) -> "Piece":
        """The piece with some fields changed.

        Parameters
        ----------
        **changes : keywords
            Fields and their new values.

        Returns
        -------
        Piece
            A new piece.
        """
        return replace(self, **changes)

    @property
    def train(self) -> Positions:
        """Positions of the training rows, in the order in which a model gets them."""
        if self.kept is not None:
            return self.kept.astype(np.int64)
        return _others(self.n, self.left_out)

    @property
    def n_train(self) -> int:
        """Number of training rows, repeats counted."""
        if self.kept is not None:
            return int(self.kept.size)
        return self.n - (0 if self.left_out is None else int(self.left_out.size))

    @property
    def data(self) -> Dataset | None:
        """The fresh training sample, equal at each call; None if the data are those given."""
        return None if self.fresh is None else self.fresh()

    def in_train(self, n: int) -> npt.NDArray[np.int64]:
        """How often each of the n rows of the data is in the training sample.

        Parameters
        ----------
        n : int
            Rows of the data.

        Returns
        -------
        array
            Counts, (n,); all 0 for a fresh training sample.
        """
        if self.fresh is not None:
            return np.zeros(n, np.int64)
        return np.bincount(self.train, minlength=n).astype(np.int64)


def _others(n: int, rows: Array | None) -> Positions:
    """Positions below n that are not among the rows."""
    others = np.ones(n, bool)
    if rows is not None:
        others[rows] = False
    return np.flatnonzero(others)


def _small(rows: Positions, n: int) -> Array:
    # Half the memory where it fits: 1,000 resamples of 10,000 rows take 40 MB.
    return rows.astype(np.int32) if n < 2**31 else rows
