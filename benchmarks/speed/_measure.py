"""How times are taken and what a comparison yields."""

import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterator
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


def clocks(work: Callable[[], Any], repeats: int = 3) -> tuple[float, float]:
    """Median seconds by the wall and of all processors, after one run that does not count."""
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
) -> Iterator[Result]:  # fmt: skip
    """A line by the wall and one by the processors, which a loaded machine hardly changes."""
    for clock, at in (("", 0), (", processors", 1)):
        yield Result(what + clock, ours[at], peer[at], name, floor=floor, aim=aim)


def peak_bytes(work: Callable[[], Any]) -> float:
    """The most memory that was allocated at a time beyond what was before."""
    tracemalloc.start()
    try:
        work()
        return float(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()
