"""What a process does before each of its fits, so that they can be counted, or held up.

A model that did it itself would ask the system, so that its results were never used again.
"""

from collections.abc import Callable
from typing import Any

from heliast.fitting.cell import Fitter


def before_each_fit(do: Callable[[int, int], object]) -> None:
    """From now on, call `do` with the split and the seed of each cell before it is fitted."""
    fitted = Fitter.cell

    def noted(self: Fitter, piece: Any, split: int, seed: int, with_size: bool = False) -> Any:
        do(split, seed)
        return fitted(self, piece, split, seed, with_size)

    Fitter.cell = noted  # type: ignore[method-assign]
