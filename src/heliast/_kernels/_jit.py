"""The one decorator that owns Numba's flags, and the one way kernels use several threads.

Kernels release the GIL and run in plain threads over pieces whose borders never depend on the
number of threads; pieces are combined in order. So a result is the same to the bit on one core or
sixteen, and compiled code can be cached on disk (Numba's own `parallel=True` cannot promise both).
"""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numba

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

PIECE = 1 << 18
"""Rows in a piece of work: small enough to stay in cache, large enough to be worth a thread."""


def kernel(function: F) -> F:
    """Compile on first call; cached on disk; no GIL; NaN and infinity behave as IEEE says."""
    compiled: F = numba.njit(nogil=True, cache=True, error_model="numpy")(function)
    return compiled


def threads() -> int:
    """How many threads to use: HELIAST_THREADS, else the cores this process may run on."""
    asked = os.environ.get("HELIAST_THREADS", "")
    if asked.isdigit() and int(asked) > 0:
        return int(asked)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def pieces(n: int, size: int = PIECE) -> list[tuple[int, int]]:
    """Borders (start, stop) of the pieces of n rows: they depend on n only."""
    return [(start, min(start + size, n)) for start in range(0, n, size)]


def spread(work: Callable[..., T], tasks: Iterable[tuple[Any, ...]]) -> list[T]:
    """The results of work(*task), in the order of the tasks, computed on all threads."""
    tasks = list(tasks)
    workers = min(threads(), len(tasks))
    if workers <= 1:
        return [work(*task) for task in tasks]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(lambda task: work(*task), tasks))
