"""`heliast compare` as a new user meets it: what it says, and with which code it ends."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from tests.cli.conftest import Caller


def write(
    path: Path, rate: float, rows: range = range(120), seed: int = 0, turned: int = -1
) -> Path:
    """Predictions that err at this rate, for the same truth; at `turned` the truth is another."""
    rng = np.random.default_rng(seed)
    path.parent.mkdir(exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["row", "y_true", "y_pred"])
        for at in rows:
            truth = "ab"[(at * 7 % 5 < 2) != (at == turned)]
            out.writerow([at, truth, truth if rng.random() >= rate else "ba"["ab".index(truth)]])
    return path


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return write(tmp_path / "good.csv", 0.1)


def test_an_undecided_pair_says_how_many_more(heliast: Caller, good: Path, tmp_path: Path) -> None:
    code, out, err = heliast("compare", good, write(tmp_path / "near.csv", 0.14, seed=1))
    assert (code, err) == (0, "")
    assert ": inconclusive." in out
    assert "new test rows give 80% power at an equivalence margin of" in " ".join(out.split())


def test_a_clear_pair_says_nothing_of_more(heliast: Caller, good: Path, tmp_path: Path) -> None:
    code, out, _ = heliast("compare", good, write(tmp_path / "bad.csv", 0.5, seed=1))
    assert code == 0
    assert "significantly better" in " ".join(out.split())
    assert "80% power" not in out


def test_only_pairs_with_one_model(heliast: Caller, tmp_path: Path) -> None:
    files = [write(tmp_path / f"{name}.csv", 0.1, seed=seed) for seed, name in enumerate("abc")]
    code, out, _ = heliast("compare", *files, "--against", "b", "--json")
    assert code == 0
    assert [(pair["a"], pair["b"]) for pair in json.loads(out)["pairs"]] == [("a", "b"), ("c", "b")]
    code, brief, _ = heliast("compare", *files)
    code, out, _ = heliast("compare", *files, "--verbose")
    assert code == 0
    assert "--verbose" in brief
    assert "--verbose" not in out


def test_files_of_one_name_are_told_apart_by_their_folder(heliast: Caller, tmp_path: Path) -> None:
    files = [write(tmp_path / name / "preds.csv", 0.2, seed=len(name)) for name in ("old", "newer")]
    code, out, _ = heliast("compare", *files)
    assert code == 0
    assert "old/preds" in out
    assert "newer/preds" in out


def test_what_goes_wrong_with_files(heliast: Caller, good: Path, tmp_path: Path) -> None:
    fewer = write(tmp_path / "fewer.csv", 0.1, range(100))
    other = write(tmp_path / "other.csv", 0.1, turned=3)
    near = write(tmp_path / "near.csv", 0.14, seed=1)
    for words, said in [
        ((good,), "a comparison needs two models, got one (good)"),
        ((good, good), "good.csv is given twice"),
        ((good, fewer), "row 100 of 'good' is not among the rows of 'fewer' (20 such)"),
        ((good, other), "row 3 has a different y_true in the two tables (1 such)"),
        ((good, "gone.csv"), "gone.csv: there is no such file"),
        ((good, near, "--measure", "errr"), "no measure named 'errr'; did you mean 'error'?"),
        ((good, near, "--measure", "auc"), "measure 'auc': needs scores"),
        ((good, near, "--test", "wilcoxon"), "is for several data sets, but here is one test set"),
        ((good, near, "--test", "bayes"), "choose among auto, mcnemar"),
        ((good, near, "--level", 95), "did you mean 0.95?"),
        ((good, near, "--margin", -1), "margin must be >= 0"),
        ((good, near, "--model", "tree", "--model", "lda"), "fitted on one file of data, got 2"),
    ]:
        code, out, err = heliast("compare", *words)
        assert (code, out) == (2, ""), words
        assert said in err, words
        assert "Traceback" not in err


@pytest.fixture
def flowers(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    path = tmp_path / "flowers.csv"
    kinds = ["red", "blue"] * 40
    lines = [f"{rng.normal(k == 'red'):.3f},{rng.normal():.3f},{k}" for k in kinds]
    path.write_text("x,z,class\n" + "\n".join(lines), encoding="utf-8")
    return path


def test_data_and_models_need_no_target_if_its_name_tells(heliast: Caller, flowers: Path) -> None:
    code, out, _ = heliast("compare", flowers, "--model", "lda", "--model", "majority")
    assert code == 0
    assert "lda vs majority: error rate lower by" in out
    assert "more: --verbose" in out


def test_three_probabilities(heliast: Caller, flowers: Path) -> None:
    words = ("--model", "lda", "--model", "bayes", "--test", "bayes", "--plan", "5")
    code, out, _ = heliast("compare", flowers, *words)
    assert code == 0
    assert "P(a better) P(within 0.01) P(b better)" in out


def test_what_goes_wrong_with_data(heliast: Caller, flowers: Path, tmp_path: Path) -> None:
    for words, said in [
        (("--model", "lda"), "data to fit models on: --target"),
        (("--target", "kind", "--model", "lda"), "target='kind': there is no such column"),
        (("--target", "class", "--model", "lda"), "got one (lda)"),
        (("--target", "class", "--model", "lda", "--model", "ldb"), "--model ldb: no such model"),
    ]:
        code, out, err = heliast("compare", flowers, *words)
        assert (code, out) == (2, ""), words
        assert said in err, words


def test_plans_that_differ(heliast: Caller, flowers: Path) -> None:
    run = ("run", flowers, "--plan")
    assert heliast(*run, 5, "--model", "lda", "-o", "a.parquet")[0] == 0
    assert heliast(*run, 4, "--model", "bayes", "-o", "b.parquet")[0] == 0
    assert heliast(*run, 5, "--seed", 1, "--model", "bayes", "-o", "c.parquet")[0] == 0
    loo = ("--model", "lda", "--model", "bayes", "-o", "d.parquet")
    assert heliast(*run, "leave_one_out", *loo)[0] == 0
    for files, said in [
        (("a.parquet", "b.parquet"), "different splits (5 and 4)"),
        (("a.parquet", "c.parquet"), "run all models with one plan and seed"),
    ]:
        code, _, err = heliast("compare", *files)
        assert code == 2
        assert said in err
    assert heliast("compare", "d.parquet")[0] == 0
