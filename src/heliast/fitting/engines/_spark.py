"""Spark: joblibspark's backend, with the data as a broadcast variable."""

import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from heliast._core.errors import InputError
from heliast.fitting.engines._engine import Engine, joined, missing
from heliast.fitting.engines._lost import Watched
from heliast.fitting.engines._reach import Speech, answer_limit, in_time, reach, workers_limit
from heliast.fitting.engines._shared import Shared, carried, payload

_LOCAL = re.compile(r"local(\[([0-9]+|\*)\])?")
_TRIES = 3
"""A task that fails on Spark is tried so often."""

# A frame: its length (8 bytes), its type, here 6: a stream is asked for, by a name (4 bytes of
# length) that there is not. Types go up to 11. Whoever hangs up may want to hear it encrypted.
SPEECH = Speech(
    "a Spark master",
    7077,
    (20).to_bytes(8, "big") + b"\x06" + (7).to_bytes(4, "big") + b"heliast",
    lambda head: not head or (0 < int.from_bytes(head[:8], "big") < 2**31 and head[8:] < b"\x0c"),
)


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
                with suppress(Exception):  # Java is gone
                    in_time(answer_limit(), session.stop)


def _session(name: str, address: str, jobs: int | None) -> Any:
    from pyspark import SparkConf, SparkContext
    from pyspark.sql import SparkSession

    place = address or f"local[{jobs or '*'}]"
    here = _LOCAL.fullmatch(place)
    if here:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        master = f"local[{here[2] or 1},{_TRIES}]"
    else:
        reach(name, place, SPEECH)
        master = f"spark://{place}"
    settings = SparkConf().setMaster(master).setAppName("heliast")
    for key, value in {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        "spark.python.worker.reuse": "true",
    }.items():
        settings = settings.set(key, value)
    try:
        # Spark asks a master that does not answer for ever; a session is its thread's own.
        in_time(workers_limit(), SparkContext.getOrCreate, settings)
        return SparkSession.builder.getOrCreate()
    except Exception as error:  # Java is missing, versions differ, ...
        line = str(error).strip().partition("\n")[0]
        raise InputError(
            f"engine={name!r}: Spark does not start with {master} ({line}); is it a master of the "
            "same version as here, and is Java installed?"
        ) from error


def within(name: str, jobs: int | None) -> Engine:
    """The engine of an open session."""
    backend = _backend()

    def workers() -> int:
        return int(backend.effective_n_jobs(-1))

    most = joined(name, workers, "start some, or free some of them, for its master")
    jobs = most if jobs is None or jobs < 1 else min(jobs, most)
    return Engine(name, backend, max(2, jobs), _carried, workers)


def _context() -> Any:
    from pyspark.sql import SparkSession

    session = SparkSession.getActiveSession()
    return None if session is None else session.sparkContext


def _backend() -> Any:
    from joblibspark.backend import SparkDistributedBackend

    class Spark(SparkDistributedBackend):  # type: ignore[misc]
        """Gives results as they come, and tells of failures as such."""

        supports_retrieve_callback = True

        def submit(self, func: Any, callback: Any = None) -> Any:
            return self.apply_async(func, callback)

        def retrieve_result_callback(self, out: Any) -> Any:
            if not isinstance(out, list):
                raise RuntimeError(f"a task failed on Spark: {getattr(out, 'exc', out)}")
            return out

    class Backend(Watched, Spark):
        """The same, watched."""

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
        with suppress(Exception):  # the session is gone, or Java is
            in_time(answer_limit(), variable.destroy)
