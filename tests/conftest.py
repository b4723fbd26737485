"""What tests of several folders share."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data sets, named by HELIAST_DATA; tests are skipped without it."""
    folder = os.environ.get("HELIAST_DATA")
    if not folder:
        pytest.skip("HELIAST_DATA names no folder of data sets")
    return Path(folder)
