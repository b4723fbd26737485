"""Who waits is told what is being done; who does not wait, or wants quiet, is not."""

import os
import subprocess
import sys

import pytest

from heliast._core.waiting import PATIENCE, patience

SLOW = """
import sys, time
sys.argv = ["heliast", "assess", "a.csv", *sys.argv[1:]]
from heliast import predictions
from heliast.cli import main
read = predictions.Predictions.read
def slowly(*given, **more):
    time.sleep(1)
    return read(*given, **more)
predictions.Predictions.read = slowly
main()
"""


@pytest.mark.parametrize(
    ("words", "wait", "said"),
    [([], "0.4", True), ([], "600", False), (["--quiet"], "0.4", False)],
)
def test_who_waits_is_told(tmp_path, words, wait, said):
    (tmp_path / "a.csv").write_text("truth,label\n" + "a,a\nb,b\nb,a\n" * 20)
    done = subprocess.run(
        [sys.executable, "-c", SLOW, *words], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "HELIAST_PATIENCE": wait},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stderr.splitlines()
    assert ("heliast: reading a.csv ..." in lines) is said
    assert any(line.startswith("heliast: done after ") for line in lines) is said


@pytest.mark.parametrize(("text", "seconds"), [("3", 3.0), ("x", PATIENCE), ("-1", 0.01)])
def test_patience(monkeypatch, text, seconds):
    monkeypatch.setenv("HELIAST_PATIENCE", text)
    assert patience() == seconds
