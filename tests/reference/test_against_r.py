"""Stored answers of R (pROC, caret, psych, base) on the files in data/; `make.R` made them."""

import csv
import json
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from tests.reference import make_data

from heliast import Predictions, assess, estimates, measures
from heliast._kernels import ranking

HERE = Path(__file__).parent
ANSWERS = json.loads((HERE / "answers.json").read_text(encoding="utf-8"))
TWO = [name for name, answer in ANSWERS.items() if "auc_variance" in answer]
LIMITS = [
    *ANSWERS["limits"],
    *(found for name in TWO for found in (ANSWERS[name]["error"], ANSWERS[name]["recall"])),
    ANSWERS["several"]["error"],
]
CARET = {
    "Sensitivity": "recall",
    "Specificity": "specificity",
    "Pos Pred Value": "precision",
    "Neg Pred Value": "npv",
    "Precision": "precision",
    "Recall": "recall",
    "F1": "f",
}
TWO_FILES = pytest.mark.parametrize("name", TWO)


def close(value):
    return pytest.approx(value, rel=1e-8, abs=1e-8)


def columns(name):
    with (HERE / "data" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {key: [row[key] for row in rows] for key in rows[0]}


def binary(name):
    found = columns(name)
    truth, label = (np.array(found[key], int) for key in ("truth", "label"))
    return truth, label, *(np.array(found[key], float) for key in ("score", "other"))


def table(name):
    if name == "several":
        found = columns(name)
        scores = {key[5:]: np.array(found[key], float) for key in found if key.startswith("prob_")}
        return Predictions.of(found["truth"], found["label"], scores)
    if name == "numbers":
        found = columns(name)
        truth, label = (np.array(found[key], float) for key in ("truth", "label"))
        return Predictions.of(truth, label, task="regression")
    return Predictions.of(*binary(name)[:3])


@pytest.mark.parametrize("name", sorted(make_data.FILES))
def test_data_files_are_what_their_script_makes(name):
    header, made = make_data.FILES[name]()
    stored = columns(name)
    assert list(stored) == header
    for key, column in zip(header, made, strict=True):
        if np.asarray(column).dtype.kind == "f":
            assert np.array(stored[key], float) == pytest.approx(column, abs=2e-4)
        else:
            assert stored[key] == [str(value) for value in column]


# --- pROC ------------------------------------------------------------------------------------


@TWO_FILES
def test_auc(name):
    truth, _, score, other = binary(name)
    answer = ANSWERS[name]
    assert measures.get("auc").of(table(name)) == close(answer["auc"])
    second = Predictions.of(truth, y_score=other)
    assert measures.get("auc").of(second) == close(answer["other_auc"])
    sums = ranking.merge(*ranking.split_sorted(truth, score))
    area, variance = ranking.delong_variance(sums)
    assert (area, variance) == close((answer["auc"], answer["auc_variance"]))


@TWO_FILES
def test_delong_limits_on_the_plain_scale(name):
    truth, _, score, _ = binary(name)
    found = estimates.delong(truth == 1, score, scale="plain")
    assert found.se**2 == close(ANSWERS[name]["auc_variance"])
    assert [found.low, found.high] == close(ANSWERS[name]["auc_limits"])


@TWO_FILES
def test_partial_auc_to_a_false_positive_rate_of_one_tenth(name):
    found = measures.get("partial_auc", max_fpr=0.1).of(table(name))
    assert found == close(ANSWERS[name]["partial_auc"])


def test_areas_of_several_classes():
    answer = ANSWERS["several"]
    found = {class_: measures.get("auc").of(table("several"), class_) for class_ in answer["auc"]}
    assert found == close(answer["auc"])
    assert measures.get("auc").of(table("several")) == close(np.mean(list(answer["auc"].values())))


def test_hand_till():
    # pROC's matrix form; with a single predictor it computes another measure.
    assert measures.get("hand_till").of(table("several")) == close(ANSWERS["several"]["hand_till"])


# --- caret -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*TWO, "several"])
def test_accuracy_and_kappa(name):
    answer = ANSWERS[name]["overall"]
    assert measures.get("accuracy").of(table(name)) == close(answer["Accuracy"])
    assert measures.get("kappa").of(table(name)) == close(answer["Kappa"])


@TWO_FILES
def test_rates_of_the_positive_class(name):
    answer = ANSWERS[name]["by_class"]
    for theirs, ours in CARET.items():
        assert measures.get(ours).of(table(name)) == close(answer[theirs]), theirs
    found = measures.get("balanced_accuracy").of(table(name))
    assert found == close(answer["Balanced Accuracy"])


@pytest.mark.parametrize("class_", sorted(ANSWERS["several"]["by_class"]))
def test_rates_of_each_of_several_classes(class_):
    answer = ANSWERS["several"]["by_class"][class_]
    for theirs, ours in CARET.items():
        assert measures.get(ours).of(table("several"), class_) == close(answer[theirs]), theirs
    # caret's balanced accuracy is that of one class against the rest, ours is over all classes.
    informedness = measures.get("informedness").of(table("several"), class_)
    assert (informedness + 1) / 2 == close(answer["Balanced Accuracy"])


def test_balanced_accuracy_is_the_mean_of_the_recalls():
    answer = ANSWERS["several"]["by_class"]
    recalls = [found["Recall"] for found in answer.values()]
    assert measures.get("balanced_accuracy").of(table("several")) == close(np.mean(recalls))


@pytest.mark.parametrize("measure", sorted(ANSWERS["numbers"]))
def test_numbers(measure):
    # caret's R2 by its 'traditional' formula; its default is the squared correlation.
    assert measures.get(measure).of(table("numbers")) == close(ANSWERS["numbers"][measure])


# --- psych -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*TWO, "several"])
def test_plain_delta_standard_error_of_kappa(name):
    found = assess(table(name), "kappa", interval="delta")["model", "kappa"]
    answer = ANSWERS[name]["kappa"]
    assert found.value == close(answer["kappa"])
    assert found.se == close(sqrt(answer["variance"]))


# --- base R ----------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", LIMITS, ids=lambda found: f"{found['successes']}of{found['n']}")
def test_limits_of_a_proportion(answer):
    exact = estimates.clopper_pearson(answer["successes"], answer["n"])
    score = estimates.wilson(answer["successes"], answer["n"])
    assert [exact.low, exact.high] == close(answer["exact"])
    assert [score.low, score.high] == close(answer["wilson"])


@TWO_FILES
def test_limits_of_measures(name):
    found = {
        method: assess(table(name), ["error", "recall"], interval=method)
        for method in ("wilson", "clopper_pearson")
    }
    for measure in ("error", "recall"):
        answer = ANSWERS[name][measure]
        for method, theirs in (("wilson", "wilson"), ("clopper_pearson", "exact")):
            ours = found[method]["model", measure]
            assert [ours.low, ours.high] == close(answer[theirs]), (measure, method)
