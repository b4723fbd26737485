"""The contingency table as it is shown: margins, what chance would give, and kappa in words."""

import re

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier
from tests.documents.tables import spelled_out, transposed

import heliast as hl
from heliast.measures.summaries import Contingency
from heliast.verbs.question import Question
from heliast.verbs.report import material_of
from heliast.views.report import page, summarise

SLIDES_C = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]
"""slides-c (seeds/004), 'Confusion matrix': totals 120, 60, 20 down and 100, 60, 40 across."""
TABLE_22_1 = transposed([[10, 0, 0], [0, 7, 5], [0, 3, 5]])
"""chapter (seeds/000), table 22.1: m = 10, 12, 8 predicted, n = 10, 10, 10 true."""


def of_counts(counts, classes=("a", "b", "c"), **more):
    return hl.Predictions.of(*spelled_out(counts, classes), **more)


def terminal_rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def report_table(table: hl.Predictions, name: str, section: str = "contingency") -> dict | None:
    summary = summarise(material_of(table, Question(), {"title": "T"}))
    part = next(one for one in summary["sections"] if one["key"] == section)
    return next((one for one in part["tables"] if one["name"] == name), None)


def notebook_rows(html: str) -> list[list[str]]:
    rows = re.findall(r"<tr>(.*?)</tr>", html)
    return [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in rows]


MARGINED = [
    ["a", "88", "14", "18", "120", "60.0%", "73.3%"],
    ["b", "10", "40", "10", "60", "30.0%", "66.7%"],
    ["c", "2", "6", "12", "20", "10.0%", "60.0%"],
    ["total", "100", "60", "40", "200", "", ""],
    ["of all", "50.0%", "30.0%", "20.0%", "", "100.0%", ""],
    ["right", "88.0%", "66.7%", "30.0%", "", "", "70.0%"],
]
CHANCE = [["a", "60.0", "36.0", "24.0"], ["b", "30.0", "18.0", "12.0"], ["c", "10.0", "6.0", "4.0"]]


def test_totals_per_cent_and_chance_of_the_slides_in_the_terminal():
    said = str(hl.assess(of_counts(SLIDES_C)))
    rows = terminal_rows(said)
    for line in MARGINED:
        assert " ".join(line).split() in rows
    assert ["by", "chance", "a", "b", "c"] in rows
    for line in CHANCE:
        assert line in rows
    words = " ".join(said.split())
    assert "kappa 0.492 is moderate on the scale of Landis and Koch" in words
    assert "70.0% are labelled right, by chance it would be 41.0%" in words  # 140 and 82 of 200


def test_the_same_in_a_notebook():
    html = hl.assess(of_counts(SLIDES_C))._repr_html_()
    rows = notebook_rows(html)
    assert ["y_true \\ y_pred", "a", "b", "c", "total", "of all", "right"] in rows
    for line in (*MARGINED, *CHANCE):
        assert line in rows
    assert "title='73.3% of the true class, 88.0% of the label, 44.0% of all'>88<" in html
    assert "<td>kappa (moderate)</td>" in html
    assert "by chance it would be 41.0%" in html


def test_the_same_in_the_report():
    table = of_counts(SLIDES_C)
    counts = report_table(table, "contingency")
    assert [[one["text"] for one in row] for row in counts["rows"]] == MARGINED
    assert counts["rows"][0][2]["tip"] == "11.7% of the true class, 23.3% of the label, 7.0% of all"
    chance = report_table(table, "chance")
    assert [[one["text"] for one in row] for row in chance["rows"]] == CHANCE
    summary = summarise(material_of(table, Question(), {"title": "T"}))
    assert "Kappa, moderate" in [one["title"] for one in summary["tiles"]]
    kappa = next(row for row in report_table(table, "measures", "models")["rows"]
                 if row[0]["text"] == "kappa")  # fmt: skip
    assert kappa[1]["sub"].endswith(", moderate")
    assert "kappa 0.492 is moderate" in page(summary)


def test_margins_of_table_22_1():
    rows = terminal_rows(str(hl.assess(of_counts(TABLE_22_1, ("c1", "c2", "c3")))))
    assert ["total", "10", "12", "8", "30"] in rows
    assert ["c2", "0", "7", "3", "10", "33.3%", "70.0%"] in rows  # recall_2 = 7/10
    assert ["right", "100.0%", "58.3%", "62.5%", "73.3%"] in rows  # prec_2 = 7/12, prec_3 = 5/8


def test_the_word_of_each_model_stands_beneath_its_kappa():
    good, bad = (
        of_counts([[9, 1], [1, 9]], "ab", model="good"),
        of_counts([[6, 4], [4, 6]], "ab", model="bad"),
    )
    rows = terminal_rows(str(hl.assess(good.join(bad))))
    at = next(at for at, row in enumerate(rows) if row[:1] == ["kappa"])
    assert rows[at + 1] == ["substantial", "slight"]  # 0.8 and 0.2: an edge is of the word below


def test_margins_give_way_where_there_is_no_room():
    rng = np.random.default_rng(0)
    for k, wanted in ((4, "right"), (8, "total"), (12, "11")):
        truth = rng.integers(0, k, 20_000)
        said = str(hl.assess(hl.Predictions.of(truth, truth), ["error", "kappa"]))
        head = next(line for line in said.splitlines() if line.startswith("y_true \\ y_pred"))
        assert max(map(len, said.splitlines())) <= 80
        assert head.endswith(wanted)
        assert ("\nby chance " in said) == (k <= 5)
        assert "kappa 1.000 is almost perfect" in said


def test_fixed_class_counts_have_no_shares_but_those_of_given_prevalences():
    table = of_counts([[20, 10], [7, 63]], "ab", design="classes")
    bare = terminal_rows(str(hl.assess(table)))
    assert ["a", "20", "10", "30", "66.7%"] in bare
    assert not any(row[:2] == ["of", "all"] or row[:1] == ["right"] for row in bare)
    given = hl.assess(table, prevalences={"a": 0.5, "b": 0.5})
    rows = terminal_rows(str(given))
    assert ["right", "87.0%", "73.0%", "78.3%"] in rows
    assert given["model", "precision"].value == pytest.approx(0.730, abs=5e-4)
    counted: Contingency = given.tables["model"]
    chance = counted.chance.trace() / counted.n
    observed = 1 - given["model", "error"].value
    assert given["model", "kappa"].value == pytest.approx((observed - chance) / (1 - chance))


def test_classes_called_as_margins_are_and_labels_never_given():
    table = hl.Predictions.of(["total", "right", "right"], ["right", "right", "right"])
    rows = terminal_rows(str(hl.assess(table)))
    assert ["right", "66.7%", "-", "66.7%"] in rows  # nothing was labelled 'total'
    assert ["right", "2", "0", "2", "66.7%", "100.0%"] in rows


def test_size_and_training_rows_have_a_mean_and_a_range_where_folds_differ():
    """slides-c: size is measured and reported; seven folds of 150 rows train on 128 or 129."""
    models = {"tree": DecisionTreeClassifier(random_state=0)}
    table = hl.run(models, hl.read("sklearn:iris"), hl.KFold(7), progress=False)
    sizes = [one["size"] for one in table.cells]
    assert None not in sizes
    assert len(set(sizes)) > 1
    (row,) = report_table(table, "speed", "speed")["rows"]
    assert row[1]["text"] == "129"
    assert row[1]["sub"] == "128 to 129"
    assert row[4]["value"] == pytest.approx(np.mean(sizes))
    low, high = min(sizes) / 1000, max(sizes) / 1000
    assert row[4]["sub"] == f"{low:.3g} kB to {high:.3g} kB"
