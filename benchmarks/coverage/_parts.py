"""The parts about several splits and comparisons: how they run, what they say, how they look."""

from collections.abc import Callable
from typing import Any

from benchmarks.coverage._drawing import Group, dots
from benchmarks.coverage.resampled import _cells, _costly, _measures, _report, _study
from benchmarks.coverage.resampled._covered import HIGH, JUDGED_FROM, LOW, Covered, misses
from benchmarks.coverage.resampled._learners import FRESH_LEARNERS, LEARNERS
from benchmarks.coverage.resampled._tasks import FRESH, TASKS
from benchmarks.coverage.sizes import _report as size_report
from benchmarks.coverage.sizes import sizes
from benchmarks.coverage.sizes._size import BAR, Size

Kept = dict[str, Any]
Piece = tuple[str, int]
"""A task and a number of rows: what one process simulates of a part."""


def pieces(name: str) -> list[Piece]:
    """The pieces of a part, the longest first; none where a part is simulated whole."""
    sizes = sorted(_study.SIZES, reverse=True) if name == "resampled" else []
    return [(task.name, n) for n in sizes for task in TASKS]


def simulate(piece: Piece, repetitions: int, seed: int) -> None:
    """Keep one piece of `resampled` on disk."""
    task = next(task for task in TASKS if task.name == piece[0])
    _study.run((task,), LEARNERS, seed, repetitions // 2, sizes=(piece[1],))


def _resampled(repetitions: int, seed: int) -> Kept:
    done = _study.run(TASKS, LEARNERS, seed, repetitions // 2)
    found = _cells.cells(TASKS, LEARNERS, done)
    return {
        "cells": [cell.to_dict() for cell in found],
        "points": _cells.points(LEARNERS, done),
    }


def _fresh(repetitions: int, seed: int) -> Kept:
    done = _study.run(
        FRESH, FRESH_LEARNERS, seed + 1, repetitions // 5, sizes=(JUDGED_FROM,), name="fresh",
        own=1, slower=3,
    )  # fmt: skip
    found = _cells.cells(FRESH, FRESH_LEARNERS, done, fresh=True)
    return {"cells": [cell.to_dict() for cell in found]}


def _costly_part(repetitions: int, seed: int) -> Kept:
    return {"cells": [cell.to_dict() for cell in _costly.cells(repetitions // 20, seed)]}


def _other_measures(repetitions: int, seed: int) -> Kept:
    return {"cells": [cell.to_dict() for cell in _measures.cells(repetitions // 20, seed)]}


def _sizes(repetitions: int, seed: int) -> Kept:
    return {"cells": [one.to_dict() for one in sizes(repetitions // 5, seed)]}


PARTS: dict[str, Callable[[int, int], Kept]] = {
    "resampled": _resampled, "fresh": _fresh, "costly": _costly_part,
    "measures": _other_measures, "sizes": _sizes,
}  # fmt: skip


def covered(kept: Kept, name: str) -> list[Covered]:
    return [Covered(**cell) for cell in kept.get(name, {}).get("cells", [])]


def compared(kept: Kept) -> list[Size]:
    return [Size(**cell) for cell in kept.get("sizes", {}).get("cells", [])]


def failed(kept: Kept) -> list[str]:
    """The defaults beyond their bars, in words."""
    found = [one.words for one in misses(covered(kept, "resampled")) if not one.excused]
    return found + [
        f"{one.case}, {one.test}, n = {one.n}: rejects {one.rejected:.3f}"
        for one in compared(kept)
        if one.fails
    ]


def excused(kept: Kept) -> list[str]:
    """Where the default is outside its bar, says so, and nothing known reaches it."""
    return [one.words for one in misses(covered(kept, "resampled")) if one.excused]


def elsewhere(kept: Kept) -> list[str]:
    """Where it is outside on the fresh tasks, which were drawn to find such places."""
    return [one.words for one in misses(covered(kept, "fresh"))]


def report(kept: Kept) -> list[str]:
    """The Markdown of these parts, as far as they were run."""
    lines: list[str] = []
    cells = covered(kept, "resampled")
    if cells:
        lines += _report.report(cells, covered(kept, "fresh"), covered(kept, "costly"))
        lines += _report.other_measures(covered(kept, "measures"))
        lines += _report.bootstrap_points(kept["resampled"].get("points", []))
    if compared(kept):
        lines += size_report.report(compared(kept))
    return lines


def drawings(kept: Kept) -> dict[str, str]:
    """SVGs by file name, as far as the parts were run."""
    found = {}
    for name, file in (("resampled", "splits.svg"), ("fresh", "fresh.svg")):
        large = [cell for cell in covered(kept, name) if cell.n >= JUDGED_FROM]
        if large:
            found[file] = _splits_drawing(large, name == "fresh")
    if compared(kept):
        found["sizes.svg"] = _sizes_drawing(compared(kept))
    return found


def _splits_drawing(cells: list[Covered], fresh: bool) -> str:
    groups: list[Group] = []
    for plan, method in dict.fromkeys((cell.plan, cell.method) for cell in _by_plan(cells)):
        own = [cell for cell in cells if (cell.plan, cell.method) == (plan, method)]
        groups.append((plan, method, own[0].default, [cell.coverage for cell in own]))
    title = f"Coverage of 95% intervals, {'fresh tasks, ' if fresh else ''}n >= {JUDGED_FROM}"
    title += ": a dot a task, learner and size (below 0.55: drawn there)"
    return dots(title, groups, 0.55, 1.0, (LOW, HIGH), 0.95, [0.6, 0.7, 0.8, 0.9, 0.95, 1.0])


def _by_plan(cells: list[Covered]) -> list[Covered]:
    plans = list(dict.fromkeys(cell.plan for cell in cells))
    return sorted(cells, key=lambda cell: plans.index(cell.plan))


def _sizes_drawing(sizes: list[Size]) -> str:
    groups: list[Group] = []
    for world, test in dict.fromkeys((one.world, one.test) for one in sizes):
        own = [one for one in sizes if (one.world, one.test) == (world, test)]
        groups.append((world, test, own[0].default, [one.rejected for one in own]))
    title = "True nulls rejected at 5%: a dot a case and size (above 0.42: drawn there)"
    return dots(title, groups, 0.0, 0.42, (0.0, BAR), 0.05, [0, 0.05, 0.1, 0.2, 0.3, 0.4])
