"""Where models are fitted: in this process, or by the workers of a joblib backend."""

import functools
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pickle import PicklingError
from statistics import mean
from typing import Any

import joblib
import numpy as np
from joblib.parallel import get_active_backend

from heliast._core.errors import InputError
from heliast.data import Dataset
from heliast.fitting.cell import Cell, Fitter
from heliast.fitting.fingerprint import changed_module, environment
from heliast.fitting.preparation import prepared
from heliast.plans import Piece

_MEASURED = 10  # the fitted model is measured in the first so many splits, then in one of so many
_WORTH_WORKERS = 4.0  # seconds of work left from which starting processes pays
_ROUNDS = 2  # how often the work of lost workers is given to all of them again
_LOST_IN_A_ROW = 3  # units that lose their workers one after the other: the engine is gone
_CONNECT = 30.0  # seconds to wait for a cluster


@dataclass(frozen=True)
class Unit:
    """Splits of one model that share a fit, as a worker gets them."""

    name: str
    model: Any
    places: tuple[int, ...]
    pieces: tuple[Piece, ...]
    seed: int
    in_sample: bool
    settings: tuple[Mapping[str, Any], Mapping[str, Any]]  # scikit-learn's and NumPy's
    files: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, data: Dataset) -> list[Cell]:
        """Fit, and predict each split."""
        from sklearn import config_context

        fitter = Fitter(*prepared(self.model, data), data, self.in_sample)
        splits = zip(self.places, self.pieces, strict=True)
        with config_context(**self.settings[0]), np.errstate(**self.settings[1]):
            return [
                fitter.cell(piece, at, self.seed, with_size=at < _MEASURED or at % _MEASURED == 0)
                for at, piece in splits
            ]

    def lost(self, data: Dataset, reason: str) -> list[Cell]:
        """Cells without predictions."""
        splits = zip(self.places, self.pieces, strict=True)
        cells = [Cell.of(piece, at, data.n, self.in_sample) for at, piece in splits]
        return [replace(cell, status="lost", failure=reason) for cell in cells]


class WorkerLost(Exception):  # noqa: N818
    """A worker or the engine went away; the message says how."""


def fit_all(
    units: list[Unit],
    data: Dataset,
    *,
    engine: str,
    jobs: int | None,
    skip: Callable[[Unit], bool],
) -> Iterator[tuple[Unit, list[Cell]]]:
    """Each unit with its cells, as they come.

    `skip` is asked just before a unit is fitted: another process may have finished it.
    """
    if jobs is not None and jobs < 1:
        raise InputError(f"jobs must be >= 1, got {jobs}")
    pending = dict(enumerate(units))
    if engine == "local" and jobs in (None, 1) and joblib.effective_n_jobs(None) == 1:
        alone = jobs == 1 or joblib.cpu_count() == 1
        with one_thread():
            yield from _fit_here(pending, data, skip, alone)
    if pending:
        with _safe_children():
            yield from _fit_by_workers(pending, data, skip, engine, jobs)


def _fit_here(
    pending: dict[int, Unit], data: Dataset, skip: Callable[[Unit], bool], alone: bool
) -> Iterator[tuple[Unit, list[Cell]]]:
    """One by one, until so much is left that worker processes pay."""
    seconds: list[float] = []
    while pending and (alone or not _worth_workers(seconds, len(pending))):
        unit = pending.pop(next(iter(pending)))
        if not skip(unit):
            start = time.perf_counter()
            cells = unit(data)
            seconds.append(time.perf_counter() - start)
            yield unit, cells


def _worth_workers(seconds: list[float], left: int) -> bool:
    # Every worker would have to import what the first fit imported: the later ones tell.
    return left > 1 and len(seconds) > 1 and mean(seconds[1:]) * left > _WORTH_WORKERS


# --- workers ---------------------------------------------------------------------------------


