"""What every verb of the command line shares."""

import subprocess
import sys

import pytest
from tests.cli.conftest import Caller

import heliast as hl


def heliast(*words, folder):
    return subprocess.run(
        [sys.executable, "-m", "heliast.cli", *words], capture_output=True, text=True, cwd=folder
    )


def test_quiet_keeps_remarks_off_stderr(tmp_path):
    truth = ["a"] * 9 + ["b"]
    hl.Predictions.of(truth, ["a"] * 10, positive="a").write(tmp_path / "p.csv")
    loud = heliast("assess", "p.csv", "--report", "r.html", folder=tmp_path)
    assert "report: r.html" in loud.stderr
    words = ("assess", "p.csv", "--report", "r.html")
    for quiet in (("-q", *words), (*words, "--quiet"), ("--no-color", *words, "-q")):
        done = heliast(*quiet, folder=tmp_path)
        assert loud.returncode == done.returncode == 0
        assert done.stderr == ""
        assert done.stdout == loud.stdout


def test_help_shows_every_command_uncut_at_80_columns(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    listed = heliast("--help", folder=tmp_path).stdout
    lines = listed.partition("Commands:\n")[2].splitlines()
    names = "assess compare slices gate export run fit predict combine explain benchmark demo runs"
    shown = {line.split()[0]: line for line in lines}
    for name in names.split():
        assert shown[name].endswith((".", "?")), shown[name]
        assert not shown[name].endswith("...")


def test_a_file_of_data_is_told_from_one_of_predictions(tmp_path):
    rows = [f"{x / 7:.3f},{x % 5},{'ab'[x % 2]}" for x in range(60)]
    (tmp_path / "d.csv").write_text("\n".join(["u,v,class", *rows]))
    done = heliast("assess", "d.csv", "--model", "lda", "--plan", "3", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "lda" in done.stdout
    done = heliast("assess", "d.csv", "--plan", "3", "--measure", "error", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "d.csv holds data, not predictions: 'class' is to be predicted" in done.stderr
    assert "majority" in done.stdout
    (tmp_path / "n.csv").write_text("\n".join(["u,v", *(row.rsplit(",", 1)[0] for row in rows)]))
    done = heliast("assess", "n.csv", folder=tmp_path)
    assert done.returncode == 2
    assert "no column is recognised as y_true" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("gate", "p.csv", "--require", "error.high <= 0.9"),
        ("combine", "d.csv", "--target", "class", "--n-estimators", "3", "--plan", "3"),
        ("explain", "d.csv", "--target", "class", "--model", "tree", "--times", "8"),
    ],
    ids=lambda words: words[0],
)
def test_every_verb_that_has_predictions_writes_their_report(tmp_path, words):
    hl.Predictions.of(["a"] * 9 + ["b"], ["a"] * 10, positive="a").write(tmp_path / "p.csv")
    rows = [f"{x / 7:.3f},{x % 5},{'ab'[x % 2]}" for x in range(60)]
    (tmp_path / "d.csv").write_text("\n".join(["u,v,class", *rows]))
    done = heliast(*words, "--report", "r.html", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "<html" in (tmp_path / "r.html").read_text(encoding="utf-8")[:500]


@pytest.mark.parametrize(
    ("words", "ours"),
    [(("assess", "--metric", "error"), "--measure"), (("run", "--cv", "5"), "--plan"),
     (("compare", "--random-state", "1"), "--seed"), (("assess", "--truth", "y"), "--y-true")],
)  # fmt: skip
def test_options_of_others_show_ours(words: tuple[str, ...], ours: str, heliast: Caller) -> None:
    code, _, err = heliast(words[0], "p.csv", *words[1:])
    assert code == 2
    assert f"No such option: {words[1]} (Possible options: {ours})" in err
