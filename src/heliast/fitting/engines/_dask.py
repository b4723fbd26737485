"""Dask: joblib's backend, with the data as a plugin of the workers."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from heliast._core.errors import InputError
from heliast.fitting.engines._engine import Engine, joined, missing
from heliast.fitting.engines._lost import EngineLost, Watched
from heliast.fitting.engines._reach import Speech, answer_limit, in_time, reach, workers_limit
from heliast.fitting.engines._shared import Shared, carried, payload

# A scheduler speaks first: the length of its message, 8 bytes, which is some hundreds.
SPEECH = Speech(
    "a Dask scheduler", 8786, b"", lambda head: 0 < int.from_bytes(head[:8], "little") < 2**20
)


@contextmanager
def dask(name: str, address: str, jobs: int | None) -> Iterator[Engine]:
    """A scheduler at an address; without one, the open client or a cluster on this machine."""
    try:
        from distributed import Client, LocalCluster, default_client
    except ImportError as error:
        raise missing(name, "dask", error) from None
    if address:
        with _quietly_closed(_client(name, address)) as client:
            yield within(name, client, {})
        return
    try:
        yield within(name, default_client(), {})
        return
    except ValueError:  # there is none
        pass
    with (
        LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield within(name, client, {})


def _client(name: str, address: str) -> Any:
    from distributed import Client

    place = address if "://" in address else f"tcp://{address}"
    reach(name, place, SPEECH, encrypted=not place.startswith("tcp://"))
    limit = answer_limit()
    try:
        # Its own limit does not cover all of the handshake.
        return in_time(2 * limit, Client, place, timeout=limit, set_as_default=False)
    except (OSError, ImportError, ValueError, RuntimeError) as error:
        raise InputError(
            f"engine={name!r}: no Dask scheduler speaks with us there ({error}); is it one, of "
            "the same version as here?"
        ) from None


@contextmanager
def _quietly_closed(client: Any) -> Iterator[Any]:
    try:
        yield client
    finally:
        with suppress(Exception):  # whatever a lost connection raises
            in_time(answer_limit(), client.close)


def within(name: str, client: Any, options: Mapping[str, Any]) -> Engine:
    """The engine of an open client."""

    def workers() -> int:
        return sum(client.ncores().values())

    start = f"dask worker {client.scheduler.address} --nthreads 1"
    jobs = joined(name, workers, f"start some, as in: {start}")
    backend = _backend(client, options)
    return Engine(name, backend, jobs, lambda shared: _carried(client, shared), workers)


def _backend(client: Any, options: Mapping[str, Any]) -> Any:
    from joblib._dask import DaskDistributedBackend

    class Backend(Watched, DaskDistributedBackend):  # type: ignore[misc]
        """Tells joblib also of the tasks that Dask gave up, for which it would wait for ever."""

        def submit(self, func: Any, callback: Any = None) -> Any:
            future = super().submit(func, callback)

            def told(done: Any) -> None:
                if (error := done.exception()) is not None:
                    self.fail(error)

            future.add_done_callback(told)
            return future

        def effective_n_jobs(self, n_jobs: int) -> int:
            # joblib does the work of a single worker in this process instead.
            return max(2, int(super().effective_n_jobs(n_jobs)))

    return Backend(client=client, wait_for_workers_timeout=workers_limit(), **options)


class Plugged:
    """Carried by a plugin, which the scheduler gives to every worker, also to later ones."""

    def __init__(self, name: str) -> None:
        self.name = name

    def load(self) -> Any:
        from distributed import get_worker

        try:
            plugin = get_worker().plugins[self.name]
        except KeyError:
            raise EngineLost("its scheduler was started anew and has forgotten the data") from None
        return plugin.load()


@contextmanager
def _carried(client: Any, shared: Shared[Any]) -> Iterator[None]:
    from heliast.fitting.engines._plugin import Data

    name = f"heliast-{shared.key}"
    client.register_plugin(Data(payload(shared.value)), name=name)
    try:
        with carried(shared, Plugged(name)):
            yield
    finally:
        with suppress(Exception):  # the cluster is gone, or the plugin is
            in_time(answer_limit(), client.unregister_worker_plugin, name)
