"""Work done by an engine's workers, which may die: their tasks are tried again, then given up."""

import pickle
import platform
import sys
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, TypeVar

import heliast
from heliast._core.errors import InputError
from heliast.fitting.engines._engine import Engine
from heliast.fitting.engines._limits import KILLED
from heliast.fitting.engines._lost import EngineLost, none_for, waited_for, watched
from heliast.fitting.engines._reach import workers_limit
from heliast.fitting.engines._shared import Shared
from heliast.fitting.engines._threads import one_thread

TRIES = 2
"""A cell whose worker dies so often while it is the only one at work is given up."""

T = TypeVar("T")
Do = Callable[[Any], list[Any] | None]


@dataclass(frozen=True)
class Raised:
    """What a task raised: a result, to tell it from a failure of the engine."""

    error: Exception

    def again(self) -> None:
        raise self.error


@contextmanager
def sent(shared: Shared[Any], engine: Engine) -> Iterator[None]:
    """While open, the workers can get at the value."""
    with ExitStack() as stack:
        try:
            stack.enter_context(engine.carry(shared))
        except Exception as error:  # whatever the engine raises
            raise (_unfit(engine, error) if _is_unfit(error) else _gone(error)) from error
        yield


def by_workers(tasks: Mapping[int, Any], engine: Engine, do: Do) -> Iterator[tuple[int, Any]]:
    """Place and result of each task, as they come.

    When the workers break down, one of the tasks that were under way may have killed its worker.
    These are tried cell by cell, one at a time, so that only the guilty one is given up.
    """
    left = dict(tasks)
    while left:
        begun: list[int] = []
        broken: Exception | None = None
        with _closed(_results(left, begun, engine, do)) as results:
            while broken is None:
                try:
                    at, outcome = next(results)
                except StopIteration:
                    break
                except Exception as error:  # whatever the engine raises
                    broken = error
                else:
                    del left[at]
                    yield at, outcome
        if broken is None:
            return
        if _is_unfit(broken):
            raise _unfit(engine, broken) from broken
        suspects = [at for at in begun if at in left]
        if not suspects:
            raise _gone(broken) from broken
        _still_there(engine, broken)
        for at in suspects:
            del left[at]
            yield at, _cell_by_cell(tasks[at], engine, do)


@contextmanager
def _closed(results: Generator[T, None, None]) -> Iterator[Generator[T, None, None]]:
    """Closed at the end, without joblib's remark that some work was not awaited: it is meant so."""
    try:
        yield results
    finally:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*tasks which were still being processed")
            results.close()


def _cell_by_cell(task: Any, engine: Engine, do: Do) -> Any:
    cells: list[Any] = []
    parts, deaths = task.parts(), 0
    while parts:
        try:
            # One pool for all of them, which an engine may take long to start.
            with _pool(engine) as pool:
                while parts:
                    (outcome,) = _results({0: parts[0]}, [], engine, _called, pool)
                    if isinstance(outcome[1], Raised):
                        return outcome[1]
                    cells += outcome[1]
                    deaths = 0
                    del parts[0]
        except Exception as error:  # whatever the engine raises
            _still_there(engine, error)
            deaths += 1
            if deaths == TRIES:
                why = f"its worker died each of {TRIES} times ({_short(error)})"
                cells += parts.pop(0).lost(KILLED, f"{why}; perhaps memory ran out")
                deaths = 0
    return _guarded(do, task.with_cells(cells))


def _called(task: Any) -> list[Any]:
    cells: list[Any] = task()
    return cells


def _pool(engine: Engine) -> Any:
    from joblib import Parallel

    how = "generator_unordered" if engine.as_they_come else "list"
    return Parallel(engine.jobs, backend=engine.backend, return_as=how)


def _results(
    tasks: Mapping[int, Any], begun: list[int], engine: Engine, do: Do, pool: Any = None
) -> Generator[tuple[int, Any], None, None]:
    from joblib import delayed

    def work() -> Iterator[Any]:
        for at, task in list(tasks.items()):
            begun.append(at)
            yield delayed(_done)(at, task, do, versions())

    pool = pool or _pool(engine)
    with watched(engine.backend, engine.workers):
        if engine.as_they_come:
            yield from pool(work())
            return
        waiting = work()
        while some := list(islice(waiting, 4 * max(1, engine.jobs))):
            yield from pool(some)


def _done(at: int, task: Any, do: Do, asked: Mapping[str, str]) -> tuple[int, Any]:
    """In the worker."""
    from joblib import parallel_config

    if asked != versions():
        return at, Raised(_unlike(asked))
    # What a model does in parallel itself it does in threads, as in joblib's own workers.
    with one_thread(), parallel_config(backend="threading", n_jobs=1):
        return at, _guarded(do, task)


@cache
def versions() -> dict[str, str]:
    """Of what decides the last digits of a result."""
    import numpy
    import scipy
    import sklearn

    packages = {"heliast": heliast, "NumPy": numpy, "SciPy": scipy, "scikit-learn": sklearn}
    found = {name: str(package.__version__) for name, package in packages.items()}
    return {"Python": ".".join(map(str, sys.version_info[:2])), **found}


def _unlike(asked: Mapping[str, str]) -> InputError:
    here = versions()
    other = [
        f"{name} {here.get(name)} instead of {version}"
        for name, version in asked.items()
        if here.get(name) != version
    ]
    return InputError(
        f"a worker on {platform.node()} has {' and '.join(other)}, with which results may differ "
        "in their last digits; install the same versions there and here"
    )


def _guarded(do: Do, task: Any) -> Any:
    try:
        return do(task)
    except Exception as error:
        return Raised(error)


_UNFIT = (ImportError, AttributeError, TypeError, pickle.PickleError)


def _is_unfit(error: Exception) -> bool:
    """Whether the work cannot be sent, or not be understood there: no use to try it again."""
    return isinstance(error, _UNFIT) or "ModuleNotFoundError" in str(error)


def _unfit(engine: Engine, error: Exception) -> InputError:
    return InputError(
        f"engine {engine.name!r}: the work cannot be sent to its workers ({_short(error)}); models "
        "must be picklable, and workers need the same packages and modules as this process"
    )


def _gone(error: Exception) -> EngineLost:
    return EngineLost(_short(error))


def _still_there(engine: Engine, error: Exception) -> None:
    """After a breakdown: wait for workers, which may be on their way back."""
    if isinstance(error, EngineLost):
        raise error
    if not waited_for(engine.workers):
        raise EngineLost(f"{none_for(workers_limit())}: {_short(error)}") from error


def _short(error: Exception) -> str:
    line = str(error).strip().partition("\n")[0].partition(". ")[0][:200]
    return f"{type(error).__name__}: {line}" if line else type(error).__name__
