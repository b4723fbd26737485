"""The tables that records share: the documents' confusion matrices, margins, best values."""

import numpy as np
import pytest
from tests.documents.tables import spelled_out, transposed

import heliast as hl
from heliast.estimates import Estimate
from heliast.measures.summaries import Contingency
from heliast.views.record import Table
from heliast.views.tables import (
    chance_table,
    classes_table,
    confusion_table,
    measures_table,
    pairs_table,
)
from heliast.views.terminal import cell_text, table_text

SLIDES_C = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]
"""slides-c (seeds/004), 'Confusion matrix': totals 120, 60, 20 down and 100, 60, 40 across."""
TABLE_22_1 = transposed([[10, 0, 0], [0, 7, 5], [0, 3, 5]])
"""chapter (seeds/000), table 22.1: m = 10, 12, 8 predicted, n = 10, 10, 10 true."""


def shown(table: Table) -> list[list[str]]:
    return [line.split() for line in table_text(table, 200).splitlines()]


def counted(counts: object, classes: tuple[str, ...] = ("a", "b", "c")) -> Contingency:
    return Contingency.of_counts(counts, classes)


def test_the_confusion_matrix_of_the_slides_with_its_margins():
    rows = shown(confusion_table(counted(SLIDES_C)))
    assert rows == [
        ["true", "\\", "predicted", "a", "b", "c", "total", "share", "recall"],
        ["a", "88", "14", "18", "120", "60.0%", "73.3%"],
        ["b", "10", "40", "10", "60", "30.0%", "66.7%"],
        ["c", "2", "6", "12", "20", "10.0%", "60.0%"],
        ["total", "100", "60", "40", "200"],
        ["share", "50.0%", "30.0%", "20.0%"],
        ["precision", "88.0%", "66.7%", "30.0%", "70.0%"],
    ]
    assert shown(chance_table(counted(SLIDES_C)))[1:] == [
        *(["a", "60", "36", "24"], ["b", "30", "18", "12"], ["c", "10", "6.000", "4.000"])
    ]


def test_margins_of_table_22_1():
    rows = shown(confusion_table(counted(TABLE_22_1, ("c1", "c2", "c3"))))
    assert ["total", "10", "12", "8", "30"] in rows
    assert ["c2", "0", "7", "3", "10", "33.3%", "70.0%"] in rows  # recall_2 = 7/10
    assert ["precision", "100.0%", "58.3%", "62.5%", "73.3%"] in rows  # 7/12 and 5/8


def test_fixed_class_counts_have_no_shares_but_those_of_given_prevalences():
    table = hl.Predictions.of(*spelled_out([[20, 10], [7, 63]], "ab"), design="classes")
    rows = shown(confusion_table(hl.assess(table).confusion["model"]))
    assert rows[0][-2:] == ["total", "recall"]
    assert [row[0] for row in rows[1:]] == ["a", "b", "total"]
    found = hl.assess(table, prevalences={"a": 0.5, "b": 0.5})
    matrix = found.confusion["model"]
    assert ["precision", "87.0%", "73.0%", "78.3%"] in shown(confusion_table(matrix))
    chance = matrix.chance.trace() / matrix.n
    accuracy = 1 - found["model", "error"].value
    assert found["model", "kappa"].value == pytest.approx((accuracy - chance) / (1 - chance))


def test_a_class_that_is_never_predicted_has_no_precision():
    table = hl.Predictions.of(["total", "share", "share"], ["share", "share", "share"])
    rows = shown(confusion_table(hl.assess(table).confusion["model"]))
    assert ["precision", "66.7%", "-", "66.7%"] in rows
    assert ["share", "2", "0", "2", "66.7%", "100.0%"] in rows


def test_of_many_classes_margins_give_way_and_no_count_is_cut():
    truth = np.random.default_rng(0).integers(0, 12, 20_000)
    matrix = hl.assess(hl.Predictions.of(truth, truth)).confusion["model"]
    text = table_text(confusion_table(matrix), 80)
    assert max(map(len, text.splitlines())) <= 80
    assert f"{int(matrix.counts[11, 11]):,}" in text


def estimates(measure: str, **values: float) -> list[Estimate]:
    return [
        Estimate(value, value - 0.01, value + 0.02, model=model, measure=measure)
        for model, value in values.items()
    ]


def test_measures_are_side_by_side_or_in_rows_and_the_best_is_marked():
    ones = [*estimates("error", a=0.1, b=0.2), *estimates("auc", a=0.8, b=0.9)]
    table = measures_table(ones, ["a", "b"])
    assert [column.heading for column in table.columns] == ["measure", "a", "b"]
    assert [row[0] for row in table.rows] == ["Error rate", "ROC AUC"]
    assert [[cell.mark for cell in row[1:]] for row in table.rows] == [["best", ""], ["", "best"]]
    turned = measures_table(ones, ["a", "b"], side_by_side=1)
    assert [column.heading for column in turned.columns] == ["model", "error rate", "ROC AUC"]
    assert turned.records()[1] == {
        "model": "b", "error": 0.2, "error_low": pytest.approx(0.19), "error_high": 0.22,
        "auc": 0.9, "auc_low": pytest.approx(0.89), "auc_high": 0.92,
    }  # fmt: skip


def test_the_kappa_of_a_single_model_has_its_word():
    (row,) = measures_table(estimates("kappa", m=0.49), ["m"]).rows
    assert cell_text(row[1], "measured") == "0.490 [0.480, 0.510] moderate"


def test_classes_and_pairs_are_those_of_the_records():
    truth = ["a", "b", "c"] * 30
    models = {"x": ["a", "b", "b"] * 30, "y": ["a", "b", "c"] * 29 + ["b", "b", "b"]}
    found = hl.assess(truth, models)
    table = classes_table(found.estimates, "x", found.classes)
    assert table is not None
    assert [row[0] for row in table.rows] == ["a", "b", "c"]
    assert table.rows[2][1].value == found["x", "recall", "c"].value == 0
    pairs = hl.compare(truth, models).pairs
    (row,) = pairs_table(pairs, 0.95).rows
    assert row[:2] == (pairs[0].a, pairs[0].b)
    assert (row[2].value, row[2].unit, row[3]) == (pairs[0].value, "points", pairs[0].p)
    assert row[4] == pairs[0].verdict
