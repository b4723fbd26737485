"""Where something is, as a message says it: positions of an array or lines of a file."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from heliast._core.kinds import Array


@dataclass(frozen=True, eq=False)
class Places:
    """How rows are named in messages: `row 3` of an array, `line 5` of a file.

    `numbers` turns positions into what the reader of the message would count; `kept` holds the
    original positions after rows were dropped, so that messages still point into the source.

    >>> Places().some(np.array([1, 4]))
    '2 rows (rows 1 and 4, counting from 0)'
    """

    unit: str = "row"
    numbers: Callable[[Sequence[int]], Sequence[object]] | None = None
    kept: Array | None = None

    def at(self, keep: Array) -> "Places":
        """The places of the rows that a mask keeps."""
        kept = np.flatnonzero(keep)
        return Places(self.unit, self.numbers, kept if self.kept is None else self.kept[kept])

    def one(self, position: int) -> str:
        """One place, such as `row 3` or `line 5`."""
        return f"{self.unit} {self._shown([position])[0]}"

    def some(self, positions: Array, most: int = 5) -> str:
        """How many rows, and where the first few are."""
        count = len(positions)
        shown = [str(number) for number in self._shown(positions[:most].tolist())]
        if count > most:
            listed = ", ".join(shown) + ", ..."
        else:
            listed = " and ".join([", ".join(shown[:-1]), shown[-1]] if count > 1 else shown)
        unit = self.unit if count == 1 else f"{self.unit}s"
        base = "" if self.numbers else ", counting from 0"
        return f"{count} {'row' if count == 1 else 'rows'} ({unit} {listed}{base})"

    def _shown(self, positions: Sequence[int]) -> Sequence[object]:
        if self.kept is not None:
            positions = [int(self.kept[position]) for position in positions]
        return positions if self.numbers is None else self.numbers(positions)


ROWS = Places()
"""The places of an array: positions from 0."""
