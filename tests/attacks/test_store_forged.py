"""Files that fit their checksums and yet cannot be true."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import heliast as hl
from heliast.cli._request import _mark
from heliast.fitting.run import as_frozen
from heliast.fitting.store import Subject


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
