"""One thread a fit: more would make its last digits depend on the machine."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

_ALONE = threading.RLock()


@cache
def numerical_libraries() -> Any:
    """The thread pools of BLAS and OpenMP in this process; finding them takes a while, so once."""
    import sklearn.linear_model  # noqa: F401 - loads the libraries that are to be found
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextmanager
def one_thread() -> Iterator[None]:
    """One fit at a time in this process, with one thread.

    Fits share NumPy's global generator and the list of warnings, so workers that are threads of
    one process take turns.
    """
    with _ALONE, numerical_libraries().limit(limits=1):
        yield
