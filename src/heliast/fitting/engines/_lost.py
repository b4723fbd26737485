"""Lost: an engine that goes away, or loses all its workers, ends the wait for its results."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from heliast.fitting.engines._reach import answer_limit, in_time, workers_limit

_PAUSE = 1.0
"""Seconds between two looks at the workers."""

Workers = Callable[[], int]
"""How many work there now; 0, an error or no answer if there are none."""


class EngineLost(Exception):  # noqa: N818 - it names the finding
    """The engine cannot go on; the words say why."""


def none_for(seconds: float) -> EngineLost:
    return EngineLost(f"it has had no workers for {seconds:g} s")


def waited_for(workers: Workers) -> int:
    """How many workers there are, as soon as there are some; 0 if none come in time."""
    until = time.monotonic() + workers_limit()
    while not (found := _present(workers)):
        left = until - time.monotonic()
        if left <= 0:
            break
        time.sleep(min(_PAUSE / 4, left))
    return found


def _present(workers: Workers) -> int:
    try:
        return in_time(answer_limit(), workers)
    except Exception:  # whatever a lost connection raises
        return 0


class _Failed:
    """In the place of a result: why there is none."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


class Watched:
    """Mixed into a backend of joblib: those who wait for results can be told that none will come.

    joblib asks no backend whether it is still there: a wait for workers that are gone has no end.
    """

    lost: EngineLost | None = None
    heard = 0.0
    """When the last result came."""

    def submit(self, func: Any, callback: Any = None) -> Any:
        waiting = self._waiting()

        def told(out: Any) -> None:
            self.heard = time.monotonic()
            waiting.pop(id(told), None)
            callback(out)

        waiting[id(told)] = told
        return super().submit(func, told)  # type: ignore[misc]

    def fail(self, error: BaseException) -> None:
        """End all that wait with this error."""
        for told in list(self._waiting().values()):
            told(_Failed(error))

    def retrieve_result_callback(self, out: Any) -> Any:
        if isinstance(out, _Failed):
            raise out.error
        return super().retrieve_result_callback(out)  # type: ignore[misc]

    def _waiting(self) -> dict[int, Callable[[Any], None]]:
        found: dict[int, Callable[[Any], None]] = self.__dict__.setdefault("_all_waiting", {})
        return found


@contextmanager
def watched(backend: Any, workers: Workers) -> Iterator[None]:
    """While open, a backend whose workers are all gone for too long is made to fail."""
    over = threading.Event()
    limit = workers_limit()

    def watch() -> None:
        seen = time.monotonic()
        while not over.wait(_PAUSE):
            if _present(workers):
                seen = time.monotonic()
            elif time.monotonic() - max(seen, backend.heard) >= limit and not over.is_set():
                backend.lost = none_for(limit)
                backend.fail(backend.lost)
                return

    if isinstance(backend, Watched):
        threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        over.set()
