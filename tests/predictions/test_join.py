"""Two tables side by side: paired by row, or by position where the truth agrees."""

from dataclasses import replace

import numpy as np
import pytest

from heliast import Predictions
from heliast._core.errors import InputError


def table(model, truth=("a", "b", "a"), label=("a", "b", "b"), **options):
    return Predictions.of(list(truth), list(label), model=model, **options)


def refusal(one, other) -> str:
    with pytest.raises(InputError) as caught:
        one.join(other)
    return str(caught.value)


def test_by_row_in_any_order():
    one = table("m", row=[1, 2, 3])
    other = table("k", "aba", "bba", row=[3, 2, 1])
    both = one.join(other)
    assert both.models == ("m", "k")
    assert both.only("k").y_pred.tolist() == [1, 1, 0]
    assert both.rows("m").y_true.tolist() == [0, 1, 0]
    assert both.complete


def test_by_position_if_the_truth_agrees_and_it_is_said():
    both = table("m").join(table("k"))
    assert "rows of the tables paired by position (equal truth)" in both.notes
    message = refusal(table("m"), table("k", "bba"))
    assert "'k' is paired with 'm' by position, but y_true differs: add a row" in message
    assert "y_true differs" in refusal(table("m"), table("k", "ab", "ab"))


def test_text_rows_and_splits():
    one = table("m", row=["x", "y", "x"], split=[0, 0, 1])
    other = table("k", "aab", "aab", row=["x", "x", "y"], split=[1, 0, 0])
    assert len(one.join(other)) == 6


def test_several_models_each():
    one = table(["m", "m", "m2"], row=[1, 2, 1])
    other = table(["k", "k", "k2"], row=[1, 2, 1])
    both = one.join(other)
    assert both.models == ("m", "m2", "k", "k2")
    assert both.incomplete() == {"m2": 1, "k2": 1}


def test_classes_are_united():
    both = table("m").join(table("k", "aba", "acb"))
    assert both.classes == ("a", "b", "c")
    assert both.positive is None
    assert both.only("k").y_pred.tolist() == [0, 2, 1]


def test_seen_is_nought_where_nothing_is_said():
    both = table("m").join(table("k", in_train=[0, 1, 2]))
    assert both.in_train is not None
    assert both.in_train.tolist() == [0, 0, 0, 0, 1, 2]


def test_each_model_keeps_its_kind_of_scores():
    one = table("m", y_score=[0, 1, 1])
    for other, kind in ((table("k"), None), (table("k", y_score=[0, 5, 5]), "decision")):
        both = one.join(other)
        assert both.rows("m").score_kind == "probability"
        assert both.rows("m").scores.tolist() == [0, 1, 1]
        assert both.rows("k").score_kind == kind
        assert (both.rows("k").scores is None) == (kind is None)
    same = one.join(table("k", y_score=[1, 1, 1]))
    assert same.meta.score_kind == "probability"
    assert same.meta.score_kinds == {}


def test_one_score_column_meets_one_a_class():
    both = table("m", y_score=[0.25, 1, 1]).join(table("k", y_score=np.full((3, 2), 3)))
    assert both.rows("m").scores.tolist() == [[0.75, 0.25], [0, 1], [0, 1]]
    assert both.rows("k").scores.tolist() == [[3, 3]] * 3
    both = table("k", y_score=np.full((3, 2), 3)).join(table("m", y_score=[-2, 5, 5]))
    assert both.rows("m").scores.tolist() == [[2, -2], [-5, 5], [-5, 5]]


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        (table("m"), table("m"), "both tables have a model named 'm': name them apart"),
        (table("m"), table("k", row=[7, 2, 3]), "one table has a row column, the other not"),
        (table("m", row=[1, 2, 3]), table("k", row=[1, 2, 4]), "row 4 of 'k' is not among"),
        (table("m", row=[1, 2, 3]), table("k", "ab", "ab", row=[1, 2]), "row 3 of 'm' is not"),
        (
            table("m", row=[1, 2, 3]),
            table("k", "bba", row=[1, 2, 3]),
            "row 1 has a different y_true",
        ),
        (table("m", row=[1, 2, 3]), table("k", row=list("123")), "numbers never equal text"),
        (table("m", split=[0, 0, 1]), table("k"), "the tables have different splits (2 and 1)"),
        (table("m"), Predictions.of([0.5], [1], model="k"), "one table is for classification"),
        (table("m"), table("k", [0, 1, 0], [0, 1, 1]), "numbers never equal text"),
        (table("m"), table("k", positive="a"), "positive is 'b' in one table and 'a'"),
        (
            table("m", weight=[1, 2, 3]),
            table("k", weight=[1, 2, 0.5]),
            "weights is 'frequency' in one table and 'sampling' in the other",
        ),
        (
            table("m", weight=[1, 2, 3]),
            table("k", weight=[1, 2, 4]),
            "row 2 has a different weight",
        ),
        (table("m", design="classes"), table("k"), "design is 'classes' in one table"),
        (
            table("m", row=[1, 2, 3], weight=[1, 2, 3]),
            table("k", row=[1, 2, 3], weight=[1, 2, 4]),
            "row 3 has a different weight",
        ),
        (
            table("m", row=[1, 2, 3], group=[1, 2, 3]),
            table("k", row=[1, 2, 3], group=[1, 1, 3]),
            "a different group",
        ),
        (
            table("m", y_score=[0, 1, 1]),
            table("k", "aba", "acb"),
            "declare all classes with classes= when reading both",
        ),
    ],
)
def test_what_cannot_be_paired_is_refused(one, other, words):
    assert words in refusal(one, other)


def test_fingerprints_must_agree():
    one, other = table("m"), table("k")
    planned = replace(one, meta=replace(one.meta, plan_fingerprint="p"))
    assert "different plans" in refusal(planned, other)
    here = replace(one, meta=replace(one.meta, data_fingerprint="d"))
    there = replace(other, meta=replace(other.meta, data_fingerprint="e"))
    assert "different data" in refusal(here, there)


def test_half_a_million_rows_find_each_other():
    n = 500_000
    truth = np.arange(n) % 2
    one = Predictions.of(truth, truth, model="m", row=np.arange(n) * 1000)
    order = np.random.default_rng(0).permutation(n)
    other = Predictions.of(truth[order], truth[order], model="k", row=order * 1000)
    both = one.join(other)
    assert len(both) == 2 * n
    for model in ("m", "k"):
        mine = both.only(model=model)
        assert np.array_equal(mine.y_true, np.asarray(mine.row) // 1000 % 2)
