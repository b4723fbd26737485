"""`--by`, `--keep` and `heliast slices` on the command line."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import heliast as hl
from heliast.cli import app


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    rng = np.random.default_rng(1)
    region, truth = np.repeat(["east", "north"], 300), rng.integers(0, 2, 600)
    wrong = rng.random(600) < np.where(region == "north", 0.4, 0.1)
    label = np.where(wrong, 1 - truth, truth)
    columns = {"region": region, "age": rng.normal(size=600)}
    table = hl.Predictions.of(truth, label, row=np.arange(600), columns=columns)
    return str(table.write(tmp_path_factory.mktemp("by") / "preds.csv"))


def run(*words: str, code: int = 0) -> str:
    answer = CliRunner().invoke(app, list(words))
    assert answer.exit_code == code, answer.output
    return answer.stdout


def test_assess_by_a_column(file) -> None:
    found = json.loads(run("assess", file, "--by", "region", "--by", "age:2", "--json"))
    told = [(one["column"], one["name"]) for one in found["slices"]["slices"]]
    assert told[:2] == [("region", "east"), ("region", "north")]
    assert len(told) == 4
    text = run("assess", file, "--by", "region")
    assert "Error rate of model by region: the 2 slices differ" in text


def test_data_are_sliced_by_their_inputs(tmp_path) -> None:
    rng = np.random.default_rng(2)
    lines = [f"{x:.3f},{kind},{x + rng.normal() > 0}" for x, kind in
             zip(rng.normal(size=120), rng.choice(["p", "q"], 120), strict=True)]  # fmt: skip
    path = tmp_path / "data.csv"
    path.write_text("x,kind,class\n" + "\n".join(lines) + "\n")
    words = ("--target", "class", "--model", "tree", "--plan", "4", "--by", "kind", "--json")
    found = json.loads(run("assess", str(path), *words))
    assert [one["name"] for one in found["slices"]["slices"]] == ["p", "q"]


def test_slices_are_found(file) -> None:
    found = json.loads(run("slices", file, "--columns", "region,age", "--json"))
    assert found["slices"][0]["name"] == "region = north"
    refused = CliRunner().invoke(app, ["slices", file]).exception
    assert "--columns: name the columns to search" in str(refused)


def test_the_gate_keeps_what_it_slices_by(file) -> None:
    said = run("gate", file, "--require", "accuracy.low >= 0.7 by region", code=1)
    assert "region = north" in said
    run("gate", file, "--require", "worst(accuracy by region).low >= 0.5")


def test_settings_may_name_columns(file, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "heliast.toml").write_text('[assess]\nby = ["region"]\n')
    assert "slices" in json.loads(run("assess", file, "--json"))
