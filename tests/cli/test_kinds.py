"""Options of the one kind of file on the other: honoured or refused by name, never dropped."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cli.conftest import Caller

import heliast as hl
from heliast.cli._tables import OF_DATA, OF_PREDICTIONS
from heliast.fitting import panel

WORDS: dict[str, tuple[str, ...]] = {
    "scan": (), "fixed_classes": (), "common_rows": (), "classes": ("a,b",),
    "scores": ("probability",),
    "weights": ("frequency",), "memory": ("1GB",), "jobs": ("1",), "plan": ("3",),
    "engine": ("local",),
}  # fmt: skip
"""What an option of each name is given; the others take the name of a column, file or type."""
MODEL = ("--target", "class", "--model", "lda", "--plan", "3")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Path:
    """`d.csv`, data of two classes and a column `w`; `p.csv`, predictions of one model."""
    rng = np.random.default_rng(2)
    truth = np.where(rng.random(90) < 0.4, "b", "a")
    x = rng.normal(0, 1, 90) + (truth == "b")
    rows = [f"{u:.3f},{k % 3},{t}" for k, (u, t) in enumerate(zip(x, truth, strict=True))]
    (tmp_path / "d.csv").write_text("\n".join(["u,w,class", *rows]))
    score = 1 / (1 + np.exp(-x))
    hl.Predictions.of(truth, y_score=score, positive="b", scores="probability").write(
        tmp_path / "p.csv"
    )
    return tmp_path


def line(option: str) -> list[str]:
    return [f"--{option.replace('_', '-')}", *WORDS.get(option, ("w",))]


def recall_of(heliast: Caller, *words: object) -> Any:
    code, out, err = heliast("assess", *words, "--measure", "recall", "--json")
    assert code == 0, err
    return json.loads(out)["estimates"][0]["value"]


# --- on data -------------------------------------------------------------------------------------


def test_the_positive_class_of_data_is_the_one_that_is_named(heliast: Caller, folder: Path) -> None:
    table = hl.run({"lda": panel.CLASSES["lda"]()}, "d.csv", 3, progress=False)
    truth, label = np.array(table.classes)[table.y_true], np.array(table.classes)[table.y_pred]
    for name in ("a", "b"):
        recall = (label[truth == name] == name).mean()
        assert recall_of(heliast, "d.csv", *MODEL, "--positive", name) == pytest.approx(recall)
    (folder / "heliast.toml").write_text("positive = 'a'")
    assert recall_of(heliast, "d.csv", *MODEL) == pytest.approx((label[truth == "a"] == "a").mean())
    assert "last in order" not in heliast("assess", "d.csv", *MODEL)[1]
    code, out, err = heliast("assess", "d.csv", *MODEL, "--positive", "c")
    assert (code, out) == (2, "")
    assert "--positive 'c' is not a class; the classes are: a, b" in err
    number = ("--target", "u", "--model", "linear", "--positive", "a")
    code, _, err = heliast("assess", "d.csv", *number)
    assert (code, "--positive names a class; 'u' holds numbers" in err) == (2, True)


def test_scores_are_those_of_the_positive_class(heliast: Caller) -> None:
    """From either side the order is the same, so the AUC; a threshold decides for that class."""
    ask = ("assess", "d.csv", *MODEL, "--json", "--measure")
    values = {
        name: json.loads(heliast(*ask, "auc", "--positive", name)[1])["estimates"][0]["value"]
        for name in ("a", "b")
    }
    assert values["a"] == pytest.approx(values["b"])
    for name in ("a", "b"):
        words = (*ask, "recall", "--positive", name, "--threshold")
        low, high = (
            json.loads(heliast(*words, at)[1])["estimates"][0]["value"] for at in ("0", "1.1")
        )
        assert (low, high) == (1.0, 0.0)


def test_scores_of_fitted_models_are_turned_too() -> None:
    """`predict` keeps one column of probabilities, that of the class that was positive."""
    truth, score = ["a", "b", "b", "a"], [0.2, 0.9, 0.4, 0.3]
    table = hl.Predictions.of(truth, y_score=score, scores="probability")
    turned = table.seen_from("a")
    assert turned.positive == "a"
    assert turned.scores == pytest.approx(1 - np.array(score))
    assert turned.y_pred.tolist() == table.y_pred.tolist()
    assert table.seen_from("b").scores is table.scores


@pytest.mark.parametrize("option", sorted(OF_PREDICTIONS))
def test_an_option_of_predictions_is_refused_on_data(
    option: str, heliast: Caller, folder: Path
) -> None:
    verbs = ("assess",) if option in ("scan", "table", "memory") else ("assess", "compare")
    for verb in verbs:
        code, out, err = heliast(verb, "d.csv", *MODEL, *line(option))
        assert (code, out) == (2, "")
        said = f"--{option.replace('_', '-')} is for a file of predictions; d.csv holds data"
        assert said in err
    if option in ("scan", "table", "memory"):
        return  # for the command line alone
    word = "true" if option in ("fixed_classes", "common_rows") else f'"{line(option)[1]}"'
    (folder / "heliast.toml").write_text(f"{option} = {word}")
    assert heliast("assess", "d.csv", *MODEL, "--measure", "error")[0] == 0


def test_also_where_the_file_itself_tells_that_it_holds_data(heliast: Caller) -> None:
    words = ("assess", "d.csv", "--model", "lda", "--plan", "3", "--measure", "recall")
    code, _, err = heliast(*words, "--classes", "a,b")
    assert (code, "--classes is for a file of predictions" in err) == (2, True)
    assert heliast(*words, "--positive", "a")[1] != heliast(*words, "--positive", "b")[1]


# --- on predictions ------------------------------------------------------------------------------


@pytest.mark.parametrize("option", sorted(OF_DATA - {"fitted"}))
def test_an_option_of_fitting_is_refused_on_predictions(
    option: str, heliast: Caller, folder: Path
) -> None:
    for words in (("assess", "p.csv"), ("compare", "p.csv"), ("assess", "p.csv", "--scan")):
        code, out, err = heliast(*words, *line(option))
        assert (code, out) == (2, "")
        name = f"--{option.replace('_', '-')}"
        assert f"{name} is for models that are fitted on data; p.csv holds predictions" in err
    if option in ("engine", "store", "trust", "jobs"):
        return  # for the command line alone
    (folder / "heliast.toml").write_text(f'{option} = "{line(option)[1]}"')
    assert heliast("assess", "p.csv")[0] == 0


def test_fitted_means_data(heliast: Caller) -> None:
    code, out, err = heliast("assess", "p.csv", "--fitted")
    assert (code, out) == (2, "")
    assert "--fitted: name the file of a fitted model" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--weights", "sampling"), "--weights says what weights are; here are none"),
        (("--scan", "--weights", "sampling"), "--weights says what weights are; here are none"),
        (("--table", "t"), "--table names a table of a database, and p.csv is none"),
        (("--scan", "--table", "t"), "--table names a table of a database, and p.csv is none"),
        (("--memory", "1GB"), "--memory is for a scan: say --scan as well"),
        (("--no-scan", "--memory", "1GB"), "--memory is for a scan: say --scan as well"),
    ],
)
def test_what_this_file_has_no_use_for(
    words: tuple[str, ...], said: str, heliast: Caller, folder: Path
) -> None:
    code, out, err = heliast("assess", "p.csv", *words)
    assert (code, out) == (2, "")
    assert said in err


def test_weights_are_of_use_where_there_are_some(heliast: Caller, folder: Path) -> None:
    truth = ["a", "b"] * 20
    hl.Predictions.of(truth, ["a"] * 40, weight=[1.0, 2.0] * 20).write(folder / "w.csv")
    for verb in (
        ("assess",),
        ("gate", "--require", "error.high <= 0.99"),
        ("export", "--to", "md"),
    ):
        assert heliast(*verb, "w.csv", "--weights", "sampling")[0] == 0
        code, out, err = heliast(*verb, "p.csv", "--weights", "sampling")
        assert (code, out, "--weights says what weights are" in err) == (2, "", True)
