"""What a code is worth, as a record."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast._core.records import as_dict
from heliast.codes._convergence_bound import convergence_bound
from heliast.codes._hamming import between_columns, between_rows, smallest
from heliast.codes._matrix import Code, as_code, wasted_columns


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Description:
    """What `describe` found."""

    k: int
    columns: int
    row_distances: Code
    """(k, k): in how many columns two classes differ."""
    column_distances: Code
    """(B, B): how far two columns are from asking the same, min(d, k - d)."""
    row_smallest: int
    row_largest: int
    row_mean: float
    column_smallest: int
    correctable: int
    """So many wrong columns cannot change a hard vote: (smallest row distance - 1) / 2, floored."""
    bayes_consistent: bool
    """Whether L1 decoding is right whenever all columns are (theorem 1)."""
    rank: int
    regression_consistent: bool
    """Whether least-squares decoding is (theorem 6): the rank is k."""
    constant_columns: int
    repeated_columns: int
    """Columns that repeat or complement another."""
    notes: tuple[str, ...]

    def bound(self, gap: Any) -> Any:
        """How far the error can be from its limit in B, for a code of fair independent bits."""
        return convergence_bound(self.k, gap, self.columns)

    def to_dict(self) -> dict[str, object]:
        """The record as plain values, with the bound at three gaps."""
        gaps = {str(gap): float(self.bound(gap)) for gap in (0.2, 0.5, 0.9)}
        return {**as_dict(self), "bound": gaps}

    def __repr__(self) -> str:
        return f"<Code: {self.k} classes, {self.columns} columns; {'; '.join(self._words())}>"

    def _words(self) -> list[str]:
        apart = f"{self.row_smallest} to {self.row_largest}"
        if self.row_smallest == self.row_largest:
            apart = str(self.row_smallest)
        consistent = "Bayes consistent" if self.bayes_consistent else "not Bayes consistent"
        rows = f"rows differ in {apart} columns"
        corrects = f"corrects {self.correctable} wrong"
        columns = f"columns differ in {self.column_smallest} classes or more"
        return [rows, corrects, columns, consistent, *self.notes]


def describe(code: Any) -> Description:
    """Distances between rows and columns, what can be corrected, consistency, waste.

    >>> from heliast.codes import hadamard, identity
    >>> describe(identity(4))
    <Code: 4 classes, 4 columns; rows differ in 2 columns; corrects 0 wrong; columns differ in 2
    classes or more; Bayes consistent>
    >>> found = describe(hadamard(26))
    >>> found.row_smallest, found.correctable, found.bayes_consistent
    (16, 7, True)
    """
    code = as_code(code)
    k, columns = code.shape
    rows, between = between_rows(code), between_columns(code)
    off = rows[~np.eye(k, dtype=bool)]
    constant, repeated = wasted_columns(code)
    rank = int(np.linalg.matrix_rank(code.astype(np.float64)))
    least, most = int(off.min()), int(off.max())
    return Description(
        k=k, columns=columns, row_distances=rows, column_distances=between,
        row_smallest=least, row_largest=most, row_mean=float(off.mean()),
        column_smallest=smallest(between), correctable=max(0, (least - 1) // 2),
        bayes_consistent=least == most > 0, rank=rank, regression_consistent=rank == k,
        constant_columns=constant, repeated_columns=repeated,
        notes=_notes(least, rank, k, constant, repeated),
    )  # fmt: skip


def _notes(least: int, rank: int, k: int, constant: int, repeated: int) -> tuple[str, ...]:
    found = []
    if least == 0:
        found.append("some classes share a word and cannot be told apart")
    if constant:
        found.append(f"{constant} constant columns ask nothing")
    if repeated:
        found.append(f"{repeated} columns repeat or complement another")
    if rank < k:
        found.append(f"rank {rank} below {k}: least squares gives scores of minimum norm")
    return tuple(found)
