"""`heliast assess` scans what is large, in parts or in a database, and says so."""

import json
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from typer.testing import CliRunner

import heliast as hl
from heliast.cli import _tables, app


@pytest.fixture
def path(tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 300)
    score = np.clip(truth * 0.3 + rng.uniform(0, 0.7, 300), 0, 1)
    return hl.Predictions.of(truth, y_score=score).write(tmp_path / "p.parquet")


def heliast(*words: str) -> dict[str, Any]:
    done = CliRunner().invoke(app, ["assess", *words, "--json", "--interval", "auto"])
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def scanned(found: dict[str, Any]) -> bool:
    return any("scanned where it lies" in note for note in found["notes"])


def refused(*words: str) -> str:
    done = CliRunner().invoke(app, ["assess", *words])
    assert done.exit_code != 0
    return str(done.exception) + done.output


def auc(found: dict[str, Any]) -> tuple[float, ...]:
    one = next(one for one in found["estimates"] if one["measure"] == "auc")
    return tuple(round(one[name], 9) for name in ("value", "low", "high"))


def test_asked_for_or_not(path: Path) -> None:
    small, asked = heliast(str(path)), heliast(str(path), "--scan")
    assert not scanned(small)
    assert scanned(asked)
    assert auc(small) == auc(asked)


def test_large_files_are_scanned(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_tables, "LARGE", path.stat().st_size)
    assert scanned(heliast(str(path)))
    assert not scanned(heliast(str(path), "--no-scan"))


def test_folders_patterns_and_databases(path: Path, tmp_path: Path) -> None:
    base = tmp_path / "all.duckdb"
    with duckdb.connect(str(base)) as writing:
        writing.read_parquet(str(path)).create("t")
        writing.execute("CREATE TABLE other AS SELECT 1 AS a")
    folder = tmp_path / "parts"
    folder.mkdir()
    path.rename(folder / "p.parquet")
    expected = auc(heliast(str(folder / "p.parquet")))
    for words in (
        (str(folder), "--scan"),
        (str(folder / "*.parquet"), "--scan"),
        (f"{base}::t",),
        (str(base), "--table", "t", "--memory", "100MB"),
    ):
        found = heliast(*words, "--positive", "1")
        assert scanned(found)
        assert auc(found) == expected


def test_a_report(path: Path, tmp_path: Path) -> None:
    page = tmp_path / "r.html"
    heliast(str(path), "--scan", "--report", str(page))
    text = page.read_text(encoding="utf-8")
    assert "scanned where it lies" in text
    assert 'class="failed"' not in text


def test_refused(path: Path) -> None:
    assert "one table, got 2" in refused(str(path), str(path), "--scan")
    assert "memory='lots'" in refused(str(path), "--scan", "--memory", "lots")
