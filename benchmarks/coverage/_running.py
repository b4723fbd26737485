"""The parts of the study side by side: a process and a core each."""

import importlib
import os
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any

from benchmarks.coverage import _parts

FILES = ("proportions", "tables", "ranks", "losses", "designs", "learners")
"""The families of one test set, a file each."""


def side_by_side(
    names: Iterable[str], repetitions: int, seed: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The parts as they end, each in a process and on a core of its own."""
    for variable in ("OMP_NUM_THREADS", "HELIAST_THREADS"):
        os.environ.setdefault(variable, "1")
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(_part, name, repetitions, seed): name for name in names}
        for done in as_completed(waiting):
            yield waiting[done], done.result()


def _part(name: str, repetitions: int, seed: int) -> dict[str, Any]:
    start = time.perf_counter()
    make = _parts.PARTS.get(name)
    found = make(repetitions, seed) if make else _family(name, repetitions, seed)
    return found | {"seconds": time.perf_counter() - start}


def _family(name: str, repetitions: int, seed: int) -> dict[str, Any]:
    module = importlib.import_module(f"benchmarks.coverage.{name}")
    return {"cells": [cell.to_dict() for cell in module.cells(repetitions, seed)]}
