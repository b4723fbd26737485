"""One method on one plan, task, learner and size, and how often it covered its declared target."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.coverage._cell import tally

Array = npt.NDArray[Any]
LOW, HIGH = 0.93, 0.985
STRICT = 0.999
"""A cell fails only if its Monte Carlo interval at this level lies wholly outside LOW to HIGH."""
JUDGED_FROM = 200
SAID = 0.99
"""A cell outside is said to be so if this share of its estimates says so."""


@dataclass(frozen=True)
class Covered:
    """`truth` has the standard error `truth_se`; `below` and `above` are intervals that miss.

    `warned` is the share of estimates that say they may not cover (kept for the default only).
    """

    task: str
    learner: str
    plan: str
    method: str
    default: bool
    target: str
    n: int
    repetitions: int
    truth: float
    truth_se: float
    coverage: float
    below: float
    above: float
    undefined: float
    width: float
    fresh: bool = False
    warned: float = 0.0

    @property
    def error(self) -> float:
        """Monte Carlo standard error of the coverage."""
        return sqrt(self.coverage * (1 - self.coverage) / self.repetitions)

    @property
    def judged(self) -> bool:
        return self.default and self.n >= JUDGED_FROM

    @property
    def outside(self) -> str:
        """`low` or `high` if the coverage is beyond the bar and Monte Carlo error, else empty."""
        from heliast.estimates import wilson

        found = wilson(round(self.coverage * self.repetitions), self.repetitions, STRICT)
        return "low" if found.high < LOW else "high" if found.low > HIGH else ""

    @property
    def within(self) -> bool:
        """Whether the coverage measured lies inside the bar."""
        return LOW <= self.coverage <= HIGH

    @property
    def about(self) -> tuple[str, str, str, int]:
        """What methods are compared on: task, learner, plan, size."""
        return self.task, self.learner, self.plan, self.n

    def to_dict(self) -> dict[str, object]:
        return {
            name: round(value, 5) if isinstance(value, float) else value
            for name, value in asdict(self).items()
        }


@dataclass(frozen=True)
class Miss:
    """A default outside the bar, and the other methods that measure within it on these splits."""

    cell: Covered
    others: tuple[Covered, ...]

    @property
    def excused(self) -> bool:
        """Nothing known reaches the bar here, and the estimates say that theirs may not."""
        return not self.others and self.cell.warned > SAID

    @property
    def words(self) -> str:
        cell = self.cell
        return (
            f"{cell.task}, {cell.learner}, {cell.plan}, n = {cell.n}: {cell.coverage:.3f}, "
            f"{cell.warned:.0%} say so; within the bar here: {self.known}"
        )

    @property
    def known(self) -> str:
        return ", ".join(f"{one.method} {one.coverage:.3f}" for one in self.others) or "none"


def misses(cells: Sequence[Covered]) -> list[Miss]:
    """The defaults outside the bar. Methods judged on a target of their own are no help."""
    return [
        Miss(cell, tuple(one for one in cells if one.about == cell.about and _helps(one)))
        for cell in cells
        if cell.judged and cell.outside
    ]


def _helps(cell: Covered) -> bool:
    return not cell.default and cell.within and not cell.method.endswith("own target")


def counted(low: Array, high: Array, truth: float | Array) -> dict[str, float]:
    """Coverage and its parts; the truth may be another in each repetition."""
    if isinstance(truth, float):
        return tally(low, high, truth)
    shift = np.asarray(truth)
    return tally(low - shift, high - shift, 0.0)
