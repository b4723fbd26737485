"""Ray: its backend for joblib, with the data in its object store."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from heliast._core.errors import InputError
from heliast.fitting.engines._engine import Engine, joined, missing
from heliast.fitting.engines._lost import Watched
from heliast.fitting.engines._reach import Speech, answer_limit, in_time, reach, workers_limit
from heliast.fitting.engines._shared import Shared, carried, payload

# gRPC is HTTP/2: its preface and an empty SETTINGS frame, which SETTINGS (type 4) answer.
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])


def _is_settings(head: bytes) -> bool:
    return head[3:4] == b"\x04"


CLIENT = Speech("the client server of a Ray cluster", 10001, _PREFACE, _is_settings)
HEAD = Speech("the head of a Ray cluster", 6379, _PREFACE, _is_settings)


@contextmanager
def ray(name: str, address: str, jobs: int | None) -> Iterator[Engine]:
    """A cluster at an address; without one, the open session or one on this machine."""
    try:
        import ray
        import ray.util.joblib
    except ImportError as error:
        raise missing(name, "ray", error) from None
    begun = not ray.is_initialized()
    if begun:
        _begin(name, f"ray://{address}" if address else os.environ.get("RAY_ADDRESS", ""), jobs)
    try:
        yield within(name, jobs, None)
    finally:
        if begun:
            with suppress(Exception):  # whatever a lost connection raises
                in_time(answer_limit(), ray.shutdown)


def _begin(name: str, place: str, jobs: int | None) -> None:
    import ray

    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    try:
        if place in ("", "local"):
            ray.init("local", num_cpus=jobs, **quiet)
            return
        if place != "auto":
            speech = CLIENT if place.startswith("ray://") else HEAD
            reach(name, place, speech, os.environ.get("RAY_USE_TLS", "0") not in ("", "0"))
        in_time(workers_limit(), ray.init, place, **quiet)
    except InputError:
        raise
    except Exception as error:  # many kinds
        line = str(error).strip().partition("\n")[0]
        raise InputError(
            f"engine={name!r}: Ray cannot connect to {place or 'a cluster of its own'} ({line}); "
            "is it a cluster with the same versions of Ray and Python as here?"
        ) from error


def within(name: str, jobs: int | None, options: Mapping[str, Any] | None) -> Engine:
    """The engine of an open session."""
    import ray
    from ray.util.joblib.ray_backend import RayBackend

    class Backend(Watched, RayBackend):  # type: ignore[misc]
        """Gives results as they come: the callbacks for it are there."""

        supports_return_generator = True

        def terminate(self) -> None:
            if self.lost is None:  # else there is nobody to be told
                super().terminate()

        def abort_everything(self, ensure_ready: bool = True) -> None:
            if self.lost is None:
                super().abort_everything(ensure_ready)

    def workers() -> int:
        return int(ray.cluster_resources().get("CPU", 0)) if ray.is_initialized() else 0

    cpus = joined(name, workers, "start a node with processors, as in: ray start --address ...")
    jobs = cpus if jobs is None or jobs < 1 else min(jobs, cpus)
    if jobs == 1:  # joblib does the work of a single worker in this process instead
        jobs, options = 2, {"num_cpus": 0.5, **(options or {})}
    return Engine(name, Backend(ray_remote_args=options), jobs, _carried, workers)


class Put:
    """Carried by Ray's object store."""

    def __init__(self, reference: Any) -> None:
        self.reference = reference

    def load(self) -> Any:
        import pickle

        import ray

        return pickle.loads(ray.get(self.reference))


@contextmanager
def _carried(shared: Shared[Any]) -> Iterator[None]:
    import ray

    with carried(shared, Put(ray.put(payload(shared.value)))):
        yield
