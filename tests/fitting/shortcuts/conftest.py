"""Kernels compile when first called: no deadline. BLAS keeps to one thread, as `run` has it."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("shortcuts", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("shortcuts")


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> Iterator[None]:
    import sklearn.neighbors  # noqa: F401 - loads the libraries that are to be limited
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        yield
