"""One split in positions of the data."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.kinds import Array
from heliast._core.told import told
from heliast.data import Dataset
from heliast.predictions import Split

Positions = npt.NDArray[np.int64]
_FIRST = Split(0)


@told(
    {
        "record": "Split: Its number, role, repeat and fold.",
        "n": "int: Rows of the data, or of the fresh sample.",
        "test": "Positions: Positions of the rows to predict.",
        "kept": "array, optional: Positions of the training rows, repeats meant; None where "
        "`left_out` says it.",
        "left_out": "array, optional: Positions of the rows kept from training; None where `kept` "
        "says it.",
        "truth": "array, optional: Target of the training rows, if it is not the data's.",
        "fresh": "callable, optional: Makes the training sample, if it is not of the data.",
        "fit": "hashable, optional: Pieces with the same have the same training rows.",
    }
)
@dataclass(frozen=True, eq=False)
class Piece:
    """One split: the training rows (repeats meant) and the rows to predict, as positions.

    Build it by `using` (the training rows) or `leaving` (the rows kept from training). Only the
    shorter of the two is held, so ten thousand leave-one-out splits cost ten thousand numbers;
    `train` is worked out when asked for.

    `truth` replaces the training rows' target (codes or numbers, aligned with `train`) when labels
    were made noisy. `fresh` makes a new training sample, which its repr identifies: then `train`
    and `n` count in `data`, and no row to predict was seen. Pieces with the same `fit` have the
    same training rows: one fit serves them all.

    Examples
    --------
    >>> piece = Piece.leaving(5, np.array([1, 3]))
    >>> piece.train, piece.test, piece.seen(5)
    (array([0, 2, 4]), array([1, 3]), array([1, 0, 1, 0, 1]))
    """

    record: Split
    n: int
    test: Positions
    kept: Array | None = None
    left_out: Array | None = None
    truth: Array | None = None
    fresh: Callable[[], Dataset] | None = None
    fit: Hashable = None

    @classmethod
    @told(
        {
            "n": "int: Rows of the data.",
            "train": "array-like: Positions of the training rows, repeats meant.",
            "test": "array-like: Positions of the rows to predict.",
            "record": "Split: Its number, role, repeat and fold.",
        },
        returns="Piece: The piece.",
    )
    def using(
        cls, n: int, train: npt.ArrayLike, test: npt.ArrayLike, record: Split = _FIRST
    ) -> "Piece":
        """Trained on these of n rows, in this order and as often as they are named."""
        kept = np.asarray(train, np.int64)
        ordered = bool((np.diff(kept) > 0).all())
        if ordered and 2 * kept.size > n:
            return cls(record, n, _positions(test), left_out=_small(_others(n, kept), n))
        return cls(record, n, _positions(test), kept=_small(kept, n))

    @classmethod
    @told(using, returns="Piece: The piece.")
    def leaving(
        cls,
        n: int,
        left_out: npt.ArrayLike,
        test: npt.ArrayLike | None = None,
        record: Split = _FIRST,
        fit: Hashable = None,
    ) -> "Piece":
        """Trained on all of n rows but these; predicts them, or `test` if given.

        Parameters
        ----------
        left_out : array-like
            Positions of the rows kept from training.
        test : array-like, optional
            Positions to predict; None is the rows left out.
        fit : hashable, optional
            Pieces with the same have the same training rows.
        """
        away = _positions(left_out)
        rows = away if test is None else _positions(test)
        if 2 * away.size >= n:  # few rows are left: hold those
            return cls.using(n, _others(n, away), rows, record).but(fit=fit)
        return cls(record, n, rows, left_out=_small(np.sort(away), n), fit=fit)

    @told({"changes": "keywords: Fields and their new values."}, returns="Piece: A new piece.")
    def but(self, **changes: Any) -> "Piece":
        """The piece with some fields changed."""
        return replace(self, **changes)

    @property
    def train(self) -> Positions:
        """Positions of the training rows, in the order in which a model sees them."""
        if self.kept is not None:
            return self.kept.astype(np.int64)
        return _others(self.n, self.left_out)

    @property
    def n_train(self) -> int:
        """How many rows a model is trained on, repeats counted."""
        if self.kept is not None:
            return int(self.kept.size)
        return self.n - (0 if self.left_out is None else int(self.left_out.size))

    @property
    def data(self) -> Dataset | None:
        """The fresh training sample, drawn anew (and equal) at each call; None = the data given."""
        return None if self.fresh is None else self.fresh()

    @told(using, returns="array: Counts, (n,); all 0 for a fresh training sample.")
    def seen(self, n: int) -> npt.NDArray[np.int64]:
        """How often each of the n rows of the data is in the training sample."""
        if self.fresh is not None:
            return np.zeros(n, np.int64)
        return np.bincount(self.train, minlength=n).astype(np.int64)


def _positions(rows: object) -> Positions:
    return np.asarray(rows, np.int64)


def _others(n: int, rows: Array | None) -> Positions:
    """The positions below n that are not among the rows."""
    stays = np.ones(n, bool)
    stays[rows] = False
    return np.flatnonzero(stays)


def _small(rows: Positions, n: int) -> Array:
    """Half the memory where it fits: a thousand resamples of ten thousand rows take 40 MB."""
    return rows.astype(np.int32) if n < 2**31 else rows
