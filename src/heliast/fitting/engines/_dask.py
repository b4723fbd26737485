"""Dask: joblib's backend, with the data as a plugin of the workers."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from heliast._core.errors import InputError
from heliast.fitting.engines._engine import ANSWER, WORKERS, Engine, check_address, missing
from heliast.fitting.engines._shared import Shared, carried, payload


@contextmanager
def dask(name: str, address: str, jobs: int | None) -> Iterator[Engine]:
    """A scheduler at an address; without one, the open client or a cluster on this machine."""
    try:
        from distributed import Client, LocalCluster, default_client
    except ImportError as error:
        raise missing(name, "dask", error) from None
    if address:
        check_address(name, address, 8786)
        try:
            client = Client(
                address if "://" in address else f"tcp://{address}",
                timeout=2 * ANSWER,
                set_as_default=False,
            )
        except (OSError, TimeoutError) as error:
            raise InputError(
                f"engine={name!r}: no Dask scheduler answers there ({error})"
            ) from None
        with client:
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


def within(name: str, client: Any, options: Mapping[str, Any]) -> Engine:
    """The engine of an open client."""
    from distributed import TimeoutError as TooLong

    try:
        client.wait_for_workers(1, timeout=WORKERS)
    except (TooLong, TimeoutError):
        raise InputError(
            f"engine={name!r}: the scheduler has no workers; start some, "
            f"as in: dask worker {client.scheduler.address} --nthreads 1"
        ) from None
    backend = _backend(client, options)
    return Engine(
        name, backend, sum(client.ncores().values()), lambda shared: _carried(client, shared),
        lambda: _answers(client),
    )  # fmt: skip


def _answers(client: Any) -> bool:
    try:
        client.sync(client.scheduler.identity, callback_timeout=2 * ANSWER)
    except Exception:  # whatever a lost connection raises
        return False
    return True


class _Failed:
    """A task that Dask gave up."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


def _backend(client: Any, options: Mapping[str, Any]) -> Any:
    from joblib._dask import DaskDistributedBackend

    class Backend(DaskDistributedBackend):  # type: ignore[misc]
        """Tells joblib also of the tasks that Dask gave up, for which it would wait for ever."""

        def submit(self, func: Any, callback: Any = None) -> Any:
            future = super().submit(func, callback)

            def told(done: Any) -> None:
                error = done.exception()
                if error is not None and callback is not None:
                    callback(_Failed(error))

            future.add_done_callback(told)
            return future

        def effective_n_jobs(self, n_jobs: int) -> int:
            # joblib does the work of a single worker in this process instead.
            return max(2, int(super().effective_n_jobs(n_jobs)))

        def retrieve_result_callback(self, out: Any) -> Any:
            if isinstance(out, _Failed):
                raise out.error
            return super().retrieve_result_callback(out)

    return Backend(client=client, wait_for_workers_timeout=WORKERS, **options)


class Plugged:
    """Carried by a plugin, which the scheduler gives to every worker, also to later ones."""

    def __init__(self, name: str) -> None:
        self.name = name

    def load(self) -> Any:
        from distributed import get_worker

        return get_worker().plugins[self.name].load()


@contextmanager
def _carried(client: Any, shared: Shared[Any]) -> Iterator[None]:
    from heliast.fitting.engines._plugin import Data

    name = f"heliast-{shared.key}"
    client.register_plugin(Data(payload(shared.value)), name=name)
    try:
        with carried(shared, Plugged(name)):
            yield
    finally:
        _unplug(client, name)


def _unplug(client: Any, name: str) -> None:
    with suppress(Exception):  # the cluster is gone, or the plugin is
        client.unregister_worker_plugin(name)
