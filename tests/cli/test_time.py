"""Rows in order of time on the command line: `--time`, `--plan 'rolling(...)'`."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.cli.conftest import Caller

import heliast as hl


def sales(path: Path) -> Path:
    rng = np.random.default_rng(1)
    days = rng.permutation(np.datetime64("2024-01-01") + np.arange(120))
    x = rng.normal(size=120)
    sold = np.where(x + rng.normal(size=120) > 0, "yes", "no")
    lines = [f"{a},{b:.3f},{c}" for a, b, c in zip(days, x, sold, strict=True)]
    path.write_text("\n".join(["day,x,sold", *lines]) + "\n")
    return path


@pytest.mark.parametrize(
    ("words", "splits"), [(("--plan", "rolling(60, 20)"), 3), (("--plan", "4"), 4), ((), 10)]
)
def test_models_are_fitted_on_the_past(heliast: Caller, tmp_path: Path, words, splits) -> None:
    file = sales(tmp_path / "s.csv")
    models = ("--model", "bayes", "--model", "majority")
    options = ("--target", "sold", "--time", "day", *models, *words, "-o", "p.parquet")
    code, _, err = heliast("run", file, *options)
    assert code == 0, err
    code, out, err = heliast("assess", "p.parquet", "--json")
    assert code == 0, err
    found = json.loads(out)
    error = next(one for one in found["estimates"] if one["measure"] == "error")
    assert "long-run variance" in error["method"]
    assert hl.Predictions.read("p.parquet").splits.names == tuple(range(splits))
    assert error["low"] < error["value"] < error["high"]
    code, out, err = heliast("compare", "p.parquet", "--json")
    assert code == 0, err
    assert json.loads(out)["pairs"][0]["test"] == "diebold_mariano"


def test_a_file_of_predictions_is_put_in_order(heliast: Caller, tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    lines = [f"{t},{y},{y if rng.random() < 0.8 else 1 - y}" for t, y in enumerate([0, 1] * 40)]
    (tmp_path / "p.csv").write_text("\n".join(["when,y_true,y_pred", *lines]) + "\n")
    code, out, _ = heliast("assess", "p.csv", "--time", "when", "--json")
    assert code == 0
    assert "long-run variance" in json.loads(out)["estimates"][0]["method"]
    (tmp_path / "q.csv").write_text("when,y_true,y_pred\n3.4.24,1,1\n2.5.24,0,0\n")
    code, _, err = heliast("assess", "q.csv", "--time", "when")
    assert code == 2
    assert "no time whose order is known" in err
    assert "2024-01-31" in err
