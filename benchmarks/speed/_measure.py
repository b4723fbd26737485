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
    processors: tuple[float, float] | None = None
    """Our seconds and the peer's of all processors, which a loaded machine hardly changes."""

    @property
    def ratio(self) -> float:
        return self._ratio(self.ours, self.peer)

    @property
    def processor_ratio(self) -> float | None:
        return None if self.processors is None else self._ratio(*self.processors)

    @property
    def passed(self) -> bool:
        """Whether the floor holds; by both clocks, where both were read."""
        return not self.missed

    @property
    def missed(self) -> list[str]:
        """The clocks by which the floor is missed."""
        ratios = {"wall": self.ratio, "processors": self.processor_ratio}
        return [
            clock
            for clock, ratio in ratios.items()
            if ratio is not None and (ratio > self.floor if self.at_most else ratio < self.floor)
        ]

    def _ratio(self, ours: float, peer: float) -> float:
        return float(ours / peer if self.at_most else peer / ours)

    def as_dict(self) -> dict[str, Any]:
        found = {"ratio": self.ratio, "processor_ratio": self.processor_ratio}
        return {**asdict(self), **found, "passed": self.passed}


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


def clocks(work: Callable[[], Any], repeats: int = 3, warm: bool = True) -> tuple[float, float]:
    """Median seconds by the wall and of all processors; `warm`: after one that does not count."""
    if warm:
        work()
    times = []
    for _ in range(repeats):
        wall, processors = time.perf_counter(), time.process_time()
        work()
        times.append((time.perf_counter() - wall, time.process_time() - processors))
    wall, processors = (statistics.median(column) for column in zip(*times, strict=True))
    return wall, processors


def by_both_clocks(
    what: str, ours: tuple[float, float], peer: tuple[float, float], name: str, floor: float,
    aim: float | None = None,
) -> Result:  # fmt: skip
    """A line from what `clocks` gives."""
    both = ours[1], peer[1]
    return Result(what, ours[0], peer[0], name, floor=floor, aim=aim, processors=both)


def peak_bytes(work: Callable[[], Any]) -> float:
    """The most memory that was allocated at a time beyond what was before."""
    tracemalloc.start()
    try:
        work()
        return float(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()
