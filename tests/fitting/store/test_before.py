"""A store of the heliast that did not see all that decides a result: not used, and said so."""

import shutil
from pathlib import Path

import pytest
from tests.fitting.store.before import make

from heliast.fitting.store import NotReused, Store

BEFORE = Path(make.__file__).parent


def test_cells_of_then_are_done_again_and_stay_as_they_are(tmp_path: Path) -> None:
    shutil.copytree(BEFORE / "store", tmp_path / "store")
    store = Store.at(tmp_path / "store")
    (record,) = store.runs()
    assert store.progress(record).unfinished == "unfinished: 14 of 24 cells"
    before = {path: path.read_bytes() for path in store.folder.glob("??/*.parquet")}

    with pytest.warns(NotReused, match=f"run {record.id} is of an older heliast.* done again"):
        make.work(store.folder).write(tmp_path / "again.csv")

    make.work(None).write(tmp_path / "whole.csv")
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    after = {path: path.read_bytes() for path in store.folder.glob("??/*.parquet")}
    assert len(after) == 14 + 24
    assert before.items() <= after.items()
    (new,) = [run for run in store.runs() if run != record]
    assert store.progress(new).unfinished == ""
    assert store.progress(record).unfinished == "unfinished: 14 of 24 cells"


def test_it_is_said_once(tmp_path: Path) -> None:
    """The second time the work is there; a warning is an error in these tests."""
    shutil.copytree(BEFORE / "store", tmp_path / "store")
    with pytest.warns(NotReused):
        first = make.work(tmp_path / "store")
    assert make.work(tmp_path / "store").equals(first)


def test_what_they_predicted_can_still_be_read(tmp_path: Path) -> None:
    shutil.copytree(BEFORE / "store", tmp_path / "store")
    table = Store.existing(tmp_path / "store").table()
    assert "unfinished: 14 of 24 cells" in table.meta.notes
