"""Do the batches that are not done yet, here or by workers, and keep each as it ends."""

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, Protocol

from heliast._core.errors import InputError
from heliast._core.numbers import shorten
from heliast._core.waiting import doing
from heliast.fitting.engines._child import dismiss
from heliast.fitting.engines._engine import context, opened
from heliast.fitting.engines._lost import EngineLost
from heliast.fitting.engines._shared import Shared
from heliast.fitting.engines._threads import one_thread
from heliast.fitting.engines._workers import Raised, by_workers, sent
from heliast.fitting.store import Store

_WORTH_WORKERS = 4.0
"""Seconds of work left from which starting worker processes pays."""
_ONCE = 5.0
"""Seconds that imports and reading compiled code may take in the very first task."""


class Work(Protocol):
    """A unit of work: called for its cells, named by what decides them."""

    @property
    def name(self) -> str:
        """The model that is fitted."""
        ...

    def __call__(self) -> list[Any]: ...

    @property
    def identity(self) -> tuple[object, ...]: ...

    @property
    def shared(self) -> Shared[Any]:
        """What all tasks need."""
        ...

    @property
    def before(self) -> tuple[Any, ...]:
        """Cells finished before, which are not done again."""
        ...

    @property
    def retried(self) -> bool:
        """Whether its cells take the place of others that were found."""
        ...

    def again(self, found: list[Any]) -> "Work | None":
        """The work that is left to be done if these cells were found; None if there is none."""
        ...

    def parts(self) -> "list[Work]":
        """The same work cell by cell."""
        ...

    def with_cells(self, cells: list[Any]) -> "Work":
        """The same work, done: these are its cells."""
        ...

    def lost(self, status: str, why: str) -> list[Any]:
        """Cells that say why there are none."""
        ...


MOST_LETTERS, MOST_WORDS = 24, 60
"""Letters of a model's name beside the bar."""
MOST_JOBS = 100_000
"""Workers; no engine has more."""


def execute(
    tasks: Sequence[Any],
    store: Store | None,
    *,
    engine: str = "local",
    jobs: int | None = None,
    progress: bool | str = True,
) -> list[tuple[Any, list[Any]]]:
    """The results of all tasks, in their order; those the store has are not done again."""
    if jobs is not None and not 1 <= jobs <= MOST_JOBS:
        raise InputError(f"jobs={jobs}: at least one worker is needed, and at most {MOST_JOBS:,}")
    results: dict[int, list[Any]] = {}
    left: dict[int, Work] = {}
    for at, task in enumerate(tasks):
        found = None if store is None else store.find(task.identity)
        again = task if found is None else task.again(found)
        if found is not None and again is None:
            results[at] = found
        else:
            left[at] = again
    with _progress(len(tasks), len(results), progress) as show:
        for at, cells in _done(left, store, engine, jobs, show):
            results[at] = cells
            show(tasks[at].name, 1)
    return [(task, results[at]) for at, task in enumerate(tasks)]


def _done(
    left: dict[int, Work],
    store: Store | None,
    engine: str,
    jobs: int | None,
    show: Callable[[str, int], None],
) -> Iterator[tuple[int, list[Any]]]:
    """First here, one by one; if much is left after a moment, the rest by workers."""
    here = engine == "local" and context() is None
    times: dict[str, list[float]] = {}
    others: dict[int, Work] = {}
    with ExitStack() as alone:
        alone.callback(dismiss)
        alone.enter_context(one_thread())
        while left:
            if not here or _by_workers(jobs, times, len(left)):
                alone.close()  # workers may be threads of this process
                yield from _elsewhere(left, store, engine, jobs, others)
                break
            at = next(iter(left))
            task = left.pop(at)
            show(task.name, 0)
            start = time.perf_counter()
            cells = kept(task, store)
            times.setdefault(task.name, []).append(time.perf_counter() - start)
            if cells is None:
                others[at] = task
            else:
                yield at, cells
    if others:
        yield from _waited(others, store)


