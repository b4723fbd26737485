"""Scores: their kind is inferred and stated, declared kinds are checked, labels follow."""

import numpy as np
import pytest

from heliast import Predictions
from heliast._core.errors import InputError


def refusal(*args, **options) -> str:
    with pytest.raises(InputError) as caught:
        Predictions.of(*args, **options)
    return str(caught.value)


@pytest.mark.parametrize(
    ("score", "kind", "label"),
    [
        ([0.2, 0.9, 0.5], "probability", [0, 1, 1]),
        ([-2.0, 3.0, 0.0], "decision", [0, 1, 1]),
        ([0, 1, 1], "probability", [0, 1, 1]),
        ([[0.8, 0.2], [0.1, 0.9], [0.5, 0.5]], "probability", [0, 1, 1]),
        ([[0.8, 0.1], [0.1, 0.9], [0.5, 0.2]], "decision", [0, 1, 0]),
    ],
)
def test_kind_and_label_follow_from_scores(score, kind, label):
    table = Predictions.of([0, 1, 0], y_score=score)
    assert table.meta.score_kind == kind
    assert table.y_pred.tolist() == label
    assert any(f"scores read as {kind}" in note for note in table.notes)
    assert any(note.startswith("y_pred: ") for note in table.notes)


def test_the_positive_class_owns_the_score():
    table = Predictions.of(["a", "b"], y_score=[0.9, 0.1], positive="a")
    assert table.y_pred.tolist() == [0, 1]
    rows = table.rows()
    assert rows.score_of(0).tolist() == [0.9, 0.1]
    assert rows.score_of(1) == pytest.approx([0.1, 0.9])


def test_a_mapping_names_the_classes():
    table = Predictions.of(
        ["a", "b"], y_score={"b": [0.2, 0.7], "a": [0.8, 0.3]}, classes=["a", "b"]
    )
    assert table.positive == "b"
    assert table.scores is not None
    assert table.scores.tolist() == [0.2, 0.7]
    single = Predictions.of(["a", "b"], y_score={"a": [0.8, 0.3]})
    assert single.positive == "a"
    assert single.y_pred.tolist() == [0, 1]


def test_three_classes_take_three_columns():
    table = Predictions.of(["a", "b", "c"], y_score=np.eye(3))
    assert table.scores is not None
    assert table.scores.shape == (3, 3)
    assert table.y_pred.tolist() == [0, 1, 2]


def test_ties_go_to_the_first_class_and_are_counted():
    table = Predictions.of(
        ["a", "b", "c"], y_score=[[1, 1, 0], [0, 2, 1], [3, 3, 3]], scores="votes"
    )
    assert table.y_pred.tolist() == [0, 1, 0]
    assert "y_pred: the class with the largest score; 2 ties went to the first class in order" in (
        table.notes
    )


@pytest.mark.parametrize(
    ("score", "options", "words"),
    [
        (
            [0.1, 1.2],
            {"scores": "probability"},
            "1.2 is not a probability, outside [0, 1] in 1 row",
        ),
        ([-0.1, 0.2], {"scores": "probability"}, "(row 0"),
        ([[0.5, 0.6], [0.5, 0.5]], {"scores": "probability"}, "sum to 1.1, not 1, in 1 row (row 0"),
        ([0.1, np.inf], {}, "y_score: infinite in 1 row (row 1"),
        ([0.1, -np.inf], {"scores": "decision"}, "y_score: infinite in 1 row (row 1"),
        ([np.inf, -np.inf], {}, "y_score: infinite in 2 rows (rows 0 and 1"),
        ([0.1, 0.2], {"scores": "margin"}, "choose one of 'probability', 'decision', 'votes'"),
        ([-1, 2], {"scores": "votes"}, "votes below 0"),
        ([3, 4], {"scores": "votes"}, "does not say how many votes"),
        (np.zeros((2, 3)), {}, "y_score has 3 columns but there are 2 classes"),
        (np.zeros((2, 0)), {}, "got shape (2, 0)"),
        (np.zeros((2, 2, 2)), {}, "got shape (2, 2, 2)"),
        (["a", "b"], {}, "y_score: expected numbers, got text (such as 'a')"),
        ([1j, 2], {}, "1j cannot be a label"),
        ([[1, 2], [3]], {}, "y_score: expected numbers"),
        (np.array([["a", "b"], ["c", "d"]]), {}, "y_score: expected numbers"),
        ({}, {}, "an empty mapping"),
        ({"0": [1, 2], "1": [1]}, {}, "y_true has 2 rows but y_score of '1' has 1"),
        ({0: [0.1, 0.2]}, {"positive": 1}, "positive=1 but the only score column is for 0"),
        ({0: [0.1, 0.2], 2: [0.9, 0.8]}, {"classes": [0, 1]}, "no column for class 1"),
        (5, {}, "expected one value a row, got 5"),
    ],
)
def test_what_is_wrong_is_said(score, options, words):
    assert words in refusal([0, 1], y_score=score, **options)


def test_one_column_is_for_two_classes():
    message = refusal([0, 1, 2], y_score=[0.1, 0.2, 0.3])
    assert (
        "y_score has 1 column but there are 3 classes (0, 1, 2): give one column per class"
        in message
    )


def test_what_to_do_is_said():
    assert "say scores='decision'" in refusal([0, 1], y_score=[1, 2], scores="probability")


def test_rounded_probabilities_pass():
    table = Predictions.of([0, 1, 2], y_score=[[0.333, 0.333, 0.333]] * 3, scores="probability")
    assert table.meta.score_kind == "probability"


def test_arithmetic_may_overshoot_by_a_hair():
    table = Predictions.of([0, 1], y_score=[-1e-17, 1 + 1e-12])
    assert table.meta.score_kind == "probability"
    assert table.scores is not None
    assert table.scores.tolist() == [0, 1]


def test_float32_and_integers_become_float64():
    for dtype in (np.float32, np.float16, np.int64, np.bool_):
        table = Predictions.of([0, 1], y_score=np.array([0, 1], dtype))
        assert table.scores is not None
        assert table.scores.dtype == np.float64


def test_huge_scores_give_no_warning():
    table = Predictions.of([0, 1, 1], y_score=np.array([1e308, 1.7e308, -1.7e308]))
    assert table.meta.score_kind == "decision"
    Predictions.of([0, 1], y_score=np.array([3e38, -3e38], np.float32))


def test_a_model_may_have_no_scores():
    table = Predictions.of(
        [0, 1, 0, 1], [0, 1, 1, 1], [0.1, 0.9, np.nan, np.nan], model=["m", "m", "k", "k"]
    )
    assert "no scores for 'k'" in table.notes
    assert table.rows("m").scores.tolist() == [0.1, 0.9]
    assert table.rows("k").scores is None
    assert table.score_kind_of("k") is None
    # Without a label those rows say nothing, and part of a model's scores is not none.
    model = ["m", "m", "k", "k"]
    assert "y_score is missing in 2 rows (rows 2 and 3" in refusal(
        [0, 1, 0, 1], y_score=[0.1, 0.9, np.nan, np.nan], model=model
    )
    assert "y_score is missing in 1 row (row 2" in refusal(
        [0, 1, 0, 1], [0, 1, 1, 1], [0.1, 0.9, np.nan, 0.2], model=model
    )


def test_messages_point_past_models_without_scores():
    message = refusal(
        [0, 1, 0, 1], [0, 1, 1, 1], [np.nan, np.nan, 0.1, np.inf], model=["k", "k", "m", "m"]
    )
    assert "y_score: infinite in 1 row (row 3" in message
