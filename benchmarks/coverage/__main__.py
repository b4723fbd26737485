"""`python -m benchmarks.coverage [--only FAMILY ...] [--quick] [--repetitions N] [--seed S]`."""

import argparse
import importlib
import json
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.coverage._cell import Cell
from benchmarks.coverage._report import report

FILES = ("proportions", "tables", "ranks", "losses", "designs", "learners")
HERE = Path(__file__).parent


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=FILES, help="only these files")
    parser.add_argument("--quick", action="store_true", help="200 test sets a cell, nothing saved")
    parser.add_argument("--repetitions", type=int, default=2000, help="test sets a cell")
    parser.add_argument("--seed", type=int, default=2, help="seed 1 served to choose the methods")
    parser.add_argument("--to", type=Path, default=HERE, help="folder for the results")
    options = parser.parse_args()
    repetitions = 200 if options.quick else options.repetitions
    kept = _kept(options.to / "results.json") if options.only and not options.quick else {}
    for name in options.only or FILES:
        start = time.perf_counter()
        found = importlib.import_module(f"benchmarks.coverage.{name}").cells(
            repetitions, options.seed
        )
        took = time.perf_counter() - start
        kept[name] = {"seconds": took, "cells": [cell.to_dict() for cell in found]}
        failed = [cell for cell in found if cell.fails]
        print(f"{name}: {len(found)} cells, {took:.0f} s, {len(failed)} fail", flush=True)
        for cell in failed:
            print(f"  {cell.task}, {cell.measure}, n = {cell.n}: {cell.coverage:.3f}", flush=True)
        if not options.quick:
            _save(kept, options.seed, options.to)
    cells = _cells(kept)
    return int(any(cell.fails for cell in cells))


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
    (folder / "RESULTS.md").write_text(report(cells, seed, seconds))
    (folder / "results.json").write_text(_lines(kept, seed))


def _lines(kept: dict[str, Any], seed: int) -> str:
    """JSON with one cell a line, so that two runs can be compared."""
    parts = []
    for name in FILES:
        if name in kept:
            cells = ",\n".join(json.dumps(cell) for cell in kept[name]["cells"])
            head = f'"{name}": {{"seconds": {kept[name]["seconds"]:.0f}, "cells": ['
            parts.append(f"{head}\n{cells}]}}")
    return f'{{"seed": {seed}, "files": {{\n' + ",\n".join(parts) + "}}\n"


if __name__ == "__main__":
    sys.exit(main())
