"""Names, not values; options, not cleverness."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import heliast as hl
from heliast import Predictions
from heliast._core.errors import InputError
from heliast.cli import app
from heliast.predictions import as_predictions, as_tables

RNG = np.random.default_rng(3)
N = 60
Y = RNG.integers(0, 2, N)
A = np.where(RNG.random(N) < 0.1, 1 - Y, Y)
B = np.where(RNG.random(N) < 0.3, 1 - Y, Y)


def write(path: Path, columns: dict[str, Any]) -> Path:
    pd.DataFrame(columns).to_csv(path, index=False)
    return path


def command(*words: object) -> str:
    done = CliRunner().invoke(app, [str(word) for word in words])
    return str(done.exception) if done.exception else done.output


# --- files and folders ---------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, label in (("a", A), ("b", B)):
        write(tmp_path / f"{name}.csv", {"id": range(N), "y_true": Y, "y_pred": label})
    return tmp_path


def test_each_file_of_a_folder_is_a_model(folder: Path) -> None:
    for source in (folder, folder / "*.csv", [folder / "a.csv", folder / "b.csv"]):
        assessment = hl.assess(source, "error")
        assert assessment.models == ("a", "b")
        assert assessment["a", "error"].value == np.mean(A != Y)
        assert assessment["b", "error"].value == np.mean(B != Y)
    assert hl.compare(folder)["a", "b"].p == hl.compare(Y, {"a": A, "b": B})["a", "b"].p
    assert "b" in command("assess", folder, "--measure", "error")


def test_files_with_a_model_column_are_parts(tmp_path: Path) -> None:
    half = np.arange(N) < N // 2
    for name, rows in (("part-0", half), ("part-1", ~half)):
        models = {"model": "m", "row": np.flatnonzero(rows), "y_true": Y[rows], "y_pred": A[rows]}
        write(tmp_path / f"{name}.csv", models)
    table = Predictions.read(tmp_path)
    assert (table.models, len(table)) == (("m",), N)


@pytest.mark.parametrize(
    "name",
    ["fold", "split", "iteration", "iter", "resample", "fold_id", "cv_fold", "kfold",
     "fold_number", "Fold ID", "cv.fold"],
)  # fmt: skip
def test_splits_are_known_by_name(tmp_path: Path, name: str) -> None:
    table = Predictions.read(write(tmp_path / "p.csv", {name: np.arange(N) % 5, "y_true": Y,
                                                         "y_pred": A}))  # fmt: skip
    assert len(table.splits) == 5


def test_id_and_id2_are_repeats_and_folds(tmp_path: Path) -> None:
    columns = {"id": np.arange(N) % 2, "id2": np.arange(N) // 20, "y_true": Y, "y_pred": A}
    table = Predictions.read(write(tmp_path / "p.csv", columns))
    assert {(split.repeat, split.fold) for split in table.splits} == {
        (repeat, fold) for repeat in range(2) for fold in range(3)
    }


def test_classes_that_differ_in_case_are_classes() -> None:
    vowels = np.array(["hAd", "had", "hId", "hid"])
    y_true = vowels[RNG.integers(0, 4, N)]
    assert Predictions.of(y_true, np.roll(y_true, 1)).classes == ("hAd", "hId", "had", "hid")


def test_a_reserved_name_that_is_not_used_is_a_warning(tmp_path: Path) -> None:
    path = write(tmp_path / "p.csv", {"user_id": np.arange(N) // 3, "y_true": Y, "y_pred": A})
    (warning,) = (note for note in Predictions.read(path).notes if "reserved" in note)
    assert "group='user_id'" in warning
    assert getattr(warning, "key", "") == "warning"


def test_splits_travel_in_csv(tmp_path: Path) -> None:
    table = hl.run(hl.Majority(), hl.read("sklearn:iris"), "learningcurve(3)", progress=False)
    again = Predictions.read(table.write(tmp_path / "lc.csv"))
    assert again.splits == table.splits
    done = CliRunner().invoke(
        app, ["plot", "learning", str(tmp_path / "lc.csv"), "-o", str(tmp_path / "lc.svg")]
    )
    assert done.exit_code == 0, done.exception


@pytest.mark.parametrize("names", [("truth", "label", "seen"), ("y_true", "y_pred", "in_train")])
def test_old_names_are_read(tmp_path: Path, names: tuple[str, ...]) -> None:
    columns = dict(zip(names, (Y, A, np.arange(N) % 2), strict=True))
    table = Predictions.read(write(tmp_path / "p.csv", columns))
    assert table.in_train is not None
    assert table.y_true.tolist() == Y.tolist()


# --- calls ---------------------------------------------------------------------------------------


def test_foreign_keywords_that_mean_the_same() -> None:
    weight = np.arange(N) + 1.0
    ours = hl.assess(Y, A, weight=weight)["model", "error"]
    assert hl.assess(Y, A, sample_weight=weight)["model", "error"].value == ours.value
    assert as_predictions(Y, A, groups=np.arange(N) // 2).group is not None
    assert as_predictions(truth=Y, label=A).y_pred.tolist() == A.tolist()
    with pytest.raises(TypeError, match="colour"):
        hl.assess(Y, A, colour="red")
    with pytest.raises(TypeError, match="mean the same"):
        as_predictions(Y, A, weight=weight, sample_weight=weight)


def test_a_dict_of_models_holds_labels_or_scores_by_rule() -> None:
    names = np.array(["no", "yes"])
    assert as_predictions(Y, {"knn": A}).meta.score_kind is None
    scored = as_predictions(Y, y_score={"knn": A, "tree": B})
    assert (scored.models, scored.meta.score_kind) == (("knn", "tree"), "probability")
    assert as_predictions(names[Y], {"knn": A}).meta.score_kind == "probability"
    assert as_predictions(Y, {"knn": np.column_stack([1 - A, A])}).meta.score_kind == "probability"
    by_class = as_predictions(names[Y], y_score={"no": 1 - A, "yes": A})
    assert (by_class.models, by_class.positive) == (("model",), "yes")


def test_data_sets_by_name_are_several_tables() -> None:
    two = as_predictions(Y, {"a": A, "b": B})
    assert list(as_tables({"x": two, "y": two})) == ["x", "y"]
    with pytest.raises(InputError, match="2 tables of several models"):
        as_predictions({"x": two, "y": two})


def test_errors_are_in_the_syntax_of_the_caller(tmp_path: Path) -> None:
    path = write(tmp_path / "p.csv", {"y_true": [0, 1, None] * 9, "y_pred": [0, 1, 0] * 9})
    with pytest.raises(InputError, match="with missing='drop'"):
        Predictions.read(path)
    assert "with --drop-missing" in command("assess", path)
    path = write(tmp_path / "q.csv", {"actually": Y, "y_pred": A})
    assert "--y-true actually" in command("assess", path)
    assert "error" in command("assess", path, "--y-true", "actually")


# --- graded responses ----------------------------------------------------------------------------


def test_model_and_prompt_make_one_name(tmp_path: Path) -> None:
    rows = [(model, prompt, item, attempt) for model in "ab" for prompt in "xy"
            for item in range(10) for attempt in (1, 2)]  # fmt: skip
    columns = dict(
        zip(("model", "prompt", "item", "attempt"), zip(*rows, strict=True), strict=True)
    )
    grades = RNG.integers(0, 2, len(rows))
    path = write(tmp_path / "g.csv", {**columns, "correct": grades})
    with pytest.raises(InputError, match="model_column="):
        Predictions.read(path)
    table = Predictions.read(path, model_column=["model", "prompt"])
    assert table.models == ("a / x", "a / y", "b / x", "b / y")
    accuracy = hl.assess(table, "accuracy")["a / x", "accuracy"]
    assert accuracy.value == hl.assess(table, "grade")["a / x", "grade"].value == grades[:20].mean()
    words = ["--model-column", "model", "--model-column", "prompt", "--measure", "accuracy"]
    assert "b / y" in command("assess", path, *words)
    with pytest.raises(InputError, match="only"):
        hl.assess(Predictions.graded([0.5, 1.0]), "accuracy")


PROMPTFOO = {
    "evalId": "eval-x",
    "results": {
        "version": 3,
        "results": [
            {"promptIdx": at, "testIdx": item, "provider": {"id": provider}, "success": item > at,
             "prompt": {"label": "p"}, "score": 1.0 if item > at else 0.0, "vars": {"topic": "t"},
             "latencyMs": 500, "cost": 0.1}
            for at, provider in enumerate(("openai:x", "openai:y")) for item in range(4)
        ],
    },
}  # fmt: skip
HELM = [
    {"instance_id": f"id{item}", "train_trial_index": 0,
     "stats": [{"name": {"name": "exact_match", "split": "test"}, "mean": item % 2},
               {"name": {"name": "logprob", "split": "test"}, "mean": -1.5}]}
    for item in range(4)
]  # fmt: skip
OPENAI = [
    {"spec": {"completion_fns": ["gpt-x"], "eval_name": "match.s1", "run_id": "r"}},
    *({"run_id": "r", "event_id": item, "sample_id": f"match.s1.{item}", "type": "match",
       "data": {"correct": item < 3, "expected": "a", "picked": "b"}} for item in range(4)),
    {"final_report": {"accuracy": 0.75}},
]  # fmt: skip


def test_promptfoo_helm_and_openai_evals(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_text(json.dumps(PROMPTFOO))
    table = Predictions.read(path)
    assert table.models == ("openai:x", "openai:y")
    assert table.only("openai:y").y_pred.tolist() == [0, 0, 1, 1]
    assert table.columns["seconds"].values[0] == 0.5
    run = tmp_path / "run"
    run.mkdir()
    (run / "per_instance_stats.json").write_text(json.dumps(HELM))
    spec = {"name": "mmlu:subject=a,model=org_m", "adapter_spec": {"model": "org/m"}}
    (run / "run_spec.json").write_text(json.dumps(spec))
    table = Predictions.read(run)
    assert (table.models, table.y_pred.tolist()) == (("org/m",), [0, 1, 0, 1])
    log = tmp_path / "evals.jsonl"
    log.write_text("\n".join(map(json.dumps, OPENAI)))
    table = Predictions.read(log)
    assert (table.models, table.y_pred.tolist()) == (("gpt-x",), [1, 1, 1, 0])
