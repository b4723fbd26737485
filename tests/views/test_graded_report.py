"""The report of graded answers: counts that were worked out by hand, and what is left out."""

import numpy as np
import pytest
from tests.views.test_report import part, summary_of

import heliast as hl
from heliast.views.report import page

GRADES = {
    "a": [1, 1, 1, 1, 0, 0] * 10,
    "b": [1, 1, 0, 0, 1, 0] * 10,
    "c": [1, 0, 0, 1, 0, 0] * 10,
}
"""Of each six items: all solve the first, two the second and the fourth, one the third and the
fifth, none the last."""


def graded(grades=None, **columns) -> hl.Predictions:
    grades = grades or GRADES
    n = len(next(iter(grades.values())))
    return hl.Predictions.graded(
        np.concatenate(list(grades.values())), model=np.repeat(list(grades), n),
        item=[f"item {at:03d}" for at in range(n)] * len(grades), **columns,
    )  # fmt: skip


def table_of(summary, section, name):
    return next(one for one in part(summary, section)["tables"] if one["name"] == name)


def cells(found):
    return [[cell["text"] for cell in row] for row in found["rows"]]


# --- the sections --------------------------------------------------------------------------------


def test_sections_of_classes_are_left_out_and_those_of_grades_there():
    summary = summary_of(graded(columns={"cost": np.repeat([3.0, 2.0, 1.0], 60)}))
    keys = [one["key"] for one in summary["sections"]]
    assert keys == ["models", "items", "spending", "warnings", "methods", "stamp"]
    assert summary["absent"] == []
    assert {"name": "items", "value": "60"} in summary["facts"]


def test_other_tasks_have_none_of_them():
    summary = summary_of(hl.Predictions.of(["x", "y"] * 30, ["x", "x"] * 30))
    keys = {one["key"] for one in summary["sections"]}
    assert keys.isdisjoint({"items", "spending"})


def test_the_leaderboard():
    found = table_of(summary_of(graded()), "models", "ranks")
    assert [one["title"] for one in found["columns"]] == [
        *("model", "mean grade", "rank (95% CI)", "win-tie-loss")
    ]
    # b is right where a is wrong on the fifth of each six, wrong where a is right on two.
    assert [(row[0], row[1], row[3]) for row in cells(found)] == [
        *(("a", "0.667", "–"), ("b", "0.500", "10-30-20"), ("c", "0.333", "0-40-20"))
    ]
    ranks = hl.compare(graded()).ranks
    assert [row[2] for row in cells(found)] == [one.words for one in ranks]
    one = hl.assess(graded())["a", "grade"]
    assert found["rows"][0][1]["sub"] == f"{one.low:.3f} to {one.high:.3f}"


def test_items_that_none_one_some_and_all_solve():
    summary = summary_of(graded())
    assert cells(table_of(summary, "items", "solved")) == [
        ["no model", "10", "16.7%"],
        ["only one model", "20", "33.3%"],
        ["2 models", "20", "33.3%"],
        ["all models", "10", "16.7%"],
    ]
    named = cells(table_of(summary, "items", "items"))
    assert len(named) == 40
    assert named[:2] == [["item 005", "no model"], ["item 011", "no model"]]
    assert named[10:12] == [["item 002", "a alone"], ["item 004", "b alone"]]
    assert named[30] == ["item 000", "all models"]


def test_items_in_orders_of_their_own():
    turned = hl.Predictions.graded(
        [1, 0, 0, 0, 1, 1], model=["a"] * 3 + ["b"] * 3, item=["x", "y", "z", "z", "x", "y"]
    )
    assert cells(table_of(summary_of(turned), "items", "items")) == [
        *(["z", "no model"], ["y", "b alone"], ["x", "all models"])
    ]


def test_one_right_attempt_solves_an_item():
    attempts = hl.Predictions.graded(
        [0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1], model=["a"] * 6 + ["b"] * 6,
        item=["x", "x", "y", "y", "z", "z"] * 2, attempt=[1, 2] * 6,
    )  # fmt: skip
    summary = summary_of(attempts)
    assert "in one attempt at least" in part(summary, "items")["lead"]
    assert [row[:2] for row in cells(table_of(summary, "items", "solved"))] == [
        *(["no model", "1"], ["only one model", "1"], ["all models", "1"])
    ]
    assert "by chance" in part(summary, "items")["lead"]


