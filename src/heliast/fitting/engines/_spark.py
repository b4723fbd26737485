"""Spark: joblibspark's backend, with the data as a broadcast variable."""

import os
import re
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from heliast._core.errors import InputError
from heliast.fitting.engines._engine import WORKERS, Engine, check_address, missing
from heliast.fitting.engines._shared import Shared, carried, payload

_LOCAL = re.compile(r"local(\[([0-9]+|\*)\])?")
_TRIES = 3
"""A task that fails on Spark is tried so often."""


@contextmanager
def spark(name: str, address: str, jobs: int | None) -> Iterator[Engine]:
    """A master at an address; without one, the open session or one on this machine."""
    with warnings.catch_warnings():
        _hush()
        try:
            import joblibspark  # noqa: F401
            from pyspark.sql import SparkSession
        except ImportError as error:
            raise missing(name, "spark", error) from None
        session = SparkSession.getActiveSession()
        begun = session is None
        if session is None:
            session = _session(name, address, jobs)
        try:
            yield within(name, jobs)
        finally:
            if begun:
                session.stop()


def _session(name: str, address: str, jobs: int | None) -> Any:
    from pyspark.sql import SparkSession

    place = address or f"local[{jobs or '*'}]"
    here = _LOCAL.fullmatch(place)
    if here:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        master = f"local[{here[2] or 1},{_TRIES}]"
    else:
        check_address(name, place, 7077)
        master = f"spark://{place}"
    build = SparkSession.builder.master(master).appName("heliast")
    for key, value in {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        "spark.python.worker.reuse": "true",
    }.items():
        build = build.config(key, value)
    try:
        return build.getOrCreate()
    except Exception as error:  # Java is missing, versions differ, ...
        line = str(error).strip().partition("\n")[0]
        raise InputError(f"engine={name!r}: Spark does not start ({line})") from error


def within(name: str, jobs: int | None) -> Engine:
    """The engine of an open session."""
    backend = _backend()
    until = time.monotonic() + WORKERS
    while not (most := backend.effective_n_jobs(-1)):
        if time.monotonic() > until:
            raise InputError(f"engine={name!r}: the master has no workers for us")
        time.sleep(0.5)
    jobs = most if jobs is None or jobs < 1 else min(jobs, most)
    return Engine(name, backend, max(2, jobs), _carried, _answers)


def _context() -> Any:
    from pyspark.sql import SparkSession

    session = SparkSession.getActiveSession()
    return None if session is None else session.sparkContext


def _answers() -> bool:
    try:
        return not _context()._jsc.sc().isStopped()
    except Exception:  # the session is gone, or Java is
        return False


def _backend() -> Any:
    from joblibspark.backend import SparkDistributedBackend

    class Backend(SparkDistributedBackend):  # type: ignore[misc]
        """Gives results as they come, and tells of failures as such."""

        supports_retrieve_callback = True

        def submit(self, func: Any, callback: Any = None) -> Any:
            return self.apply_async(func, callback)

        def retrieve_result_callback(self, out: Any) -> Any:
            if not isinstance(out, list):
                raise RuntimeError(f"a task failed on Spark: {getattr(out, 'exc', out)}")
            return out

    return Backend()


def _hush() -> None:
    """What the libraries say of each other and nobody can act on."""
    for words in ("Spark local mode", "Spark session is not provided", "Spark version does not"):
        warnings.filterwarnings("ignore", message=words, category=UserWarning)
    warnings.filterwarnings("ignore", message="PySpark does not yet", category=FutureWarning)


class Broadcast:
    """Carried by a broadcast variable."""

    def __init__(self, variable: Any) -> None:
        self.variable = variable

    def load(self) -> Any:
        import pickle

        return pickle.loads(self.variable.value)


@contextmanager
def _carried(shared: Shared[Any]) -> Iterator[None]:
    variable = _context().broadcast(payload(shared.value))
    try:
        with carried(shared, Broadcast(variable)):
            yield
    finally:
        if _answers():
            variable.destroy()
