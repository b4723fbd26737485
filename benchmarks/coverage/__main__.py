"""`python -m benchmarks.coverage [--quick] [--seconds S] [--only PART ...] [--seed S]`.

Without `--only`: the map of coverage (benchmarks/coverage/map), every measure of the registry on
every design, with MAP.md, the drawings of docs/ and the packed map that the package ships.
`--quick` is half of its pieces with fewer tables, written to build/coverage only; `--seconds` is
the processor time of each plan in a piece. The exit code is 1 if fewer than 95% of the promised
cells of the first family are inside.

Parts by name: the families of one test set (proportions, tables, ranks, losses, designs,
learners), and resampled (several splits), fresh (the same on tasks that chose nothing), costly
(methods with plans of their own), measures (others than the error), sizes (comparisons under null
worlds). Their exit code is 1 if the default for the error is outside its bar where it does not say
so or where another method holds, or if a comparison rejects too often.

Finished pieces are kept in build/coverage, so that a run that was stopped goes on where it was;
they run side by side, one a core. Delete the folder after a change of methods.
"""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.coverage import _parts
from benchmarks.coverage._cell import Cell
from benchmarks.coverage._report import report
from benchmarks.coverage._running import FILES, side_by_side
from benchmarks.coverage.map import _running as running
from benchmarks.coverage.map._running import FULL, QUICK

HERE = Path(__file__).parent
SHARE = 0.95
"""The share of promised cells of the first family that must be inside."""


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.coverage",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", nargs="+", choices=(*FILES, *_parts.PARTS), help="these parts")
    parser.add_argument("--quick", action="store_true", help="a part of all, nothing saved")
    parser.add_argument("--seconds", type=float, help="processor seconds a plan of the map")
    parser.add_argument("--workers", type=int, help="processes (default: one a core)")
    parser.add_argument("--repetitions", type=int, default=2000, help="test sets a cell")
    parser.add_argument("--seed", type=int, default=2, help="seed 1 served to choose the methods")
    parser.add_argument("--to", type=Path, default=HERE, help="folder for the results")
    options = parser.parse_args()
    return _parts_by_name(options) if options.only else _map(options)


def _map(options: argparse.Namespace) -> int:
    effort = replace(QUICK if options.quick else FULL, seed=options.seed)
    if options.seconds:
        effort = replace(effort, name=f"{effort.name}-{options.seconds:g}", seconds=options.seconds)
    running.run(effort, options.workers)
    cells = running.write(effort, whole=not options.quick)
    judged = [cell for cell in cells if (cell.verb, cell.family) == ("assess", 1) and cell.promised]
    states = [cell.state for cell in judged]
    inside, outside = states.count("inside"), states.count("low") + states.count("high")
    print(
        f"{len(cells)} cells; promised, first family: {inside} inside, {outside} outside",
        flush=True,
    )
    return int(inside < SHARE * (inside + outside))


def _parts_by_name(options: argparse.Namespace) -> int:
    options.to.mkdir(parents=True, exist_ok=True)
    repetitions = options.repetitions // 10 if options.quick else options.repetitions
    kept = {} if options.quick else _kept(options.to / "results.json")
    for name, found in side_by_side(options.only, repetitions, options.seed):
        kept[name] = found
        print(f"{name}: {found['seconds']:.0f} s", flush=True)
        if not options.quick:
            _save(kept, options.seed, options.to)
    low = [cell for cell in _cells(kept) if cell.fails]
    errors = [_words(cell) for cell in low if cell.measure == "error"]
    failed = errors + _parts.failed(kept)
    _tell("error or comparison outside its bar", failed)
    _tell("outside, said by the estimates, and nothing known reaches it", _parts.excused(kept))
    _tell("outside on fresh tasks", _parts.elsewhere(kept))
    _tell("other measures below", [_words(cell) for cell in low if cell.measure != "error"])
    return int(bool(failed))


def _words(cell: Cell) -> str:
    said = f"{cell.warned:.0%} say so"
    return f"{cell.task}, {cell.measure}, n = {cell.n}: {cell.coverage:.3f}, {said}"


def _tell(title: str, lines: list[str]) -> None:
    print(f"{title}: {len(lines) or 'none'}", *lines, sep="\n  ", flush=True)


def _kept(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text())["files"]) if path.exists() else {}


def _cells(kept: dict[str, Any]) -> list[Cell]:
    return [Cell(**cell) for name in FILES if name in kept for cell in kept[name]["cells"]]


def _save(kept: dict[str, Any], seed: int, folder: Path) -> None:
    cells = _cells(kept)
    seconds = {
        family: kept[name]["seconds"]
        for name in FILES
        if name in kept
        for family in {cell["family"] for cell in kept[name]["cells"]}
        if name == family
    }
    splits = _parts.report(kept)
    (folder / "RESULTS.md").write_text(report(cells, seed, seconds, splits))
    (folder / "results.json").write_text(_lines(kept, seed))
    for name, drawing in _parts.drawings(kept).items():
        (folder / name).write_text(drawing)


def _lines(kept: dict[str, Any], seed: int) -> str:
    """JSON with one cell a line, so that two runs can be compared."""
    parts = []
    for name in (*FILES, *_parts.PARTS):
        if name in kept:
            lists = ", ".join(
                f'"{key}": [\n' + ",\n".join(json.dumps(one) for one in rows) + "]"
                for key, rows in kept[name].items()
                if isinstance(rows, list)
            )
            parts.append(f'"{name}": {{"seconds": {kept[name]["seconds"]:.0f}, {lists}}}')
    return f'{{"seed": {seed}, "files": {{\n' + ",\n".join(parts) + "}}\n"


if __name__ == "__main__":
    sys.exit(main())
