"""What tests and the examples in docstrings share."""

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def figures_are_closed() -> Iterator[None]:
    """Figures that an example opened: matplotlib warns when there are many."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
