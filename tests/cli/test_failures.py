"""A model that fails in every split is reported once, with its reason, and has no value."""

import subprocess
import sys
from pathlib import Path

BAD = "bad=sklearn.neighbors.KNeighborsClassifier(n_neighbors=500)"
WHY = "failed in 3 of 3 splits, first in split 0: ValueError: Expected n_neighbors"


def heliast(*words: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "heliast.cli", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def test_assess_says_once_what_failed(tmp_path: Path) -> None:
    rows = [f"{at % 7},{at % 5},{'no' if at % 7 < 3 else 'yes'}" for at in range(60)]
    (tmp_path / "d.csv").write_text("\n".join(["a,b,class", *rows]))
    done = heliast(
        *("assess", tmp_path / "d.csv", "--model", "bayes", "--model", BAD, "--plan", 3),
    )
    assert done.returncode == 0, done.stderr
    printed = " ".join(done.stdout.split())
    assert printed.count(WHY) == 1
    assert "needs scores" not in printed
    lines = done.stdout.splitlines()
    rows = [line.split() for line in lines if line.startswith(("Error rate", "ROC AUC"))]
    assert [row[-2:] for row in rows] == [["-", "¹"], ["-", "¹"]]  # the mark of one reason
    assert f"¹ {WHY}" in printed
    assert " ".join(done.stderr.split()).count(WHY) == 1
