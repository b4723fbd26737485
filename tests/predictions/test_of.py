"""Arrays to a table: what is inferred is stated, what is wrong is refused in words."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from heliast import Predictions
from heliast._core.errors import InputError


def refusal(*args, **options) -> str:
    with pytest.raises(InputError) as caught:
        Predictions.of(*args, **options)
    return str(caught.value)


def test_worked_by_hand():
    table = Predictions.of(["b", "a", "b"], ["b", "b", "a"])
    assert table.classes == ("a", "b")
    assert table.y_true.tolist() == [1, 0, 1]
    assert table.y_pred.tolist() == [1, 1, 0]
    assert table.positive == "b"
    assert table.models == ("model",)
    assert "positive class: 'b', the last in order (say positive= otherwise)" in table.notes


@pytest.mark.parametrize(
    "convert",
    [list, tuple, np.array, pd.Series, pl.Series, lambda x: pd.Series(x, dtype="category")],
)
def test_any_array_will_do(convert):
    table = Predictions.of(convert(["a", "b", "b"]), convert(["a", "a", "b"]))
    assert table.y_true.tolist() == [0, 1, 1]
    assert table.y_pred.tolist() == [0, 0, 1]


def test_integer_float_and_boolean_labels_are_one():
    for label in ([1.0, 0.0, 0.0], [True, False, False], np.array([1, 0, 0], np.uint8)):
        table = Predictions.of([1, 0, 1], label)
        assert (table.y_true == table.y_pred).tolist() == [True, True, False]


# --- classes or numbers ------------------------------------------------------------------------


def test_few_whole_numbers_are_classes_and_it_is_said():
    table = Predictions.of([3, 1, 2], [3.0, 1.0, 1.0])
    assert table.task == "classification"
    assert any("read as classes" in note for note in table.notes)


def test_fractions_are_numbers_and_it_is_said():
    table = Predictions.of([0.5, 1.5], [1, 2])
    assert table.task == "regression"
    assert table.y_pred.dtype == np.float64
    assert any("a regression task" in note for note in table.notes)


def test_many_whole_numbers_are_numbers():
    assert Predictions.of(np.arange(100), np.arange(100)).task == "regression"
    assert (
        Predictions.of(np.arange(100), np.arange(100), task="classification").task
        == "classification"
    )
    assert Predictions.of([0, 1], [0, 1], task="regression").task == "regression"


# --- missing -----------------------------------------------------------------------------------


def test_missing_is_counted_and_placed():
    message = refusal(["a", None, "b", None], ["a", "b", None, "b"])
    assert "y_true is missing in 2 rows (rows 1 and 3, counting from 0)" in message
    assert "y_pred is missing in 1 row (row 2" in message
    assert "missing='drop'" in message
    assert "missing='drop'" in message


def test_nan_labels_and_scores_are_missing():
    assert "y_true is missing in 1 row (row 1" in refusal([1, np.nan, 0], [1, 0, 0])
    assert "y_score is missing in 1 row (row 2" in refusal([1, 0, 0], y_score=[0.1, 0.2, np.nan])
    matrix = [[0.5, 0.5], [np.nan, 1]]
    assert "y_score is missing in 1 row (row 1" in refusal([1, 0], y_score=matrix)


def test_missing_is_dropped_on_request_and_it_is_said():
    table = Predictions.of(
        ["a", None, "b", "a"],
        ["a", "b", None, "b"],
        row=[1, 2, 3, 4],
        weight=[1, 2, 3, 4],
        group=list("xyzx"),
        model=list("mmkk"),
        in_train=[0, 1, 2, 0],
        split=[1, 1, 2, 2],
        missing="drop",
    )
    assert table.row is not None
    assert table.weight is not None
    assert table.row.tolist() == [1, 4]
    assert table.weight.tolist() == [1, 4]
    assert table.models == ("m", "k")
    assert any(note.startswith("dropped 2 rows of 4 with missing values") for note in table.notes)


def test_after_dropping_places_still_point_into_the_source():
    message = refusal(["a", None, "x"], ["a", "a", "b"], classes=["a", "b"], missing="drop")
    assert "unknown label 'x' in 1 row (row 2" in message


def test_nothing_left_is_refused():
    assert "no complete row is left" in refusal(["a", None], [None, "b"], missing="drop")


# --- refusals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("truth", "options", "words"),
    [
        ([], {"y_pred": []}, "the table is empty"),
        ([0, 1], {}, "give y_pred="),
        ([0, 1, 1], {"y_pred": [0, 1]}, "y_true has 3 rows but y_pred has 2; they must be aligned"),
        ([0, 1, 1], {"y_score": [0.1, 0.2]}, "y_true has 3 rows but y_score has 2"),
        ([0, 1], {"y_pred": [0, 1], "row": [1]}, "y_true has 2 rows but row has 1"),
        (["a", "a"], {"y_pred": ["a", "a"]}, "only one class ('a')"),
        (["1", "0"], {"y_pred": [1, 0]}, "numbers never equal text"),
        ([True, False], {"y_pred": ["True", "False"]}, "numbers never equal text"),
        (["a", "b"], {"y_pred": ["a", "c"], "classes": ["a", "b"]}, "y_pred: unknown label 'c'"),
        ([0, 1], {"y_pred": [0, 1], "classes": [0, 0]}, "names a class twice"),
        ([0, 1], {"y_pred": [0, 1], "classes": [0, False]}, "names a class twice"),
        ([0, 1], {"y_pred": [0, 1], "classes": "01"}, "give a list of classes"),
        ([0, 1], {"y_pred": [0, 1], "classes": [0, "a"]}, "mixes text and numbers"),
        ([0, 1], {"y_pred": [0, 1], "classes": [0, None]}, "None cannot be a class"),
        ([0, 1], {"y_pred": [0, 1], "positive": 2}, "positive=2 is not a class; the classes are"),
        ([0, 1], {"y_pred": [0, 1], "task": "classes"}, "choose one of 'classification'"),
        ([0, 1], {"y_pred": [0, 1], "design": "x"}, "choose one of 'rows'"),
        ([0, 1], {"y_pred": [0, 1], "missing": "x"}, "choose one of 'refuse', 'drop'"),
        ([0, 1], {"y_pred": [0, 1], "weights": "x"}, "choose one of 'frequency'"),
        ([0.5, np.inf], {"y_pred": [0, 1]}, "y_true: inf in 1 row (row 1"),
        (
            ["a", "b"],
            {"y_pred": ["a", "b"], "task": "regression"},
            "y_true holds text (such as 'a')",
        ),
        ([1, 2], {"y_score": [1, 2], "task": "regression"}, "needs y_pred="),
        ([0, 1], {"y_pred": [0, 1], "weight": [1, -1]}, "weight: -1 in 1 row (row 1"),
        ([0, 1], {"y_pred": [0, 1], "weight": [1, np.inf]}, "finite and not negative"),
        ([0, 1], {"y_pred": [0, 1], "weight": ["1", "2"]}, "expected numbers, got text"),
        ([0, 1], {"y_pred": [0, 1], "weight": [0, 0]}, "nothing to count"),
        ([0, 1], {"y_pred": [0, 1], "weight": [1, None]}, "weight is missing in 1 row (row 1"),
        (
            [0, 1],
            {"y_pred": [0, 1], "weight": [1.5, 1], "weights": "frequency"},
            "weight: 1.5 in 1 row (row 0, counting from 0) is no whole number",
        ),
        ([0, 1], {"y_pred": [0, 1], "in_train": [0, -1]}, "in_train: -1 in 1 row (row 1"),
        ([0, 1], {"y_pred": [0, 1], "in_train": [0, 0.5]}, "expected whole numbers >= 0"),
        ([0, 1], {"y_pred": [0, 1], "in_train": ["a", "b"]}, "expected whole numbers >= 0"),
        ([0, 1], {"y_pred": [0, 1], "model": ["a", None]}, "model is missing in 1 row"),
        ([0, 1], {"y_pred": [0, 1], "model": ""}, "give the model a name"),
        ([0, 1], {"y_pred": [0, 1], "model": None}, "give the model a name"),
        ([[0, 1], [1, 1]], {"y_pred": [0, 1]}, "multi-label"),
    ],
)
def test_what_is_wrong_is_said(truth, options, words):
    assert words in refusal(truth, **options)


def test_sentences_are_no_classes():
    texts = [f"answer {at}" for at in range(10_001)]
    assert "10,001 different labels, more than 10,000" in refusal(texts, texts)


def test_a_row_occurs_once_for_each_model_and_split():
    message = refusal([0, 1, 0], [0, 1, 0], row=["x", "y", "x"])
    assert "row 'x' occurs twice for model 'model' in split 0 (row 0 and row 2; 1 such)" in message
    assert "remove the repeats" in message
    Predictions.of([0, 1, 0], [0, 1, 0], row=["x", "y", "x"], split=[0, 0, 1])
    Predictions.of([0, 1, 0], [0, 1, 0], row=["x", "y", "x"], model=["a", "a", "b"])
    far = [2**60, 0, 2**60]
    assert f"row {2**60} occurs twice" in refusal([0, 1, 0], [0, 1, 0], row=far)


def test_a_row_has_one_truth():
    message = refusal([0, 1, 1], [0, 1, 0], row=["x", "y", "x"], model=["a", "a", "b"])
    assert "row 'x' has different y_true (row 0 and row 2; 1 such)" in message


# --- beside truth and label --------------------------------------------------------------------


def test_models_keep_the_order_they_come_in():
    table = Predictions.of([0, 1, 0], [0, 1, 0], model=["z", "a", "z"])
    assert table.models == ("z", "a")
    assert table.model_code is not None
    assert table.model_code.tolist() == [0, 1, 0]


def test_weights_are_counts_if_whole_and_it_is_said():
    counts = Predictions.of([0, 1], [0, 1], weight=[2, 3])
    assert counts.meta.weight_kind == "frequency"
    assert any("frequency weights" in note for note in counts.notes)
    assert Predictions.of([0, 1], [0, 1], weight=[2, 0.5]).meta.weight_kind == "sampling"
    said = Predictions.of([0, 1], [0, 1], weight=[2, 3], weights="sampling")
    assert said.meta.weight_kind == "sampling"


def test_a_design_of_fixed_class_counts_is_kept():
    assert Predictions.of([0, 1], [0, 1], design="classes").rows().design == "classes"


def test_classes_keep_the_declared_order():
    table = Predictions.of(["lo", "hi"], ["hi", "hi"], classes=["lo", "mid", "hi"])
    assert table.classes == ("lo", "mid", "hi")
    assert table.y_true.tolist() == [0, 2]


@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.int64])
def test_a_million_rows_take_no_copies(dtype):
    rng = np.random.default_rng(0)
    truth = (rng.random(1_000_000) < 0.3).astype(dtype)
    score = rng.random(1_000_000)
    table = Predictions.of(truth, y_score=score)
    assert table.scores is score
    if dtype != np.int64:
        assert np.shares_memory(table.y_true, truth)


@pytest.mark.parametrize("weight", [1e-300, 1e200])
def test_weights_whose_squares_are_no_numbers_are_refused(weight: float) -> None:
    with pytest.raises(InputError, match=r"weights up to .* rescale them"):
        Predictions.of(["a", "b"], ["a", "a"], weight=[weight, weight], weights="sampling")
