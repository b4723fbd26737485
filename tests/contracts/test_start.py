"""What a small job imports: nothing heavy but DuckDB, which reads files."""

import subprocess
import sys

import numpy as np
import pytest

RUN = """
import sys
sys.argv = ["heliast", *sys.argv[1:]]
from heliast.cli import main
try:
    main()
except SystemExit as end:
    assert end.code in (0, None, 1, 3), end.code
print(*sys.modules, file=sys.stderr)
"""
HEAVY = {
    "numba", "llvmlite", "scipy.linalg", "scipy.stats", "scipy.optimize", "sklearn", "pandas",
    "duckdb", "rich", "matplotlib", "joblib", "narwhals", "polars",
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Small files: labels alone, and labels with probabilities."""
    place, rng = tmp_path_factory.mktemp("small"), np.random.default_rng(1)
    truth = rng.integers(0, 2, 300)
    for name in "ab":
        p = np.clip(rng.normal(0.3 + 0.4 * truth, 0.2), 0.01, 0.99)
        rows = [f"{i},{t},{int(q > 0.5)}" for i, (t, q) in enumerate(zip(truth, p, strict=True))]
        (place / f"{name}.csv").write_text("\n".join(["row,y_true,y_pred", *rows]))
        rows = [f"{row},{1 - q:.6f},{q:.6f}" for row, q in zip(rows, p, strict=True)]
        (place / f"{name}p.csv").write_text("\n".join(["row,y_true,y_pred,prob_0,prob_1", *rows]))
    return place


@pytest.mark.parametrize(
    ("words", "uses"),
    [
        ("--help", set()),
        ("assess --help", set()),
        ("gate ap.csv --require error.high<=0.5", {"duckdb"}),
        ("gate ap.csv --require auc.low>=0.5", {"duckdb"}),
        ("assess a.csv", {"duckdb"}),
        ("compare a.csv b.csv", {"duckdb"}),
        ("compare ap.csv bp.csv", {"duckdb"}),
        ("assess ap.csv", {"duckdb"}),
        ("assess ap.csv --report report.html", {"duckdb"}),
    ],
)
def test_a_small_job_imports_nothing_heavy(folder, words, uses):
    done = subprocess.run(
        [sys.executable, "-c", RUN, *words.split()], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert HEAVY & set(done.stderr.splitlines()[-1].split()) == uses


def test_what_duckdb_leaves_is_collected_and_not_called_leaked(tmp_path):
    """Its types report on stderr that they were not freed, and would bury the message."""
    (tmp_path / "resolved.json").write_text('{"resolved_ids": ["a", "b"], "total": 3}')
    done = subprocess.run(
        [sys.executable, "-m", "heliast", "assess", "resolved.json"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 2
    assert "no column is recognised" in done.stderr
    assert "leaked" not in done.stderr
