"""What every verb of the command line shares."""

import subprocess
import sys

import pytest

import heliast as hl
from heliast.cli._app import in_front


def heliast(*words, folder):
    return subprocess.run(
        [sys.executable, "-m", "heliast.cli", *words], capture_output=True, text=True, cwd=folder
    )


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (["assess", "a", "-q"], ["-q", "assess", "a"]),
        (["--no-color", "gate", "--quiet"], ["--no-color", "--quiet", "gate"]),
        (["run", "--", "--quiet"], ["run", "--", "--quiet"]),
        ([], []),
    ],
)
def test_common_options_may_stand_anywhere(given, found):
    assert in_front(given) == found


def test_quiet_keeps_remarks_off_stderr(tmp_path):
    truth = ["a"] * 9 + ["b"]
    hl.Predictions.of(truth, ["a"] * 10, positive="a").write(tmp_path / "p.csv")
    loud = heliast("assess", "p.csv", "--report", "r.html", folder=tmp_path)
    quiet = heliast("assess", "p.csv", "--report", "r.html", "--quiet", folder=tmp_path)
    assert loud.returncode == quiet.returncode == 0
    assert "report: r.html" in loud.stderr
    assert quiet.stderr == ""
    assert quiet.stdout == loud.stdout


def test_every_verb_has_help(tmp_path):
    listed = heliast("--help", folder=tmp_path).stdout
    verbs = "assess combine compare demo doctor explain export gate reproduce run"
    assert all(verb in listed for verb in verbs.split())
