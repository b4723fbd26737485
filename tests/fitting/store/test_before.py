"""A store written before the modules moved: finished cells are found, the rest is done."""

import json
import shutil
from pathlib import Path

import pytest
from tests.fitting.store.before import make

import heliast as hl
from heliast.fitting.store import Store, fingerprint

BEFORE = Path(make.__file__).parent


@pytest.fixture(autouse=True)
def _the_same_release(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another release may compute other results, so it does all again: play the one of then."""
    monkeypatch.setattr(hl, "__version__", "0.1.0")


def test_models_are_marked_as_before() -> None:
    """Where this fails, a class moved: the store must go on knowing it by its old name."""
    models = {**make.MODELS, **make.NUMBERS}
    marks = {name: fingerprint(model) for name, model in models.items()}
    assert marks == json.loads((BEFORE / "marks.json").read_text())


def test_what_is_done_is_found_and_the_rest_gives_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(BEFORE / "store", tmp_path / "store")
    store = Store.at(tmp_path / "store")
    (record,) = store.runs()
    assert store.progress(record).unfinished == "unfinished: 14 of 24 cells"
    before = {path: path.read_bytes() for path in store.folder.glob("??/*.parquet")}
    make.work(None).write(tmp_path / "whole.csv")

    def again(model: object, *_: object) -> None:
        raise AssertionError(f"{model} was finished, and is fitted again")

    for kind in (hl.Prism, hl.BaggedVote, hl.BoostedVote):
        monkeypatch.setattr(kind, "fit", again)
    make.work(store.folder).write(tmp_path / "resumed.csv")

    assert (tmp_path / "resumed.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert store.runs() == (record,)
    assert store.progress(record).unfinished == ""
    after = {path: path.read_bytes() for path in store.folder.glob("??/*.parquet")}
    assert len(after) == 24
    assert before.items() <= after.items()