def _fit_by_workers(
    pending: dict[int, Unit],
    data: Dataset,
    skip: Callable[[Unit], bool],
    engine: str,
    jobs: int | None,
) -> Iterator[tuple[Unit, list[Cell]]]:
    """If workers are lost, what is missing is done again, in the end one unit at a time.

    The engine is opened for each attempt, so that nothing of a lost one goes on behind the next.
    """
    for _ in range(_ROUNDS):
        try:
            with _opened(engine, jobs, data) as workers:
                for at, cells in _results(pending, data, skip, workers):
                    yield pending.pop(at), cells
            return
        except WorkerLost:
            continue
    lost = 0
    for at in list(pending):
        unit = pending.pop(at)
        try:
            with _opened(engine, jobs, data) as workers:
                for _, cells in _results({at: unit}, data, skip, workers):
                    yield unit, cells
            lost = 0
        except WorkerLost as error:
            lost += not isinstance(error.__cause__, BrokenProcessPool)
            if lost == _LOST_IN_A_ROW:
                raise InputError(
                    f"engine {engine!r} broke down ({error}); with store= finished cells are "
                    "kept, and the same call goes on from there"
                ) from error
            yield unit, unit.lost(data, f"its worker died ({error}); perhaps memory ran out")


def _results(
    pending: dict[int, Unit], data: Dataset, skip: Callable[[Unit], bool], workers: int | None
) -> Iterator[tuple[int, list[Cell]]]:
    """The cells of each unit by its place, as they come where the backend can do that."""
    backend, _ = get_active_backend()
    as_they_come = backend.supports_return_generator
    parallel = joblib.Parallel(
        n_jobs=workers, return_as="generator_unordered" if as_they_come else "list"
    )
    calls = (
        joblib.delayed(_fit_in_worker)(at, unit, data, environment(), os.getpid())
        for at, unit in list(pending.items())
        if not skip(unit)
    )

    def stream() -> Generator[tuple[int, list[Cell] | Exception]]:
        if as_they_come:
            yield from parallel(calls)
        while some := list(islice(calls, 4 * max(2, joblib.effective_n_jobs(workers)))):
            yield from parallel(some)

    results = stream()
    try:
        while True:
            try:
                at, cells = next(results)
            except StopIteration:
                return
            except PicklingError as error:
                raise InputError(
                    f"a model cannot be sent to worker processes ({error}): use jobs=1"
                ) from error
            except Exception as error:  # whatever the backend raises
                line = str(error).strip().partition("\n")[0]
                raise WorkerLost(f"{type(error).__name__}: {line[:200]}") from error
            if isinstance(cells, Exception):
                raise cells
            yield at, cells
    finally:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*tasks which were still being processed")
            results.close()


def _fit_in_worker(
    at: int, unit: Unit, data: Dataset, versions: dict[str, str], process: int
) -> tuple[int, list[Cell] | Exception]:
    """Errors are results here, which tells them from failures of the backend."""
    try:
        if environment() != versions:
            raise InputError(
                f"a worker has other versions ({environment()}) than this process ({versions}), "
                "with which results may differ: install the same"
            )
        if os.getpid() != process and (module := changed_module(unit.files)) is not None:
            raise InputError(
                f"model {unit.name!r}: a worker has another file of module {module!r}; if it was "
                "edited while the run went on, start Python again"
            )
        # What a model does in parallel itself, it does in threads.
        with one_thread(), joblib.parallel_config(backend="threading", n_jobs=1):
            return at, unit(data)
    except Exception as error:
        return at, error


_ALONE = threading.RLock()


@functools.cache
def _numerical_libraries() -> Any:
    import sklearn.linear_model  # noqa: F401 - loads the libraries that are to be found
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextmanager
def one_thread() -> Iterator[None]:
    """One fit at a time in this process, with one thread: more would change the last digits.

    Fits share NumPy's global generator and the list of warnings, so threads take turns.
    """
    with _ALONE, _numerical_libraries().limit(limits=1):
        yield


# --- engines ---------------------------------------------------------------------------------


@contextmanager
def _safe_children() -> Iterator[None]:
    """Child processes import what this one can import, and nothing from the current folder."""
    safe = {
        "PYTHONSAFEPATH": "1",
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }
    before = {name: os.environ.get(name) for name in safe}
    os.environ.update(safe)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def _opened(engine: str, jobs: int | None, data: Dataset) -> Iterator[int | None]:
    """While open, joblib uses this engine; gives the number of jobs to ask it for."""
    kind, _, address = engine.partition("://")
    with ExitStack() as stack:
        try:
            if engine == "local" and joblib.effective_n_jobs(None) == 1:
                jobs = jobs or joblib.cpu_count()
                config = joblib.parallel_config("loky", n_jobs=jobs, initializer=_ignore_ctrl_c)
                stack.enter_context(config)
            elif kind in _CLUSTERS:
                stack.enter_context(_CLUSTERS[kind](address, jobs, data))
            elif engine != "local":  # else the joblib context that the caller has opened
                stack.enter_context(joblib.parallel_config(backend=engine, n_jobs=jobs or -1))
        except ImportError as error:
            raise InputError(
                f"engine={engine!r} needs {error.name}: pip install 'heliast[{kind}]'"
            ) from None
        except Exception as error:  # whatever a cluster raises that cannot be reached
            line = str(error).strip().partition("\n")[0]
            raise InputError(f"engine={engine!r}: {type(error).__name__}: {line}") from error
        backend, _ = get_active_backend()
        if kind in _CLUSTERS:
            _keep_off_this_process(backend)
        _report_lost_tasks(backend)
        yield jobs


