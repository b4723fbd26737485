"""Ray: its backend for joblib, with the data in its object store."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from heliast._core.errors import InputError
from heliast.fitting.engines._engine import Engine, check_address, missing
from heliast.fitting.engines._shared import Shared, carried, payload


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
        if address:
            check_address(name, address, 10001)
        options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        place = f"ray://{address}" if address else os.environ.get("RAY_ADDRESS", "local")
        if place == "local":
            options["num_cpus"] = jobs
        try:
            ray.init(place, **options)
        except Exception as error:  # many kinds
            raise InputError(f"engine={name!r}: Ray cannot connect ({error})") from error
    try:
        yield within(name, jobs, None)
    finally:
        if begun:
            ray.shutdown()


def within(name: str, jobs: int | None, options: Mapping[str, Any] | None) -> Engine:
    """The engine of an open session."""
    import ray
    from ray.util.joblib.ray_backend import RayBackend

    class Backend(RayBackend):  # type: ignore[misc]
        """Gives results as they come: the callbacks for it are there."""

        supports_return_generator = True

    cpus = int(ray.cluster_resources().get("CPU", 0))
    if not cpus:
        raise InputError(f"engine={name!r}: the cluster has no processors for tasks")
    jobs = cpus if jobs is None or jobs < 1 else min(jobs, cpus)
    if jobs == 1:  # joblib does the work of a single worker in this process instead
        jobs, options = 2, {"num_cpus": 0.5, **(options or {})}
    backend = Backend(ray_remote_args=options)
    return Engine(name, backend, jobs, _carried, _answers)


def _answers() -> bool:
    import ray

    try:
        return bool(ray.is_initialized() and ray.cluster_resources().get("CPU"))
    except Exception:  # whatever a lost connection raises
        return False


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
