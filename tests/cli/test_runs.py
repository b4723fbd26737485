"""`heliast runs`: what a checkpoint folder holds, and what of it nothing needs."""

import json
import os
from pathlib import Path

import pytest
from tests.cli.conftest import Caller

RUN = ("run", "sklearn:iris", "--model", "bayes", "--model", "tree", "--plan", "10", "--seed", "3")


@pytest.fixture
def folder(heliast: Caller) -> Path:
    """A store with one run, of which 4 of 20 cells are gone."""
    code, _, err = heliast(*RUN, "--store", "kept", "-o", "all.csv")
    assert code == 0, err
    cells = sorted(Path("kept", "cells").iterdir())
    for path in cells[-4:]:
        path.unlink()
    return Path("kept")


def test_list_tells_how_far_a_run_is(folder: Path, heliast: Caller) -> None:
    code, out, err = heliast("runs", "list", folder)
    assert code == 0, err
    assert "of 20 cells bayes, tree on iris, KFold(k=10" in out
    (run,) = json.loads(heliast("runs", "list", folder, "--json")[1])
    assert out.startswith(run["id"])
    assert (run["cells"], run["finished"] < 20) == (20, True)


def test_the_same_command_goes_on(folder: Path, heliast: Caller) -> None:
    assert heliast(*RUN, "--store", "kept", "-o", "again.csv")[0] == 0
    assert Path("again.csv").read_bytes() == Path("all.csv").read_bytes()
    (run,) = json.loads(heliast("runs", "list", folder, "--json")[1])
    assert run["finished"] == run["cells"] == 20


def test_clean_lists_what_nothing_needs_and_removes_it_if_told(
    folder: Path, heliast: Caller
) -> None:
    assert heliast("runs", "clean", folder)[1] == "nothing to remove"
    left = folder / "cells" / ".x.0123abcd.part"
    left.write_text("half")
    os.utime(left, (0, 0))
    code, out, _ = heliast("runs", "clean", folder)
    assert (code, left.name in out, "give --yes" in out) == (0, True, True)
    assert left.exists()
    assert "1 files removed" in heliast("runs", "clean", folder, "--yes")[1]
    assert not left.exists()


def test_a_folder_that_is_none(heliast: Caller) -> None:
    for command in ("list", "clean"):
        code, _, err = heliast("runs", command, "gone")
        assert (code, "No such file" in err) == (2, True)
