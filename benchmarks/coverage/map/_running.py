"""The pieces side by side, one process a core; finished ones are kept, so that a run goes on."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any
from zlib import crc32

from benchmarks.coverage.map import _assessing, _comparing, _grades, _in_order, _widths
from benchmarks.coverage.map._cell import Cell
from benchmarks.coverage.map._packed import packed
from benchmarks.coverage.map._pieces import pieces
from benchmarks.coverage.map._report import drawings, report
from benchmarks.coverage.resampled._store import FOLDER


@dataclass(frozen=True)
class Effort:
    """How much a run does: processor seconds a plan, training sets a truth, each how many-th."""

    name: str
    seconds: float
    sets: int
    every: int
    seed: int = 2


FULL = Effort("map", 6.0, 1000, 1)
QUICK = Effort("map-quick", 1.2, 200, 3)
Job = tuple[str, int]
"""Which verb, and the place of the piece among its pieces."""
VERBS: dict[str, tuple[Callable[..., Any], Callable[..., list[Cell]]]] = {
    "assess": (pieces, _assessing.cells),
    "compare": (_comparing.pieces, _comparing.cells),
    "in order": (_in_order.pieces, _in_order.cells),
    "grades": (_grades.pieces, _grades.cells),
    "widths": (_widths.pieces, _widths.cells),
}


def run(effort: Effort, workers: int | None = None) -> list[Cell]:
    """All cells, simulated now or before."""
    for variable in ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "HELIAST_THREADS"):
        os.environ[variable] = "1"
    waiting = [job for job in _jobs(effort) if not _path(effort, job).exists()]
    # In no order, so that what is there of a run that was stopped is a fair sample of the whole.
    waiting.sort(key=lambda job: crc32(repr(job).encode()))
    start = time.perf_counter()
    with ProcessPoolExecutor(workers or os.cpu_count(), mp_context=get_context("spawn")) as pool:
        futures = [pool.submit(_keep, effort, job) for job in waiting]
        for count, done in enumerate(as_completed(futures), 1):
            fault = done.exception()
            name, took = (repr(fault), 0.0) if fault else done.result()
            passed = time.perf_counter() - start
            words = f"{count} of {len(waiting)}, {passed:.0f} s: {name}, {took:.0f} s"
            print(words, file=sys.stderr, flush=True)
    for done in futures:
        done.result()  # what failed is told when all the others have ended
    return list(kept(effort))


def _jobs(effort: Effort) -> list[Job]:
    return [
        (verb, at) for verb, (listed, _) in VERBS.items() for at in range(len(listed(effort.every)))
    ]


def kept(effort: Effort) -> Iterator[Cell]:
    """The cells that are on disk."""
    for found in _files(effort):
        for cell in found["cells"]:
            yield Cell(**{**cell, "methods": tuple(cell["methods"])})


def minutes(effort: Effort) -> float:
    """What all pieces on disk took, in minutes of the processor."""
    return sum(found["seconds"] for found in _files(effort)) / 60


def _files(effort: Effort) -> Iterator[dict[str, Any]]:
    for job in _jobs(effort):
        path = _path(effort, job)
        if path.exists():
            yield json.loads(path.read_text())


def _keep(effort: Effort, job: Job) -> tuple[str, float]:
    listed, simulate = VERBS[job[0]]
    piece = listed(effort.every)[job[1]]
    start = time.process_time()
    cells = simulate(piece, effort.seconds, effort.sets, effort.seed)
    took = time.process_time() - start
    path = _path(effort, job)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    found = {"piece": piece.name, "seconds": took, "cells": [one.to_dict() for one in cells]}
    part.write_text(json.dumps(found))
    part.replace(path)
    return piece.name, took


def _path(effort: Effort, job: Job) -> Any:
    verb, at = job
    name = VERBS[verb][0](effort.every)[at].name
    return FOLDER / f"{effort.name}-{effort.seed}" / verb / f"{crc32(name.encode()):08x}.json"


def write(effort: Effort, whole: bool) -> list[Cell]:
    """The page, the drawings and the packed map; of a quick pass in build/coverage alone."""
    cells = list(kept(effort))
    root = FOLDER.parents[1]
    page = root / "benchmarks" / "coverage" if whole else FOLDER / effort.name
    docs = root / "docs" if whole else page
    package = root / "src" / "heliast" / "estimates" if whole else page
    page.mkdir(parents=True, exist_ok=True)
    (page / "MAP.md").write_text(report(cells, effort.seed, minutes(effort)))
    (package / "coverage.json").write_text(packed(cells))
    (package / "coverage_more.json").write_text(packed([]))  # what came after the map before
    for name, drawing in drawings(cells).items():
        (docs / name).write_text(drawing)
    return cells
