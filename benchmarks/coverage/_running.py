"""The parts of the study side by side: a process and a core each."""

import importlib
import os
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any

from benchmarks.coverage import _parts
from benchmarks.coverage.resampled._store import listed

FILES = ("proportions", "tables", "ranks", "losses", "designs", "learners")
"""The families of one test set, a file each."""


def side_by_side(
    names: Iterable[str], repetitions: int, seed: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The parts as they end, each in a process and on a core of its own.

    A part that fails is told when the others have ended.
    """
    for variable in ("OMP_NUM_THREADS", "HELIAST_THREADS"):
        os.environ.setdefault(variable, "1")
    failed: list[BaseException] = []
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(_part, name, repetitions, seed): name for name in names}
        for done in as_completed(waiting):
            fault = done.exception()
            if fault is None:
                yield waiting[done], done.result()
            else:
                print(f"{waiting[done]}: {fault!r}", file=sys.stderr, flush=True)
                failed.append(fault)
    if failed:
        raise failed[0]


def _part(name: str, repetitions: int, seed: int) -> dict[str, Any]:
    start = time.perf_counter()
    make = _parts.PARTS.get(name)
    found = make(repetitions, seed) if make else _family(name, repetitions, seed)
    return found | {"seconds": time.perf_counter() - start}


def _family(name: str, repetitions: int, seed: int) -> dict[str, Any]:
    def run() -> list[dict[str, object]]:
        module = importlib.import_module(f"benchmarks.coverage.{name}")
        return [cell.to_dict() for cell in module.cells(repetitions, seed)]

    return {"cells": listed(f"{name}-{seed}-{repetitions}", run)}
