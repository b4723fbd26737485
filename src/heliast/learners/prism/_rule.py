"""A rule: conditions on nominal inputs, all of which must hold, and the class it gives."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Condition:
    """`column` (a position) takes the value with number `code`; `words` say it to a reader."""

    column: int
    code: int
    words: str


@dataclass(frozen=True)
class Rule:
    """If all conditions hold, then the class; `right` of the `covered` training rows agree.

    Rows count as they did when the rule was grown: without those that earlier rules of the class
    had covered. A rule that is not perfect (right < covered) ran out of inputs to ask about.
    """

    conditions: tuple[Condition, ...]
    class_: Any
    right: float
    covered: float

    def covers(self, codes: Array) -> Array:
        """Which rows satisfy every condition."""
        holds = np.ones(len(codes), bool)
        for condition in self.conditions:
            holds &= codes[:, condition.column] == condition.code
        return holds

    def __str__(self) -> str:
        asked = "\n   and ".join(condition.words for condition in self.conditions)
        then = f"then {self.class_}"
        mistaken = "" if self.right == self.covered else f"  ({self.right:g} of {self.covered:g})"
        return (f"If {asked} {then}" if asked else f"In any case {self.class_}") + mistaken
