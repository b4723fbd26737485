"""The command line, run as users run it: as a process, on files."""

import json
import subprocess
import sys
from pathlib import Path

import pytest


def test_the_package_is_the_command_as_well() -> None:
    said = [
        subprocess.check_output([sys.executable, "-m", name, "--version"], text=True)
        for name in ("heliast", "heliast.cli")
    ]
    assert said[0] == said[1] != ""


def heliast(*words: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "heliast.cli", *map(str, words)],
        capture_output=True,
        text=True,
        cwd=cwd,
        timeout=120,
        check=False,
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "spam.csv"
    path.write_text("y_true,y_pred\n" + "spam,spam\nham,ham\nham,spam\nspam,spam\n" * 10)
    return path


def test_demo_prints_a_verdict_and_writes_a_report(tmp_path: Path) -> None:
    done = heliast("demo", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    command, _, answer = done.stdout.partition("\n\n")
    assert command.startswith("$ heliast assess ")
    assert answer.startswith("Best: logistic, error rate 6.7% (95% CI 3.6% to 11.1%, n = 190)")
    assert "ROC AUC" in done.stdout
    assert "Best: logistic, error rate 6.7%" in (tmp_path / "report.html").read_text(
        encoding="utf-8"
    )
    assert "report: report.html" in done.stderr


def test_demo_of_graded_answers(tmp_path: Path) -> None:
    done = heliast("demo", "--graded", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Best: tuned, mean grade 0.742. Significantly better than" in done.stdout
    assert "ranks" in done.stdout
    assert (tmp_path / "report.html").stat().st_size > 10_000


def test_assess_and_compare_write_reports(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.html"
    done = heliast("assess", file, "--report", out, "--cost", "0,1;5,0", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["models"] == ["spam"]
    page = out.read_text(encoding="utf-8")
    assert "heliast assess" in page
    assert "--cost" in page
    done = heliast("assess", file, "--report", tmp_path / "nowhere" / "out.html")
    assert done.returncode == 2
    assert "there is no folder" in done.stderr


def test_assess_a_file(file: Path) -> None:
    done = heliast("assess", file)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("spam: error rate 25.0% (95% CI ")
    assert done.stderr == ""


def test_json_holds_the_same_numbers(file: Path) -> None:
    done = heliast("assess", file, "--json", "--level", 0.9, "--positive", "ham")
    answer = json.loads(done.stdout)
    recall = next(e for e in answer["estimates"] if e["measure"] == "recall" and not e["class_"])
    assert recall["value"] == 0.5
    assert recall["level"] == 0.9
    assert answer["positive"] == "ham"


def test_options_map_any_columns_and_costs(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("wahr,gesagt,p\n" + "1,1,0.9\n0,0,0.2\n0,1,0.7\n1,0,0.4\n" * 5)
    done = heliast(
        *("assess", path, "--y-true", "wahr", "--y-pred", "gesagt", "--y-score", "p"),
        *("--positive", 1, "--cost", "0,1;5,0", "--measure", "expected_cost", "--json"),
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["estimates"][0]["value"] == 1.5


def test_two_files_are_joined_on_their_rows(tmp_path: Path) -> None:
    for name, labels in (("old", "aabb"), ("new", "abab")):
        rows = [f"{i},{t},{c}" for i, (t, c) in enumerate(zip("abab", labels, strict=True))]
        (tmp_path / f"{name}.csv").write_text("row,y_true,y_pred\n" + "\n".join(rows))
    done = heliast("assess", tmp_path / "old.csv", tmp_path / "new.csv", "--json")
    assert json.loads(done.stdout)["models"] == ["old", "new"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "no such file"),
        ("", "empty"),
        ("y_true,y_pred\na,a\na,a\n", "only one class"),
        ("y_true,y_pred\na,a\n,b\n", "missing"),
        ("y_true,y_pred\n1,a\n0,b\n", "no predicted label is a true class"),
        ("label,x\na,1\nb,2\n", "--y-true"),
        ("y_true,prob_a,prob_b\na,0.7,0.7\nb,0.1,0.9\n", "sum to"),
    ],
)
def test_bad_input_ends_with_a_message_and_code_2(
    tmp_path: Path, content: str | None, words: str
) -> None:
    path = tmp_path / "bad.csv"
    if content is not None:
        path.write_text(content)
    done = heliast("assess", path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert words in done.stderr.lower() or words in done.stderr
    assert "bad.csv" in done.stderr
    assert done.stdout == ""


def test_wrong_usage_is_code_2(file: Path) -> None:
    assert heliast("assess").returncode == 2
    assert heliast("assess", file, "--level", "95").returncode == 2
    assert heliast("assess", file, "--positive", "eggs").returncode == 2
    assert heliast("assess", file, "--measure", "eror").returncode == 2


def test_help_and_version() -> None:
    assert "assess" in heliast("--help").stdout
    assert heliast("--version").stdout.startswith("heliast ")


@pytest.fixture
def flowers(tmp_path: Path) -> Path:
    from sklearn.datasets import load_iris

    found = load_iris()
    lines = [
        ",".join(map(str, [*row, found.target_names[code]]))
        for row, code in zip(found.data, found.target, strict=True)
    ]
    path = tmp_path / "flowers.csv"
    path.write_text("a,b,c,d,kind\n" + "\n".join(lines))
    return path


def test_run_writes_predictions_that_assess_reads(flowers: Path) -> None:
    out = flowers.with_name("preds.parquet")
    done = heliast(
        *("run", flowers, "--target", "kind", "--model", "bayes", "--model", "t=tree"),
        *("--plan", "holdout", "-o", out),
    )
    assert done.returncode == 0, done.stderr
    assert "2 models (bayes, t)" in done.stdout
    answer = json.loads(heliast("assess", out, "--json").stdout)
    assert answer["models"] == ["bayes", "t"]
    assert all(e["low"] is not None for e in answer["estimates"] if e["measure"] == "error")


def test_assess_with_a_target_fits_the_panel(flowers: Path) -> None:
    done = heliast("assess", flowers, "--target", "kind", "--plan", "3")
    assert done.returncode == 0, done.stderr
    for model in ("majority", "bayes", "lda", "knn", "logistic", "tree"):
        assert model in done.stdout


def test_a_wrong_target_names_the_columns(flowers: Path) -> None:
    done = heliast("assess", flowers, "--target", "knd")
    assert done.returncode == 2
    assert "kind" in done.stderr
    assert "Traceback" not in done.stderr


def test_failures_of_a_model_are_told_and_the_rest_is_written(flowers: Path) -> None:
    out = flowers.with_name("preds.csv")
    done = heliast(
        *("run", flowers, "--target", "kind", "--model", "bayes", "--plan", "3", "-o", out),
        *("--model", "bad=sklearn.neighbors.KNeighborsClassifier(n_neighbors=120)"),
    )
    assert done.returncode == 0, done.stderr
    assert "model 'bad' failed in 3 of 3 splits, first in split 0: ValueError" in done.stderr
    assert out.exists()


def test_compare_two_files_and_data(tmp_path: Path, flowers: Path) -> None:
    for name, labels in (("old", "ababab" * 10), ("new", "aabbab" * 10)):
        rows = [f"{i},{t},{c}" for i, (t, c) in enumerate(zip("ababab" * 10, labels, strict=True))]
        (tmp_path / f"{name}.csv").write_text("row,y_true,y_pred\n" + "\n".join(rows))
    done = heliast("compare", tmp_path / "old.csv", tmp_path / "new.csv")
    assert done.returncode == 0, done.stderr
    assert "old vs new: error rate lower by" in done.stdout
    assert "McNemar" in done.stdout
    done = heliast(
        *("compare", flowers, "--target", "kind", "--model", "bayes", "--model", "majority"),
        *("--plan", "5", "--json"),
    )
    (pair,) = json.loads(done.stdout)["pairs"]
    assert pair["value"] < -0.5
    assert pair["high"] < 0
