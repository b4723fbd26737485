"""A plan says how rows are split; frozen on data, it is a list of splits with a fingerprint."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast.data import Dataset
from heliast.predictions import Split, Splits

Positions = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Piece:
    """One split in positions of the data: training rows (repeats meant) and rows to predict.

    `truth` replaces the training rows' target (codes or numbers, aligned with `train`) when labels
    were made noisy; `data` replaces the whole data set for the training rows of a fresh sample.
    """

    record: Split
    train: Positions
    test: Positions
    truth: npt.NDArray[Any] | None = None
    data: Dataset | None = None


@dataclass(frozen=True, eq=False)
class FrozenPlan:
    """The splits of a plan on one data set: the same for every model, named by a fingerprint."""

    plan: str
    seed: int
    n: int
    pieces: tuple[Piece, ...]
    notes: tuple[str, ...] = ()

    @property
    def splits(self) -> Splits:
        return Splits(tuple(piece.record for piece in self.pieces))

    def __len__(self) -> int:
        return len(self.pieces)

    def __iter__(self) -> Iterator[Piece]:
        return iter(self.pieces)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all splits: equal plans on equal data with equal seeds are equal."""
        digest = hashlib.sha256(repr(self.n).encode())
        for piece in self.pieces:
            digest.update(repr(piece.record).encode())
            for positions in (piece.train, piece.test):
                digest.update(np.ascontiguousarray(positions, np.int64).tobytes())
            if piece.truth is not None:
                digest.update(np.ascontiguousarray(piece.truth).tobytes())
            if piece.data is not None:
                digest.update(piece.data.fingerprint.encode())
        return digest.hexdigest()[:16]


class Plan(ABC):
    """How to split: `plan.on(data, seed)` gives the frozen splits."""

    def on(self, data: Dataset, seed: int = 0) -> FrozenPlan:
        """The splits of these data, decided by the seed alone."""
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0x706C616E,)))
        pieces = tuple(self.pieces(data, rng))
        return FrozenPlan(repr(self), seed, data.n, pieces)

    @abstractmethod
    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        """The splits, one after the other."""
