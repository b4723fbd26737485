"""Engine: workers on this machine or elsewhere, behind joblib's interface."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heliast._core.errors import InputError
from heliast.fitting.engines._lost import Workers, waited_for
from heliast.fitting.engines._reach import workers_limit
from heliast.fitting.engines._shared import File, Shared, carried

NAMES = (
    "'local', 'dask', 'dask://HOST:PORT', 'ray', 'ray://HOST:PORT', 'spark', 'spark://HOST:PORT', "
    "'spark://local[2]'"
)

Carry = Callable[[Shared[Any]], AbstractContextManager[None]]


@dataclass(frozen=True)
class Engine:
    """joblib's backend, how many work at once, how shared values travel, and who is there now.

    `same_disk` tells whether workers see this machine's files, so that they keep their own work.
    """

    name: str
    backend: Any
    jobs: int
    carry: Carry
    workers: Workers = lambda: 1
    same_disk: bool = False

    @property
    def as_they_come(self) -> bool:
        """Whether results come one by one, or only all at the end."""
        return isinstance(self.backend, str) or bool(self.backend.supports_return_generator)


@contextmanager
def opened(name: str, jobs: int | None) -> Iterator[Engine]:
    """The engine of that name for a while; an open joblib context is one, too."""
    kind, _, address = name.partition("://")
    if name == "local":
        yield _context(jobs) or local(jobs)
    elif kind in ("dask", "tcp", "tls"):
        from heliast.fitting.engines._dask import dask

        with dask(name, address if kind == "dask" else name, jobs) as engine:
            yield engine
    elif kind == "ray":
        from heliast.fitting.engines._ray import ray

        with ray(name, address, jobs) as engine:
            yield engine
    elif kind == "spark":
        from heliast.fitting.engines._spark import spark

        with spark(name, address, jobs) as engine:
            yield engine
    else:
        raise InputError(f"engine={name!r} is not known: give one of {NAMES}")


def local(jobs: int | None) -> Engine:
    """Processes on this machine."""
    from joblib import cpu_count

    # joblib does the work of one worker in this process, which its death would end.
    return Engine("local", "loky", max(2, jobs or cpu_count()), by_file, same_disk=True)


def context() -> tuple[Any, int] | None:
    """The backend and number of jobs of a joblib context that the caller has opened."""
    from joblib.parallel import get_active_backend

    backend, jobs = get_active_backend()
    # Without a context joblib makes a new backend each time it is asked.
    if backend is not get_active_backend()[0] or backend.nesting_level:
        return None
    return backend, jobs


def _context(jobs: int | None) -> Engine | None:
    found = context()
    if found is None:
        return None
    backend, n = found
    kind = type(backend).__name__
    name = f"joblib's {kind}"
    n = jobs or n
    if kind.startswith("Dask"):
        from heliast.fitting.engines._dask import within as within_dask

        return within_dask(name, backend.client, backend.submit_kwargs)
    if kind.startswith("Ray"):
        from heliast.fitting.engines._ray import within as within_ray

        return within_ray(name, n, backend.ray_remote_args)
    if kind.startswith("Spark"):
        from heliast.fitting.engines._spark import within as within_spark

        return within_spark(name, n)
    here = type(backend).__module__.startswith("joblib.")
    return Engine(name, backend, n, by_file if here else with_each_task, same_disk=here)


# --- how shared values travel ----------------------------------------------------------------


@contextmanager
def by_file(shared: Shared[Any]) -> Iterator[None]:
    """To workers on this machine, by a private temporary file."""
    folder = Path(tempfile.mkdtemp(prefix="heliast-"))
    try:
        with carried(shared, File.of(shared.value, folder)):
            yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def with_each_task(shared: Shared[Any]) -> Iterator[None]:
    """To workers of which nothing is known."""
    yield


# --- what goes wrong -------------------------------------------------------------------------


def missing(name: str, extra: str, error: ImportError) -> InputError:
    return InputError(f"engine={name!r} needs {error.name}: pip install 'heliast[{extra}]'")


def joined(name: str, workers: Workers, how: str) -> int:
    """How many workers there are, waiting for the first; refused if none comes in time."""
    if found := waited_for(workers):
        return found
    raise InputError(
        f"engine={name!r}: no workers joined within {workers_limit():g} s; {how}, and run again"
    )
