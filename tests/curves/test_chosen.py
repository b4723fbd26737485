import numpy as np
import pytest

from heliast import InputError, Predictions
from heliast.curves import calibration, cost, gain, lift, precision_recall, roc
from heliast.predictions import Rows

CURVES = [roc, precision_recall, lift, gain, cost]
TRUTH, SCORE = [1, 0, 1, 0], [0.9, 0.8, 0.4, 0.1]


@pytest.mark.parametrize("curve", CURVES)
def test_refusals_say_what_to_do(curve):
    with pytest.raises(InputError, match=r"no scores.*give y_score="):
        curve(Predictions.of(["a", "b"], ["a", "b"]))
    with pytest.raises(InputError, match="no row of class"):
        curve(Predictions.of([0, 0], y_score=[0.1, 0.2], classes=[0, 1]))
    with pytest.raises(InputError, match="no row outside class"):
        curve(Predictions.of([1, 1], y_score=[0.1, 0.2], classes=[0, 1]))
    with pytest.raises(InputError, match="no class 'x'; the classes are 0, 1"):
        curve(Predictions.of(TRUTH, y_score=SCORE), "x")
    with pytest.raises(InputError, match="predictions of numbers"):
        curve(Predictions.of([1.5, 2.5], [1.0, 2.0], task="regression"))
    with pytest.raises(InputError, match="expected Predictions or Rows, got list"):
        curve([1, 2])
    three = Predictions.of(["a", "b", "c"], y_score=np.eye(3) * 0.4 + 0.2, classes=["a", "b", "c"])
    with pytest.raises(InputError, match=r"3 classes and none is positive.*class_="):
        curve(three)


@pytest.mark.parametrize("curve", [*CURVES, calibration])
def test_several_models(curve):
    one = Predictions.of(TRUTH, y_score=SCORE, model="one")
    both = one.join(Predictions.of(TRUTH, y_score=SCORE[::-1], model="two"))
    with pytest.raises(InputError, match="name one with model="):
        curve(both)
    assert curve(both, model="two").model == "two"


@pytest.mark.parametrize("curve", [*CURVES, calibration])
def test_several_splits(curve):
    table = Predictions.of(
        TRUTH * 2, y_score=SCORE * 2, split=[0] * 4 + [1] * 4, row=[0, 1, 2, 3] * 2
    )
    with pytest.raises(InputError, match=r"2 splits.*split=.*pool=True"):
        curve(table)
    assert not curve(table, split=1).notes
    assert "2 splits pooled" in curve(table, pool=True).notes[0]


def test_pooled_repeats_are_worth_their_distinct_rows():
    table = Predictions.of(
        TRUTH * 2, y_score=SCORE * 2, split=[0] * 4 + [1] * 4, row=[0, 1, 2, 3] * 2
    )
    assert roc(table, pool=True).effective == roc(table, split=0).effective == (2, 2)


def test_only_rows_that_training_left_out():
    table = Predictions.of(TRUTH + TRUTH, y_score=SCORE + SCORE[::-1], in_train=[0] * 4 + [1] * 4)
    assert roc(table).auc == 0.75
    seen = Predictions.of(TRUTH, y_score=SCORE, in_train=[1, 2, 1, 1])
    with pytest.raises(InputError, match="no test row that its training left out"):
        roc(seen)
    assert roc(seen.rows()).auc == 0.75


def test_rows_and_the_name_of_their_model():
    rows = Rows("classification", np.array([1, 0]), np.array([1, 0]), np.array([0.9, 0.2]),
                classes=("a", "b"), positive=1)  # fmt: skip
    assert roc(rows, model="mine").model == "mine"
    assert roc(rows, "a").auc == 1.0


@pytest.mark.parametrize("curve", [precision_recall, lift, gain])
def test_designed_class_counts(curve):
    table = Predictions.of(TRUTH, y_score=SCORE, design="classes")
    with pytest.raises(InputError, match="give prevalence="):
        curve(table)
    half = curve(table, prevalence=0.5)
    plain = curve(Predictions.of(TRUTH, y_score=SCORE))
    assert half.tp == pytest.approx(plain.tp)
    with pytest.raises(InputError, match=r"did you mean 0\.02"):
        curve(table, prevalence=2)


@pytest.mark.parametrize("curve", [precision_recall, lift, gain])
def test_prevalence_equals_weights(curve, ties):
    truth, score, _ = ties
    weight = np.where(truth == 1, 1.0, 9.0)
    share = truth.sum() / weight.sum()
    given = curve(Predictions.of(truth, y_score=score), prevalence=share)
    weighted = curve(Predictions.of(truth, y_score=score, weight=weight, weights="frequency"))
    field = {"precision_recall": "precision", "lift": "tpr", "gain": "depth"}[curve.__name__]
    assert getattr(given, field) == pytest.approx(getattr(weighted, field))
