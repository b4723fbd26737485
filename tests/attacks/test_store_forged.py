"""Files that fit their checksums and yet cannot be true."""

import os
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import heliast as hl
from heliast.cli._request import _mark
from heliast.fitting.run import as_frozen
from heliast.fitting.store import Subject, _claims


@pytest.mark.parametrize("truth", [-2, 2**62, 3])
def test_a_subject_whose_classes_are_not_there_is_damaged(truth: int) -> None:
    data = hl.read("sklearn:iris")
    subject = Subject.of(data, as_frozen(3, data, 0), 0)
    assert Subject.of_bytes(subject.to_bytes()).truth.max() == 2
    forged = replace(subject, truth=np.full(150, truth, np.int64))
    with pytest.raises(ValueError, match="classes that it does not have"):
        Subject.of_bytes(forged.to_bytes())


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
