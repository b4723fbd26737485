"""Three sets on the command line: `--plan three-way`."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Caller

import heliast as hl


@pytest.mark.parametrize("words", ["three-way", "three-way(train=0.6, validation=0.2)"])
def test_the_command_line_knows_three_sets(heliast: Caller, tmp_path: Path, words: str) -> None:
    import pyarrow.csv as pc

    data = hl.read("sklearn:iris")
    pc.write_csv(data.to_frame(), tmp_path / "d.csv")
    models = ("--model", "knn(n_neighbors=1)", "--model", "majority", "--model", "tree")
    words = ("--target", data.target, *models, "--plan", words, "--seed", "3", "--json")
    code, out, err = heliast("assess", tmp_path / "d.csv", *words)
    assert code == 0, err
    found = json.loads(out)
    assert "chosen among 3 on 30 validation rows" in found["selected"]["notes"][0]
    assert found["selected"]["n"] == 30
    assert "selected among 3 models on validation rows" in found["summary"]
