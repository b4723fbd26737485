"""A cell of the map: one measure on one design in one world, and how often its interval covered."""

from dataclasses import asdict, dataclass
from math import isnan, nan, sqrt
from typing import Any

LOW, HIGH = 0.925, 0.985
REJECTS = 0.065
STRICT = 0.999
"""A cell is outside only if its Monte Carlo interval at this level lies wholly outside the bar."""
LARGE_ENOUGH, RARE_ENOUGH = 200, 20
"""From so many rows, and so many of the rarest class, the share of cells inside is promised."""
SURE = 0.15
"""The truth's standard error must be below this share of the interval's own."""


@dataclass(frozen=True)
class Cell:
    """`coverage`, `below` and `above` are shares of the intervals that there are.

    `undefined` is the share of repetitions without an interval, `noted` that of estimates with a
    note or a reason; `said` is what most of those say. `rejected` is the share of true nulls that a
    comparison rejected (NaN elsewhere), `models` how many were compared.
    """

    verb: str
    measure: str
    methods: tuple[str, ...]
    design: str
    plan: str
    world: str
    family: int
    share: float
    learner: str
    n: int
    rarest: float
    repetitions: int
    coverage: float
    below: float
    above: float
    width: float
    undefined: float
    noted: float
    said: str
    truth: float
    truth_se: float
    rejected: float = nan
    models: int = 1

    @property
    def defined(self) -> int:
        """The repetitions with an interval."""
        return round(self.repetitions * (1 - self.undefined))

    @property
    def error(self) -> float:
        """Monte Carlo standard error of the coverage."""
        return sqrt(self.coverage * (1 - self.coverage) / self.defined) if self.defined else nan

    @property
    def promised(self) -> bool:
        return self.n >= LARGE_ENOUGH and not self.rarest < RARE_ENOUGH

    @property
    def state(self) -> str:
        """`inside`, `low`, `high`, `rejects`; `none` without intervals, `unsure` of the truth."""
        if self.undefined > 0.5:
            return "none"
        if self.truth_se > SURE * self.width / 4:
            return "unsure"
        if not isnan(self.rejected) and limits(self.rejected, self.repetitions)[0] > REJECTS:
            return "rejects"
        low, high = limits(self.coverage, self.defined)
        if high < LOW:
            return "low"
        return "high" if low > HIGH and self.verb == "assess" else "inside"

    @property
    def words(self) -> str:
        where = f"{self.measure} | {self.plan} | {self.world}, {self.learner} | {self.n}"
        return f"{where} | {self.coverage:.3f} ± {self.error:.3f}"

    def to_dict(self) -> dict[str, Any]:
        return {
            name: round(value, 5) if isinstance(value, float) else value
            for name, value in asdict(self).items()
        }


def limits(share: float, of: int) -> tuple[float, float]:
    """The Monte Carlo interval of a share."""
    from heliast.estimates import wilson

    found = wilson(round(share * of), of, STRICT)
    return found.low, found.high
