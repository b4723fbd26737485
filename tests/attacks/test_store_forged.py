"""Files that fit their checksums and yet cannot be true."""

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import heliast as hl
from heliast.cli._request import _mark
from heliast.cli._runs import _shown
from heliast.fitting.run import as_frozen
from heliast.fitting.store import Cell, Progress, Store, Subject, _claims
from heliast.fitting.store._assemble import assemble


@pytest.mark.parametrize("truth", [-2, 2**62, 3])
def test_a_subject_whose_classes_are_not_there_is_damaged(truth: int) -> None:
    data = hl.read("sklearn:iris")
    subject = Subject.of(data, as_frozen(3, data, 0), 0)
    assert Subject.of_bytes(subject.to_bytes()).truth.max() == 2
    forged = replace(subject, truth=np.full(150, truth, np.int64))
    with pytest.raises(ValueError, match="classes that it does not have"):
        Subject.of_bytes(forged.to_bytes())


@pytest.mark.parametrize(
    "forged",
    [
        lambda cell: replace(cell, row=cell.row[::-1] * 0),
        lambda cell: replace(cell, row=cell.row[:0], seen=cell.seen[:0], outputs=[]),
        lambda cell: replace(cell, outputs=[]),
        lambda cell: replace(cell, seen=cell.seen - 1),
        lambda cell: replace(cell, split=9),
    ],
    ids=["one row again and again", "no rows", "no answers", "seen less than never", "no split"],
)
def test_cells_that_do_not_fit_their_split_are_refused(
    forged: Callable[[Cell], Cell], tmp_path: Path
) -> None:
    data = hl.read("sklearn:iris")
    hl.run({"a": hl.Majority()}, data, 3, store=tmp_path, progress=False)
    store = Store.existing(tmp_path)
    run = store.run()
    subject = Subject.of(data, as_frozen(3, data, 0), 0)
    every = [cell for batch in run.batches for cell in store.read(batch.key) or []]
    assert len(assemble([("a", every)], ["a"], subject).truth) == 150
    with pytest.raises(hl.InputError, match="do not fit these data and splits"):
        assemble([("a", [forged(every[0]), *every[1:]])], ["a"], subject)


def test_a_file_of_holes_is_not_read_to_its_end(tmp_path: Path) -> None:
    holes = tmp_path / "x.csv"
    with holes.open("wb") as file:
        os.truncate(file.fileno(), 1 << 43)
    with pytest.raises(hl.InputError, match="holds next to nothing"):
        _mark(holes)
    (tmp_path / "y.csv").write_text("a,b\n1,2\n")
    assert _mark(tmp_path / "y.csv").startswith("8-")


def test_claims_of_the_dead_are_waited_for_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_claims, "PATIENCE", 1.0)
    models = {"a": hl.Majority(), "b": hl.Majority()}
    data = hl.read("sklearn:iris")
    wanted = hl.run(models, data, 4, store=tmp_path / "one", progress=False)
    kept = [path for path in (tmp_path / "one").rglob("*.parquet") if len(path.parent.name) == 2]
    assert len(kept) > 1
    for path in kept:
        claim = tmp_path / "two" / path.parent.name / f"{path.name.partition('.')[0]}.claim"
        claim.parent.mkdir(parents=True, exist_ok=True)
        claim.write_text("elsewhere")
    begun = time.monotonic()
    assert hl.run(models, data, 4, store=tmp_path / "two", progress=False).equals(wanted)
    assert time.monotonic() - begun < 1.0 * len(kept) + 1.5


def test_names_in_a_record_make_no_lines_of_their_own(tmp_path: Path) -> None:
    data = hl.read("sklearn:iris")
    hl.run({"a": hl.Majority()}, data, 2, store=tmp_path, progress=False)
    run = Store.existing(tmp_path).run()
    said = _shown(replace(run, data="x\nrun 0: finished\x1b[2J"), Progress(2, 2), Store(tmp_path))
    assert "\x1b" not in said
    assert len(said.splitlines()) == 6
