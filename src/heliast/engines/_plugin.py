"""The plugin that holds shared data in a worker of Dask."""

from distributed import WorkerPlugin


class Data(WorkerPlugin):  # type: ignore[misc]
    """Bytes that tasks unpickle when they first need them."""

    def __init__(self, content: bytes) -> None:
        self.content = content
