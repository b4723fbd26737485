"""Shared: a value that all tasks need, sent once to each worker instead of once with each task."""

import mmap
import pickle
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar
from uuid import uuid4

T = TypeVar("T")

HELD = 2
"""So many values a worker holds; older ones it fetches again when they are asked for."""


class Carrier(Protocol):
    """How a worker gets at the value; it travels with every task, so it is small."""

    def load(self) -> Any: ...


class Shared(Generic[T]):
    """A value and its name. While it is carried, pickling it pickles the carrier instead.

    >>> Shared("rows").value
    'rows'
    """

    def __init__(self, value: T) -> None:
        self.key = uuid4().hex
        self._value = value

    @property
    def value(self) -> T:
        return self._value

    def __reduce__(self) -> tuple[Any, ...]:
        carrier = _carriers.get(self.key)
        return (Shared, (self.value,)) if carrier is None else (Fetched, (self.key, carrier))


class Fetched(Shared[T]):
    """The same in a worker: fetched when it is first asked for, then held by the process."""

    def __init__(self, key: str, carrier: Carrier) -> None:
        self.key = key
        self.carrier = carrier

    @property
    def value(self) -> T:
        with _lock:
            if self.key not in _held:
                hold(self.key, self.carrier.load())
            _held.move_to_end(self.key)
            found: T = _held[self.key]
            return found

    def __reduce__(self) -> tuple[Any, ...]:
        return Fetched, (self.key, _carriers.get(self.key, self.carrier))


_carriers: dict[str, Carrier] = {}
_held: OrderedDict[str, Any] = OrderedDict()
_lock = threading.Lock()


@contextmanager
def carried(shared: Shared[Any], carrier: Carrier) -> Iterator[None]:
    """While open, the value goes to workers by this carrier."""
    before = _carriers.get(shared.key)
    _carriers[shared.key] = carrier
    try:
        yield
    finally:
        if before is None:
            del _carriers[shared.key]
        else:
            _carriers[shared.key] = before


def hold(key: str, value: Any) -> None:
    """Hold a value in this process."""
    _held[key] = value
    while len(_held) > HELD:
        _held.popitem(last=False)


class Sent:
    """Carried by a message before: the process holds it already."""

    def load(self) -> Any:
        raise RuntimeError("a worker was given work before the data it needs")


class File:
    """Carried by a file on this machine, whose pages all workers share until they write to them."""

    def __init__(self, path: Path, sizes: Sequence[int]) -> None:
        self.path = path
        self.sizes = tuple(sizes)

    @classmethod
    def of(cls, value: Any, folder: Path) -> "File":
        """Write the value; its arrays lie in the file as they lie in memory."""
        import cloudpickle

        arrays: list[pickle.PickleBuffer] = []
        head = cloudpickle.dumps(value, protocol=5, buffer_callback=arrays.append)
        parts = [memoryview(head), *(array.raw() for array in arrays)]
        path = folder / uuid4().hex
        with path.open("wb") as file:
            for part in parts:
                file.write(part)
                file.write(b"\0" * _gap(part.nbytes))
        return cls(path, [part.nbytes for part in parts])

    def load(self) -> Any:
        with self.path.open("rb") as file:
            pages = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY))
        parts, start = [], 0
        for size in self.sizes:
            parts.append(pages[start : start + size])
            start += size + _gap(size)
        return pickle.loads(parts[0], buffers=parts[1:])


def _gap(size: int) -> int:
    """Bytes to the next multiple of 64, where arrays may begin."""
    return -size % 64


def payload(value: Any) -> bytes:
    """The value as bytes, for carriers that take bytes."""
    import cloudpickle

    content: bytes = cloudpickle.dumps(value, protocol=5)
    return content