def _ignore_ctrl_c() -> None:
    """A terminal sends it to workers as well; this process ends them, without tracebacks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _dask(address: str, jobs: int | None, data: Dataset) -> Iterator[None]:
    """A scheduler at an address; without one the open client, or a cluster on this machine."""
    from distributed import Client, default_client

    local = {"n_workers": jobs, "threads_per_worker": 1, "dashboard_address": ":0"}
    remote = {"address": f"tcp://{address}", "timeout": _CONNECT}
    with ExitStack() as stack:
        try:
            client = None if address else default_client()
        except ValueError:  # none is open
            client = None
        if client is None:
            made = Client(**(remote if address else local), set_as_default=False)
            client = stack.enter_context(made)
        options = {"scatter": [data], "wait_for_workers_timeout": _CONNECT}
        with joblib.parallel_config(backend="dask", client=client, **options):
            yield


def _keep_off_this_process(backend: Any) -> None:
    """Have a cluster of one worker fit there: for one job joblib would work in this process."""
    count = backend.effective_n_jobs
    backend.effective_n_jobs = lambda n_jobs: max(2, count(n_jobs))


def _report_lost_tasks(backend: Any) -> None:
    """Pass the errors of Dask's tasks on: joblib waits for ever for one that Dask gave up."""
    if not hasattr(backend, "client") or "submit" in vars(backend):
        return
    submit = backend.submit

    def submit_and_report(work: Any, callback: Any = None) -> Any:
        future = submit(work, callback)
        future.add_done_callback(lambda done: done.exception() and callback(done.exception()))
        return future

    backend.submit = submit_and_report


@contextmanager
def _ray(address: str, jobs: int | None, data: Dataset) -> Iterator[None]:
    """A cluster at an address; without one the open session, or one on this machine."""
    import ray
    from ray.util.joblib import register_ray

    opens = not ray.is_initialized()
    if opens:
        where = {"address": f"ray://{address}"} if address else {"num_cpus": jobs}
        ray.init(**where, log_to_driver=False, logging_level="ERROR")
    try:
        register_ray()
        with joblib.parallel_config(backend="ray", n_jobs=jobs or -1):
            yield
    finally:
        if opens:
            ray.shutdown()


@contextmanager
def _spark(address: str, jobs: int | None, data: Dataset) -> Iterator[None]:
    """A master at an address; without one the open session, or Spark on this machine."""
    from joblibspark.backend import SparkDistributedBackend
    from pyspark.sql import SparkSession

    class Backend(SparkDistributedBackend):  # type: ignore[misc]
        """With joblib's present interface: results one by one, failures as exceptions."""

        supports_retrieve_callback = True

        def submit(self, work: Any, callback: Any = None) -> Any:
            return self.apply_async(work, callback)

        def retrieve_result_callback(self, result: Any) -> Any:
            if not isinstance(result, list):
                raise RuntimeError(f"a task failed on Spark: {getattr(result, 'exc', result)}")
            return result

    session = SparkSession.getActiveSession()
    opens = session is None
    if opens:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        local = not address or address.startswith("local")
        master = (address or f"local[{jobs or '*'}]") if local else f"spark://{address}"
        builder = SparkSession.builder.master(master).appName("heliast")
        for key, value in {"ui.enabled": "false", "ui.showConsoleProgress": "false",
                           "log.level": "ERROR"}.items():  # fmt: skip
            builder = builder.config(f"spark.{key}", value)
        session = builder.getOrCreate()
    joblib.register_parallel_backend("heliast-spark", Backend)
    try:
        with warnings.catch_warnings(), joblib.parallel_config("heliast-spark", n_jobs=jobs or -1):
            warnings.filterwarnings("ignore", message="Spark (local mode|session is not|version)")
            yield
    finally:
        if opens:
            session.stop()


_CLUSTERS = {"dask": _dask, "ray": _ray, "spark": _spark}
