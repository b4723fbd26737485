"""Cells of the map that were added after it was run: the bootstrap, calibration errors over splits.

    python -m benchmarks.studies.more_cells [--seconds 6] [--sets 300] [--seed 2]

Prints every cell's coverage by measure and plan, and writes what the package ships of them
(`coverage_more.json`). A full run of the map measures the same pieces.
"""

import argparse
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from statistics import median

from benchmarks.coverage.map._assessing import cells
from benchmarks.coverage.map._cell import Cell
from benchmarks.coverage.map._packed import packed
from benchmarks.coverage.map._pieces import CALIBRATION, calibrated, resampled
from benchmarks.coverage.resampled._store import FOLDER

LONG = ("average_precision", *CALIBRATION)
"""What takes so long that it would be left out beside all the others."""


def measured(seconds: float, sets: int, seed: int) -> Iterator[list[Cell]]:
    """The cells of each piece; over folds only calibration errors are asked for.

    A few of each kind come first, so that a run that is stopped has something of all.
    """
    jobs = [(piece, (), seconds) for piece in resampled()]
    jobs += [(piece, LONG, seconds) for piece in resampled() if piece.world.k]
    jobs += [(piece, CALIBRATION, seconds / 3) for piece in calibrated()]
    order = sorted(range(len(jobs)), key=lambda at: at % len(resampled()))
    for at, (piece, only, each) in enumerate((jobs[place] for place in order), 1):
        print(f"{at} of {len(jobs)}: {piece.name}", file=sys.stderr, flush=True)
        yield cells(piece, each, sets, seed, only)


def table(found: list[Cell]) -> str:
    """By measure, design and family: cells, and the lowest, median and highest coverage."""
    groups: dict[tuple[str, str, int], list[Cell]] = defaultdict(list)
    for cell in found:
        if cell.state not in ("none", "unsure"):
            groups[cell.measure, cell.design, cell.family].append(cell)
    lines = [
        "| measure | design | family | cells | lowest | median | highest | low | tables |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for (measure, design, family), some in sorted(groups.items()):
        covers = sorted(cell.coverage for cell in some)
        ends = " | ".join(f"{x:.3f}" for x in (covers[0], median(covers), covers[-1]))
        low = sum(cell.state == "low" for cell in some)
        count = median(cell.defined for cell in some)
        lines.append(
            f"| {measure} | {design} | {family} | {len(some)} | {ends} | {low} | {count:g} |"
        )
    return "\n".join(lines)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    asked.add_argument("--seconds", type=float, default=6.0)
    asked.add_argument("--sets", type=int, default=300)
    asked.add_argument("--seed", type=int, default=2)
    given = asked.parse_args()
    for variable in ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ[variable] = "1"
    package = FOLDER.parents[1] / "src" / "heliast" / "estimates"
    found: list[Cell] = []
    for some in measured(given.seconds, given.sets, given.seed):
        found += some
        (package / "coverage_more.json").write_text(packed(found))
    print(table(found))


if __name__ == "__main__":
    main()
