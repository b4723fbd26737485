"""Threads for kernels, which release the GIL.

The pieces of a table depend on its number of rows only, and results are combined in the order of
the pieces: they are the same to the bit for any number of threads.
"""

import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")

PIECE = 1 << 18  # rows in a piece: small enough for the cache, large enough to be worth a thread
_thread = threading.local()


def threads() -> int:
    """How many threads to use: HELIAST_THREADS, else the cores this process may run on."""
    value = os.environ.get("HELIAST_THREADS", "")
    if value.isascii() and value.isdigit() and 0 < len(value) < 6 and int(value) > 0:
        return int(value)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def pieces(n: int, size: int = PIECE) -> list[tuple[int, int]]:
    """Borders (start, stop) of the pieces of n rows."""
    return [(start, min(start + size, n)) for start in range(0, n, size)]


def spread(work: Callable[..., T], tasks: Iterable[tuple[Any, ...]]) -> list[T]:
    """The results of work(*task), in the order of the tasks, computed by all threads.

    Work that itself calls `spread` does its part in its own thread.
    """
    tasks = list(tasks)
    workers = min(threads(), len(tasks))
    if workers <= 1 or getattr(_thread, "is_worker", False):
        return [work(*task) for task in tasks]
    with ThreadPoolExecutor(workers, "heliast", initializer=_mark_worker) as pool:
        return list(pool.map(lambda task: work(*task), tasks))


def _mark_worker() -> None:
    _thread.is_worker = True