def _by_workers(jobs: int | None, times: dict[str, list[float]], left: int) -> bool:
    """Whether workers are asked for, or what is left takes so long that they pay.

    What a model does for the first time takes longer (imports, compiled code), and every worker
    would have to do it as well: the times of its other tasks tell, if there are any.
    """
    if jobs is not None:
        return jobs > 1
    again = [one for some in times.values() for one in some[1:]]
    first, *others = [some[0] for some in times.values()] or [0.0]
    known = again or others or [max(first - _ONCE, 0.0)]
    worth = left > 1 and sum(known) * left > _WORTH_WORKERS * len(known)
    return worth and cpu_count() > 1


def cpu_count() -> int:
    """The processors that this process may use."""
    from joblib import cpu_count

    return int(cpu_count())


def _elsewhere(
    left: dict[int, Work],
    store: Store | None,
    engine: str,
    jobs: int | None,
    others: dict[int, Work],
) -> Iterator[tuple[int, list[Any]]]:
    finished = 0
    try:
        for at, cells in _by_engine(left, store, engine, jobs, others):
            finished += len(cells)
            yield at, cells
    except EngineLost as why:
        where = "but not kept: run again with a store, which keeps them"
        if store is not None:
            where = f"and kept in {store.folder}: run the same again, and it goes on from there"
        raise InputError(
            f"engine {engine!r} broke down in mid-run ({why}); {finished} cells are finished "
            f"{where}"
        ) from why


def _by_engine(
    left: dict[int, Work],
    store: Store | None,
    engine: str,
    jobs: int | None,
    others: dict[int, Work],
) -> Iterator[tuple[int, list[Any]]]:
    with ExitStack() as stack:
        workers = stack.enter_context(opened(engine, jobs))
        for shared in {task.shared.key: task.shared for task in left.values()}.values():
            stack.enter_context(sent(shared, workers))
        # A worker of a cluster may not see the folder of the store.
        do = partial(kept, store=store if workers.same_disk else None)
        for at, outcome in by_workers(left, workers, do):
            if isinstance(outcome, Raised):
                outcome.again()
            if outcome is None:
                others[at] = left[at]
                continue
            if store is not None and not workers.same_disk:
                kept(left[at].with_cells(outcome), store)
            yield at, outcome


def _waited(others: dict[int, Work], store: Store | None) -> Iterator[tuple[int, list[Any]]]:
    """What others are at: theirs when they are done, ours if they are gone."""
    with ExitStack() as alone:
        alone.callback(dismiss)
        alone.enter_context(one_thread())
        pause = 0.02
        while others:
            for at, task in list(others.items()):  # none is waited for while another is over
                cells = kept(task, store)
                if cells is not None:
                    del others[at]
                    yield at, cells
            if others:
                time.sleep(pause)
                pause = min(1.0, 1.5 * pause)


def kept(task: Work, store: Store | None) -> list[Any] | None:
    """The cells of a task, kept before anybody sees them.

    None if another process that shares the store is at it.
    """
    if store is None:
        return task()
    if not (task.before or task.retried):
        return store.done(task.identity, task, wait=False)
    cells = task()
    store.replace(task.identity, cells)
    return cells


@contextmanager
def _progress(total: int, done: int, wanted: bool | str) -> Iterator[Callable[[str, int], None]]:
    """A bar on a terminal's error stream, elsewhere a step with a number: the model, how far.

    What it gives is told the model at work, and how many batches have ended. Words that are wanted
    in front of it, such as the data set, are text like names: both may come from strangers.
    """
    if not wanted or os.environ.get("HELIAST_QUIET") or not sys.stderr.isatty():
        doing(f"fitting: {total - done} of {total} are left")
        yield lambda name, ended: None
        doing("measuring")
        return
    doing("")
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    # A name is text, whatever brackets it holds; on narrow terminals the bar gives way.
    words = f"{shorten(wanted, MOST_WORDS)}, " if isinstance(wanted, str) else ""
    at_work = TextColumn("{task.description}", markup=False)
    columns = (at_work, BarColumn(None), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, expand=True) as bar:
        task = bar.add_task(f"{words}fitting", total=total, completed=done)
        yield lambda name, ended: bar.update(
            task, advance=ended, description=f"{words}fitting {shorten(name, MOST_LETTERS)}"
        )
