"""Do the batches that are not done yet, here or in parallel, and keep each as it ends."""

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, Protocol

from heliast._core.errors import InputError
from heliast.store import Store

_WORTH_WORKERS = 4.0
"""Seconds of work left from which starting worker processes pays."""


class Work(Protocol):
    """A unit of work: called for its result, named by what decides that result."""

    def __call__(self) -> list[Any]: ...

    @property
    def identity(self) -> tuple[object, ...]: ...


def execute(
    tasks: Sequence[Any],
    store: Store | None,
    *,
    engine: str = "local",
    jobs: int | None = None,
    progress: bool = True,
) -> list[tuple[Any, list[Any]]]:
    """The results of all tasks, in their order; those the store has are not done again."""
    if engine != "local":
        raise InputError(f"engine={engine!r}: only 'local' is available")
    if jobs is not None and jobs < 1:
        raise InputError(f"jobs={jobs}: at least one worker is needed")
    results: dict[int, list[Any]] = {}
    if store is not None:
        for at, task in enumerate(tasks):
            found = store.find(task.identity)
            if found is not None:
                results[at] = found
    todo = [at for at in range(len(tasks)) if at not in results]
    # Threads inside a fit would make its last digits depend on the machine.
    limit = numerical_libraries().limit(limits=1)
    with limit, _progress(len(tasks), len(results), progress) as advance:
        for at, cells in _done(tasks, todo, store, jobs):
            results[at] = cells
            advance()
    return [(task, results[at]) for at, task in enumerate(tasks)]


def _done(
    tasks: Sequence[Work], todo: list[int], store: Store | None, jobs: int | None
) -> Iterator[tuple[int, list[Any]]]:
    """First here, one by one; if much is left after a moment, the rest in worker processes."""
    start, first = time.perf_counter(), len(todo)
    elsewhere: list[int] = []
    while todo:
        if jobs != 1 and (jobs is not None or _worth(start, first - len(todo), len(todo))):
            yield from _parallel(tasks, todo, store, jobs, elsewhere)
            break
        at = todo.pop(0)
        cells = _kept(tasks[at], store, wait=False)
        if cells is None:  # another process that shares the store is at it
            elsewhere.append(at)
        else:
            yield at, cells
    yield from _waited(tasks, elsewhere, store)


def _worth(start: float, done: int, left: int) -> bool:
    spent = time.perf_counter() - start
    return done > 0 and left > 1 and spent / done * left > _WORTH_WORKERS


@cache
def numerical_libraries() -> Any:
    """The thread pools of BLAS and OpenMP in this process; finding them takes a while, so once."""
    import sklearn.linear_model  # noqa: F401 - loads the libraries that are to be found
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _kept(task: Work, store: Store | None, wait: bool) -> list[Any] | None:
    return task() if store is None else store.done(task.identity, task, wait)


def _waited(
    tasks: Sequence[Work], left: list[int], store: Store | None
) -> Iterator[tuple[int, list[Any]]]:
    """What others are at: theirs when they are done, ours if they are gone."""
    for at in left:
        cells = _kept(tasks[at], store, wait=True)
        assert cells is not None
        yield at, cells


def _parallel(
    tasks: Sequence[Work],
    todo: list[int],
    store: Store | None,
    jobs: int | None,
    elsewhere: list[int],
) -> Iterator[tuple[int, list[Any]]]:
    from joblib import Parallel, cpu_count, delayed

    workers = Parallel(n_jobs=jobs or cpu_count(), return_as="generator_unordered")
    for at, cells in workers(delayed(_placed)(at, tasks[at], store) for at in todo):
        if cells is None:
            elsewhere.append(at)
        else:
            yield at, cells


def _placed(at: int, task: Work, store: Store | None) -> tuple[int, list[Any] | None]:
    with numerical_libraries().limit(limits=1):
        return at, _kept(task, store, wait=False)


@contextmanager
def _progress(total: int, done: int, wanted: bool) -> Iterator[Any]:
    """A bar with the time left on a terminal's error stream; nothing elsewhere."""
    if not wanted or os.environ.get("HELIAST_QUIET") or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("fitting"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("fitting", total=total, completed=done)
        yield lambda: bar.advance(task)
