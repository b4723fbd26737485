"""Bad inputs through the command line: a share of those that `make fuzz` runs, of every kind."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz import kinds  # noqa: F401 - every kind joins
from tests.fuzz._case import KINDS, SEED, SHARES, case
from tests.fuzz._server import Server

ROOT = Path(__file__).parents[2]
PARTS = [1 / 64, pytest.param(1 / 16, marks=pytest.mark.long)]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A warm process of its own, since forks of this one would inherit pytest's threads."""
    process = Server(SEED, ROOT)
    yield process
    process.end()


@pytest.mark.parametrize("part", PARTS, ids=["few", "many"])
@pytest.mark.parametrize("kind", KINDS)
def test_no_input_breaks_the_command_line(server: Server, kind: str, part: float) -> None:
    count = round(SHARES[kind] * part)
    found = server.ask(kind, range(count))
    assert found["failures"] == []
    assert sum(found["codes"].values()) == count
    assert set(found["codes"]) <= {"0", "1", "2", "3"}
    # A damaged record is left out, so it is no bad input.
    assert found["codes"].get("2") or kind == "records", "no input of this kind is bad"


@pytest.mark.parametrize("kind", KINDS)
def test_an_input_is_a_function_of_its_number(kind: str) -> None:
    first, again, other = case(kind, 5), case(kind, 5), case(kind, 6)
    assert first == again
    assert first != other


def test_there_are_enough() -> None:
    assert sum(SHARES.values()) >= 20_000
