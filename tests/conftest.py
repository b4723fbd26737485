"""What tests of several folders share."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

# Asserts of helpers count too, also under python -O.
folders = (place for place in Path(__file__).parent.iterdir() if place.is_dir())
pytest.register_assert_rewrite(*(f"tests.{folder.name}" for folder in folders))

# Tests started in the background (`make test &`) are told to ignore Ctrl-C, and so would be all
# that they start: what is sent to a process on purpose would do nothing.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Who waits is told what is being done, which would be among what tests read on a busy machine.
os.environ.setdefault("HELIAST_PATIENCE", "600")

# Workers of pytest-xdist are told that they have 80 columns; a log has none.
os.environ.pop("COLUMNS", None)


@pytest.fixture(autouse=True)
def _loud() -> Iterator[None]:
    """The command line, called in this process, tells all of it to be quiet: take that back."""
    before = {name: os.environ.get(name) for name in ("HELIAST_QUIET", "NO_COLOR")}
    yield
    for name, value in before.items():
        os.environ.pop(name, None) if value is None else os.environ.update({name: value})


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data sets, named by HELIAST_DATA; tests are skipped without it."""
    folder = os.environ.get("HELIAST_DATA")
    if not folder:
        pytest.skip("HELIAST_DATA names no folder of data sets")
    return Path(folder)
