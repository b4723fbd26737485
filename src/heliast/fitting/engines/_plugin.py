"""The plugin that holds shared data in a worker of Dask."""

from typing import Any

try:
    from distributed import WorkerPlugin
except ImportError:  # an extra: without it nobody asks for the plugin
    WorkerPlugin = object


class Data(WorkerPlugin):  # type: ignore[misc]
    """Bytes that tasks unpickle when they first need them."""

    content: bytes

    def __init__(self, content: bytes) -> None:
        self.content = content

    def load(self) -> Any:
        import pickle

        return pickle.loads(self.content)
