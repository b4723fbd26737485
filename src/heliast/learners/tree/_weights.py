"""Weights of the rows in each member: copies if they are whole, amounts if they are not."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._kernels.samples import weighing


def _are_whole(given: Array) -> bool:
    first = float(given.flat[0])  # most real weights show it at once
    return first == int(first) and bool((given == np.floor(given)).all())


@dataclass(frozen=True)
class Weights:
    """Weights as given, (n,) or (B, n), or None; `factor` (n,) multiplies them."""

    given: Array | None
    rows: int
    whole: bool
    largest: int
    """The largest weight of all rows together, in any member."""
    factor: Array | None = None

    @classmethod
    def of(cls, weights: Any, rows: int, members: int) -> "Weights":
        if weights is None:
            return cls(None, rows, True, rows)
        given = np.asarray(weights)
        if given.shape not in ((rows,), (members, rows)):
            raise InputError(
                f"weights must have shape ({rows},) or ({members}, {rows}), got {given.shape}"
            )
        if given.dtype == bool:
            given = given.astype(np.int64)
        total = given.sum(axis=-1, dtype=np.float64)
        if not np.isfinite(total).all():  # so is the sum if one of them is not
            raise InputError("weights must be finite")
        if given.size and given.min() < 0:
            raise InputError(f"weights must not be negative, got {given.min()}")
        if not (total > 0).all():
            raise InputError("weights: every member needs a row that weighs more than zero")
        whole = given.dtype.kind in "iu" or _are_whole(given)
        return cls(given, rows, whole, int(total.max()) if whole else 0)

    def times(self, factor: Array) -> "Weights":
        """The same weights, each multiplied."""
        return replace(self, factor=factor, whole=False)

    @property
    def copies(self) -> bool:
        """Whether the weights as given count copies."""
        return self.given is None or self.largest > 0

    def copies_of(self, b: int) -> Array | None:
        """Whole weights of the rows in one member; None if all weigh one."""
        if self.given is None or self.given.ndim == 1:
            return None if self.given is None else self.given.astype(np.int64)
        return np.asarray(self.given[b].astype(np.int64))

    def member(self, b: int) -> tuple[Array, Array, Array]:
        """Weight and copies of each row, and the rows that weigh anything."""
        if self.given is None:
            count = np.ones(self.rows)
        else:
            count = self.given if self.given.ndim == 1 else self.given[b]
            count = count.astype(np.float64, copy=False)
        weight = count
        if self.factor is not None:
            weight = weight * self.factor
        # Class weights multiply copies too: a class that weighs twice is as good as there twice.
        count = weight if self.copies else (weight > 0).astype(np.float64)
        if self.given is None and self.factor is None:
            return weight, count, np.arange(self.rows, dtype=np.int32)
        return weight, count, weighing(weight)

    def counted(self, b: int) -> float:
        """How many rows one member has, as limits count them."""
        return float(self.member(b)[1].sum())
