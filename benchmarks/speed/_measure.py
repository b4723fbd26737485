"""How times are taken and what a comparison yields."""

import statistics
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Result:
    """One line of the table. Ratios are of times unless `unit` says otherwise."""

    what: str
    ours: float
    peer: float
    peer_name: str
    floor: float
    """What the ratio must reach (or stay below, if `at_most`)."""
    aim: float | None = None
    at_most: bool = False
    unit: str = "s"

    @property
    def ratio(self) -> float:
        return float(self.ours / self.peer if self.at_most else self.peer / self.ours)

    @property
    def passed(self) -> bool:
        return bool(self.ratio <= self.floor if self.at_most else self.ratio >= self.floor)

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "ratio": self.ratio, "passed": self.passed}


def seconds(work: Callable[[], Any], repeats: int = 5, warm: bool = True) -> float:
    """The median time of several runs, after one that does not count."""
    if warm:
        work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def peak_bytes(work: Callable[[], Any]) -> float:
    """The most memory that was allocated at a time beyond what was before."""
    tracemalloc.start()
    try:
        work()
        return float(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()
