"""Cells of the map that were measured after it was run, by kind.

    python -m benchmarks.studies.more_cells [--only KIND ...] [--seconds 6] [--sets 300] [--seed 2]
        [--piece WORD]

Kinds: `bootstrap`, `calibration` (errors of calibration over splits), `squares` (of the errors of
numbers), `ordinal` (measures of classes in an order), `time` (rows in order of time), `grades`
(of answers), `slices` (all intervals of the slices of a table together). Prints every
cell's coverage by measure and plan, and puts them into what the package ships
(`coverage_more.json`), in place of older ones. A full run of the map measures the same pieces and
empties that file. With `--piece`, pieces whose names end in that word are measured and printed cell
by cell, and nothing is kept.
"""

import argparse
import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

from benchmarks.coverage.map import _grades, _in_order, _slices
from benchmarks.coverage.map._assessing import cells
from benchmarks.coverage.map._cell import Cell
from benchmarks.coverage.map._packed import lines, packed
from benchmarks.coverage.map._pieces import (
    CALIBRATION,
    Piece,
    calibrated,
    graded,
    resampled,
    squared,
)
from benchmarks.coverage.resampled._store import FOLDER

LONG = ("average_precision", *CALIBRATION)
"""What takes so long that it would be left out beside all the others."""
ORDINAL = ("kappa_linear", "kappa_quadratic", "class_mae")
Job = tuple[str, Callable[[float, int, int], list[Cell]]]
"""A name, and what gives cells for so many seconds, training sets of the truth, and a seed."""
KINDS: dict[str, Callable[[], list[Job]]] = {
    "bootstrap": lambda: [
        *(_of(piece) for piece in resampled()),
        *(_of(piece, LONG) for piece in resampled() if piece.world.k),
    ],
    "calibration": lambda: [_of(piece, CALIBRATION, 1 / 3) for piece in calibrated()],
    "squares": lambda: [_of(piece, ("mse", "rmse")) for piece in squared()],
    "ordinal": lambda: [_of(piece, ORDINAL) for piece in graded()],
    "slices": lambda: [(piece.name, partial(_slices.cells, piece)) for piece in _slices.pieces()],
    "grades": lambda: [(piece.name, partial(_grades.cells, piece)) for piece in _grades.pieces()],
    "time": lambda: [(piece.name, partial(_in_order.cells, piece)) for piece in _in_order.pieces()],
}


def _of(piece: Piece, only: tuple[str, ...] = (), share: float = 1.0) -> Job:
    """A piece of the map, `only` some measures of it, in a share of the seconds."""

    def measured(seconds: float, sets: int, seed: int) -> list[Cell]:
        return cells(piece, share * seconds, sets, seed, only)

    return piece.name, measured


def joined(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The new cells in place of the old ones of the same measure and design."""
    for verb in ("assess", "compare"):
        for measure, designs in new[verb].items():
            old[verb].setdefault(measure, {}).update(designs)
    old["designs"] = sorted({*old["designs"], *new["designs"]})
    return old


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
    asked.add_argument("--only", nargs="+", choices=KINDS, default=[*KINDS], metavar="KIND")
    asked.add_argument("--seconds", type=float, default=6.0)
    asked.add_argument("--sets", type=int, default=300)
    asked.add_argument("--seed", type=int, default=2)
    asked.add_argument("--piece", default="", metavar="WORD")
    given = asked.parse_args()
    for variable in ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ[variable] = "1"
    path = FOLDER.parents[1] / "src" / "heliast" / "estimates" / "coverage_more.json"
    old, found = path.read_text(), []
    every = [job for kind in given.only for job in KINDS[kind]() if job[0].endswith(given.piece)]
    for at, (name, measured) in enumerate(every, 1):
        print(f"{at} of {len(every)}: {name}", file=sys.stderr, flush=True)
        cells = measured(given.seconds, given.sets, given.seed)
        found += cells
        if given.piece:
            for cell in cells:
                wrong = f"rejects {cell.rejected:.3f}" if cell.models > 1 else ""
                print(name, cell.measure, f"covers {cell.coverage:.3f}", wrong, cell.defined)
            continue
        path.write_text(lines(joined(json.loads(old), json.loads(packed(found)))))
    print(table(found))


if __name__ == "__main__":
    main()
