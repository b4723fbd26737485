"""The parts of the study side by side: a process and a core each."""

import importlib
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any

from benchmarks.coverage import _parts
from benchmarks.coverage.resampled._store import listed, longest

FILES = ("proportions", "tables", "ranks", "losses", "designs", "learners")
"""The families of one test set, a file each."""


def side_by_side(
    names: Iterable[str], repetitions: int, seed: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The parts as they end, each in a process and on a core of its own, long ones in pieces.

    A part that fails is told when the others have ended.
    """
    for variable in ("OMP_NUM_THREADS", "HELIAST_THREADS"):
        os.environ.setdefault(variable, "1")
    failed: dict[str, BaseException] = {}
    left: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        waiting: dict[Future[Any], str] = {}
        for name in names:
            for job in _jobs(name):
                waiting[pool.submit(*job, repetitions, seed)] = name
                left[name] += 1
        for done in as_completed(waiting):
            name, fault = waiting[done], done.exception()
            left[name] -= 1
            if fault is not None:
                print(f"{name}: {fault!r}", file=sys.stderr, flush=True)
                failed[name] = fault
            elif name not in failed:
                seconds[name] += done.result()["seconds"]
                if not left[name]:
                    # Pieces are on disk by now: to put them together takes no time.
                    whole = _part(name, repetitions, seed) if _parts.pieces(name) else done.result()
                    yield name, whole | {"seconds": seconds[name]}
    for fault in failed.values():
        raise fault


def _jobs(name: str) -> list[tuple[Any, ...]]:
    """What to run for a part, but for repetitions and seed."""
    return [(_piece, piece) for piece in _parts.pieces(name)] or [(_part, name)]


def _piece(piece: _parts.Piece, repetitions: int, seed: int) -> dict[str, Any]:
    start = time.perf_counter()
    _parts.simulate(piece, repetitions, seed)
    took = time.perf_counter() - start
    return {"seconds": longest(f"{piece[0]}-{piece[1]}-{seed}-{repetitions}", took)}


def _part(name: str, repetitions: int, seed: int) -> dict[str, Any]:
    start = time.perf_counter()
    make = _parts.PARTS.get(name)
    found = make(repetitions, seed) if make else _family(name, repetitions, seed)
    took = time.perf_counter() - start
    return found | {"seconds": longest(f"{name}-{seed}-{repetitions}", took)}


def _family(name: str, repetitions: int, seed: int) -> dict[str, Any]:
    def run() -> list[dict[str, object]]:
        module = importlib.import_module(f"benchmarks.coverage.{name}")
        return [cell.to_dict() for cell in module.cells(repetitions, seed)]

    return {"cells": listed(f"{name}-{seed}-{repetitions}", run)}
