"""One test in one null world, and how often it rejected at 5%."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from math import nan, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
BAR = 0.065
STRICT = 0.999
"""A cell fails only if its Monte Carlo interval at this level lies wholly above the bar."""
NOMINAL = 0.05


@dataclass(frozen=True)
class Size:
    """`rejected` of true nulls; `power` is the share rejected in the world's alternative."""

    world: str
    case: str
    test: str
    default: bool
    n: int
    repetitions: int
    rejected: float
    undefined: float
    power: float = nan

    @property
    def error(self) -> float:
        return sqrt(self.rejected * (1 - self.rejected) / self.repetitions)

    @property
    def fails(self) -> bool:
        """Whether the default rejects too often, beyond Monte Carlo error."""
        if not self.default:
            return False
        from heliast.estimates import wilson

        hits = round(self.rejected * self.repetitions)
        return wilson(hits, self.repetitions, STRICT).low > BAR

    def to_dict(self) -> dict[str, object]:
        return {
            name: round(value, 6) if isinstance(value, float) else value
            for name, value in asdict(self).items()
            if value == value
        }


def size(
    world: str, case: str, test: str, default: bool, n: int, p_values: Iterable[float],
    others: Iterable[float] | None = None,
) -> Size:  # fmt: skip
    """From p values under the null, and (`others`) the alternative; undefined is no finding."""
    p = np.asarray(list(p_values), np.float64)
    power = nan if others is None else float((np.asarray(list(others)) < NOMINAL).mean())
    hits = float((p < NOMINAL).mean())
    return Size(world, case, test, default, n, p.size, hits, float(np.isnan(p).mean()), power)
