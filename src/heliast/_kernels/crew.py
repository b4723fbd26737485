"""The one way kernels use several threads.

Plain threads over pieces whose borders never depend on the number of threads; pieces are combined
in order. So a result is the same to the bit on one core or sixteen, and compiled code can be cached
on disk (Numba's own `parallel=True` cannot promise both).
"""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, TypeVar

T = TypeVar("T")

PIECE = 1 << 18
"""Rows in a piece of work: small enough to stay in cache, large enough to be worth a thread."""


def threads() -> int:
    """How many threads to use: HELIAST_THREADS, else the cores this process may run on."""
    asked = os.environ.get("HELIAST_THREADS", "")
    if asked.isascii() and asked.isdigit() and 0 < len(asked) < 6 and int(asked) > 0:
        return int(asked)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def pieces(n: int, size: int = PIECE) -> list[tuple[int, int]]:
    """Borders (start, stop) of the pieces of n rows: they depend on n only."""
    return [(start, min(start + size, n)) for start in range(0, n, size)]


class _Crew:
    """The threads that wait for work, kept between calls: starting them costs as much as a kernel.

    A forked child has none of its parent's threads and starts its own.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.size = 0
        self.pool: ThreadPoolExecutor | None = None
        self.lock = threading.Lock()
        self.busy = threading.local()

    def helpers(self, size: int) -> ThreadPoolExecutor:
        with self.lock:
            if self.pool is None or self.size < size:
                self.pool, self.size = ThreadPoolExecutor(size, "heliast"), size
            return self.pool


_crew = _Crew()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_crew.reset)


def spread(work: Callable[..., T], tasks: Iterable[tuple[Any, ...]]) -> list[T]:
    """The results of work(*task), in the order of the tasks, computed on all threads.

    The caller's thread works too. Work that itself spreads does so on its own thread only.
    """
    todo = deque(enumerate(tasks))
    results: dict[int, T] = {}
    total = len(todo)
    workers = 1 if getattr(_crew.busy, "yes", False) else min(threads(), total)

    def drain() -> None:
        _crew.busy.yes = True
        try:
            while True:
                # The deque hands each task to one thread only, whichever comes first.
                try:
                    number, task = todo.popleft()
                except IndexError:
                    return
                results[number] = work(*task)
        finally:
            _crew.busy.yes = False

    if workers <= 1:
        return [work(*task) for _, task in todo]
    pool = _crew.helpers(workers - 1)
    helping = [pool.submit(drain) for _ in range(workers - 1)]
    try:
        drain()
    finally:
        wait(helping)
    for helper in helping:
        helper.result()
    return [results[number] for number in range(total)]
