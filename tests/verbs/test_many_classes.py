"""Thousands of classes: the same numbers as from whole tables, in the room that rows need."""

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heliast as hl
from heliast.measures.summaries import Contingency

MEASURES = ("error", "precision", "recall", "specificity", "f1", "f1.weighted", "kappa", "mcc")
DESIGNS = ("rows", "weights", "groups", "classes")
CHILD = """
import sys
from heliast.cli import main
try:
    main()
finally:
    status = open("/proc/self/status").read()
    print(status.partition("VmHWM:")[2].split()[0], file=sys.stderr)
"""
"""Not `getrusage`, whose most remembers the size of the process that started this one."""


def drawn(k: int, n: int, seed: int = 1) -> tuple[Any, Any]:
    """Every class occurs and is found at least once."""
    rng = np.random.default_rng(seed)
    truth = np.concatenate([np.arange(k), rng.integers(k, size=n - k)])
    label = np.where(rng.random(n) < 0.7, truth, rng.integers(k, size=n))
    label[:k] = truth[:k]
    return truth, label


def table(design: str, k: int = 50, n: int = 1500) -> hl.Predictions:
    truth, label = drawn(k, n)
    rng = np.random.default_rng(2)
    more: dict[str, Any] = {
        "rows": {},
        "weights": {"weight": rng.random(n) + 0.1},
        "groups": {"group": rng.integers(0, 40, n)},
        "classes": {"design": "classes"},
    }[design]
    return hl.Predictions.of(truth, label, task="classification", **more)


def assessed(design: str, interval: str) -> list[tuple[object, ...]]:
    found = hl.assess(table(design), MEASURES, interval=interval).estimates
    return [
        (one.measure, one.class_, *(None if math.isnan(x) else x for x in (one.value, one.low)))
        for one in found
    ]


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("interval", ["auto", "delta"])
def test_cells_that_occur_and_whole_tables_agree_exactly(
    design: str, interval: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if design == "rows" and interval == "auto":
        monkeypatch.setattr("heliast.estimates._bootstrap.MOST_CLASSES", 10)  # 2000 tables of 2500
    whole = assessed(design, interval)
    monkeypatch.setattr("heliast.measures.summaries.contingency.DENSE", 0)
    assert assessed(design, interval) == whole


def test_values_are_those_of_the_definitions() -> None:
    rows = table("rows")
    counts = rows.summary(Contingency).counts
    hits, actual, decided, n = np.diag(counts), counts.sum(1), counts.sum(0), counts.sum()
    chance = (actual * decided).sum()
    spread = (n**2 - (actual**2).sum()) * (n**2 - (decided**2).sum())
    wanted = {
        "error": 1 - hits.sum() / n,
        "precision": (hits / decided).mean(),
        "recall": (hits / actual).mean(),
        "specificity": ((n - actual - decided + hits) / (n - actual)).mean(),
        "f1": (2 * hits / (actual + decided)).mean(),
        "f1.weighted": (2 * hits / (actual + decided) * actual).sum() / n,
        "kappa": (hits.sum() / n - chance / n**2) / (1 - chance / n**2),
        "mcc": (n * hits.sum() - chance) / np.sqrt(spread),
    }
    found = hl.assess(rows, MEASURES, interval="none")
    for name, value in wanted.items():
        assert found["model", name].value == pytest.approx(value, rel=1e-12), name


def run(*words: object) -> tuple[str, float]:
    """What the command line prints in a process of its own, and the megabytes that it took."""
    call = [sys.executable, "-c", CHILD, *map(str, words)]
    said = subprocess.run(call, capture_output=True, text=True, timeout=600, check=False)
    assert said.returncode == 0, said.stderr[-2000:]
    return said.stdout, int(said.stderr.split()[-1]) / 1024


def written(path: Path, k: int, n: int) -> Path:
    truth, label = drawn(k, n)
    lines = [f"c{a},c{b}" for a, b in zip(truth, label, strict=True)]
    path.write_text("\n".join(["y_true,y_pred", *lines]))
    return path


def test_thousands_of_classes_take_the_room_of_their_rows(tmp_path: Path) -> None:
    """One table of 4,000 x 4,000 numbers alone would be 128 MB, and it took a dozen of them."""
    file = written(tmp_path / "many.csv", 4000, 9000)
    said, megabytes = run("assess", file, "--json")
    assert megabytes < 700
    assert '"f"' in said
    assert said.count('"truth"') < 9001  # the cells that occur, not 16 million


@pytest.mark.long
def test_ten_thousand_classes_fit_into_two_gigabytes(tmp_path: Path) -> None:
    file = written(tmp_path / "many.csv", 10_000, 50_000)
    _, megabytes = run("assess", file, "--report", tmp_path / "report.html")
    assert megabytes < 2000
    assert (tmp_path / "report.html").stat().st_size < 5_000_000
