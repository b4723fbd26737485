"""A cell of the study: one task, size, measure and method, and how often its intervals covered."""

from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

BAR = 0.92
LEAST_ROWS = 200
LEAST_CLASS = 20
STRICT = 0.999
"""A cell fails only if its Monte Carlo interval at this level lies wholly below the bar."""


@dataclass(frozen=True)
class Cell:
    """What was found. `below` and `above` are the shares of intervals wholly below and above.

    `smallest` is the expected number of rows of the smallest class (NaN for numbers), `warned` the
    share of estimates that carry a note or a reason.
    """

    family: str
    task: str
    measure: str
    method: str
    default: bool
    n: int
    smallest: float
    repetitions: int
    coverage: float
    below: float
    above: float
    undefined: float
    width: float
    warned: float

    @property
    def exact(self) -> bool:
        return self.repetitions == 0

    @property
    def error(self) -> float:
        """Monte Carlo standard error of the coverage."""
        if self.exact:
            return 0.0
        share = min(max(self.coverage, 0.0), 1.0)
        return sqrt(share * (1 - share) / self.repetitions)

    @property
    def judged(self) -> bool:
        """Whether the bar applies: defaults, enough rows, enough rows in the smallest class."""
        if not self.default:
            return False
        if self.exact and self.measure == "error":
            return True
        return self.n >= LEAST_ROWS and not self.smallest < LEAST_CLASS

    @property
    def fails(self) -> bool:
        """Whether the coverage is below the bar, beyond Monte Carlo error."""
        if not self.judged:
            return False
        if self.exact:
            return self.coverage < BAR
        from heliast.estimates import wilson

        hits = round(self.coverage * self.repetitions)
        return wilson(hits, self.repetitions, STRICT).high < BAR

    def to_dict(self) -> dict[str, object]:
        """The fields, to six digits: more is noise."""
        return {
            name: round(value, 6) if isinstance(value, float) else value
            for name, value in asdict(self).items()
        }


def tally(low: Array, high: Array, truth: float, times: Array | None = None) -> dict[str, float]:
    """Coverage, misses on either side, undefined share and median width; each counted `times`."""
    times = np.ones(low.size) if times is None else times
    share = times / times.sum()
    known = np.isfinite(low) & np.isfinite(high)
    slack = 1e-12  # the truth itself is only known to rounding
    below = known & (high < truth - slack)
    above = known & (low > truth + slack)
    wide = (high - low)[known]
    return {
        "coverage": float(share[known & ~below & ~above].sum()),
        "below": float(share[below].sum()),
        "above": float(share[above].sum()),
        "undefined": float(share[~known].sum()),
        "width": _median(wide, share[known]) if known.any() else float("nan"),
    }


def _median(values: Array, share: Array) -> float:
    order = np.argsort(values)
    reached = np.cumsum(share[order])
    return float(values[order][np.searchsorted(reached, reached[-1] / 2)])
