"""What would have been another question: refused with what to do, or read by its names."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import roc_auc_score

import heliast as hl

RNG = np.random.default_rng(5)
P = np.round(RNG.beta(1, 1, 60), 3)
Y = np.where(RNG.random(60) < P, "yes", "no")
LABEL = np.where(P >= 0.5, "yes", "no")
AUC = roc_auc_score(Y == "yes", P)


def auc(**said: object) -> float:
    return float(hl.assess(Y, "auc", **said)["model", "auc"].value)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_columns_of_scores_named_as_classes_are_found_by_name(frame: type) -> None:
    assert auc(y_score=frame({"yes": P, "no": 1 - P})) == pytest.approx(AUC, abs=1e-12)
    assert auc(y_score=frame({"no": 1 - P, "yes": P})) == pytest.approx(AUC, abs=1e-12)
    coded = np.where(Y == "yes", 1, 0)
    found = hl.Predictions.of(coded, y_score=pd.DataFrame({1: P, 0: 1 - P}))
    assert hl.assess(found, "auc")["model", "auc"].value == pytest.approx(AUC, abs=1e-12)


def test_columns_of_other_names_are_taken_in_order_which_is_said() -> None:
    table = hl.Predictions.of(Y, y_score=pd.DataFrame({"a": 1 - P, "b": P}))
    assert "y_score: columns taken in the order of the classes ('no', 'yes')" in table.notes
    assert hl.assess(table, "auc")["model", "auc"].value == pytest.approx(AUC, abs=1e-12)
    with pytest.raises(hl.InputError, match="'yes' is named as a class, 'b' is not"):
        hl.Predictions.of(Y, y_score=pd.DataFrame({"yes": P, "b": 1 - P}))


def test_the_probability_of_what_was_decided_is_no_score() -> None:
    sure = np.where(LABEL == "yes", P, 1 - P)
    with pytest.raises(hl.InputError, match="probability of the predicted class"):
        hl.Predictions.of(Y, LABEL, sure)
    with pytest.raises(hl.InputError, match="score of the other class"):
        hl.Predictions.of(Y, LABEL, 1 - P)
    assert hl.assess(Y, LABEL, "auc", y_score=P)["model", "auc"].value == pytest.approx(AUC)
    high = 0.5 + P / 2  # all above one half, and cut higher up: labels and scores agree
    assert len(hl.Predictions.of(Y, np.where(high >= 0.75, "yes", "no"), high)) == 60


def test_scores_on_one_side_of_0_are_not_cut_there(tmp_path: Path) -> None:
    for scores, hint in ((100 * P, "divide them by 100"), (np.log(P + 1e-3), "below 0")):
        with pytest.raises(hl.InputError, match=hint):
            hl.Predictions.of(Y, y_score=scores)
        assert len(hl.Predictions.of(Y, LABEL, scores)) == 60
        assert len(hl.Predictions.of(Y, y_score=scores, scores="decision")) == 60
    file = tmp_path / "p.csv"
    pd.DataFrame({"y_true": Y, "score": 100 * P}).to_csv(file, index=False)
    for read in (hl.Predictions.read, hl.Predictions.scan):
        with pytest.raises(hl.InputError, match="per cent"):
            read(file)


@pytest.mark.parametrize(
    ("label", "hint"),
    [
        (["Yes", "No"], "recode one of them"),
        (["POSITIVE", "NEGATIVE"], "recode one of them"),
        (["yes ", "no "], "recode one of them"),
    ],
    ids=["case", "other words", "blanks"],
)
def test_labels_of_which_none_is_a_true_class_are_refused(label: list[str], hint: str) -> None:
    said = np.where(LABEL == "yes", *label)
    with pytest.raises(hl.InputError, match=hint):
        hl.Predictions.of(Y, said)
    classes = [*np.unique(Y), *label]
    assert len(hl.Predictions.of(Y, said, classes=classes)) == 60


def test_always_wrong_is_an_answer() -> None:
    wrong = np.where(Y == "yes", "no", "yes")
    assert hl.assess(Y, wrong, "error")["model", "error"].value == 1
    assert hl.assess(["a", "a"], ["b", "b"], "error")["model", "error"].value == 1


def test_the_same_index_in_another_order_is_not_paired_by_position() -> None:
    truth, label = pd.Series(Y), pd.Series(LABEL)
    with pytest.raises(hl.InputError, match=r"y_pred.reindex\(y_true.index\)"):
        hl.Predictions.of(truth, label[::-1])
    assert len(hl.Predictions.of(truth, label[::-1].reindex(truth.index))) == 60
    shuffled = truth.sample(frac=0.5, random_state=1)  # as train_test_split gives them
    assert len(hl.Predictions.of(shuffled, pd.Series(LABEL[:30]))) == 30


def test_what_is_masked_is_missing() -> None:
    label = np.ma.array((LABEL == "yes").astype(int), mask=np.arange(60) < 3)
    with pytest.raises(hl.InputError, match="y_pred is missing in 3 rows"):
        hl.Predictions.of((Y == "yes").astype(int), label)