def test_one_model_and_items_without_names():
    summary = summary_of(hl.Predictions.graded([1, 0, 1, 1] * 10))
    assert [one["name"] for one in part(summary, "items")["tables"]] == ["solved"]
    assert cells(table_of(summary, "items", "solved")) == [
        *(["no model", "10", "25.0%"], ["all models", "30", "75.0%"])
    ]
    keys = {one["key"] for one in summary["sections"]}
    assert keys.isdisjoint({"spending"})


def test_scores_that_never_reach_the_best_solve_nothing():
    scores = {"a": [0.5, 0.6] * 20, "b": [0.4, 0.7] * 20}
    keys = [one["key"] for one in summary_of(graded(scores))["sections"]]
    assert "items" not in keys


def test_spending_marks_the_front():
    cost = np.concatenate([np.full(60, 2.0), np.full(60, 3.0), np.full(60, 1.0)])
    (figure,) = part(summary_of(graded(columns={"cost": cost})), "spending")["figures"]
    assert "Pareto front" in figure["svg"]
    assert "a: 0.667" in figure["svg"]


def test_several_tasks_are_shown():
    task = ["sums", "words"] * 30
    few = summary_of(graded(columns={"task": task * 3}))
    assert any("by task" in one["caption"] for one in part(few, "slices")["tables"])
    alone = summary_of(graded(columns={"task": ["sums"] * 180}))
    assert "slices" not in [one["key"] for one in alone["sections"]]


# --- the page ------------------------------------------------------------------------------------


def crowd(models: int = 50, items: int = 500) -> hl.Predictions:
    """Many models with long names, on items with long names, with everything that is kept."""
    rng = np.random.default_rng(7)
    skill, hard = rng.normal(0, 0.8, (models, 1)), rng.normal(0, 1.5, items)
    right = rng.random((models, items)) < 1 / (1 + np.exp(hard - skill))
    taken = np.exp(rng.normal(5 + 0.3 * skill, 0.3, (models, items))).ravel()
    names = [f"some laboratory/a model with a long name {at:02d}" for at in range(models)]
    questions = [f"{at:03d}: " + "what is the answer to this long question? " * 10
                 for at in range(items)]  # fmt: skip
    return hl.Predictions.graded(
        right.ravel(), model=np.repeat(names, items), item=questions * models,
        columns={"tokens": taken, "cost": taken / 1e3, "seconds": taken / 50,
                 "task": ["sums", "words"] * (models * items // 2)},
    )  # fmt: skip


def test_fifty_models_stay_small():
    summary = summary_of(crowd())
    html = page(summary)
    assert len(html.encode()) < 1_000_000
    assert len(table_of(summary, "models", "ranks")["rows"]) == 50
    assert len(part(summary, "spending")["figures"]) == 3


def test_names_of_items_are_escaped():
    nasty = "<script>alert(1)</script>"
    found = hl.Predictions.graded([1, 0] * 2, model=list("aabb"), item=[nasty, "y"] * 2)
    assert nasty not in page(summary_of(found))


@pytest.mark.parametrize("measure", ["pass@1", "above(bar=0.5)"])
def test_by_another_measure(measure):
    summary = summary_of(graded(), measures=measure)
    assert not [one for one in summary["sections"] if "failed" in one]
    assert "win-tie-loss" in [
        one["title"] for one in table_of(summary, "models", "ranks")["columns"]
    ]


def test_a_model_that_lacks_items_is_left_out():
    table = graded().where(~((graded().codes("model") == 2) & (graded().row == "item 003")))
    summary = summary_of(table)
    assert ["item 003", "a alone"] in cells(table_of(summary, "items", "items"))
    assert not [one for one in summary["sections"] if "failed" in one]


def test_of_very_many_models_not_all_pairs_are_there():
    summary = summary_of(crowd(60, 40))
    assert not summary["absent"]
    assert not [one for one in summary["sections"] if "failed" in one]
    assert len(page(summary).encode()) < 1_000_000
