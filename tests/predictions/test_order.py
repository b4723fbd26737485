"""order= : the classes from least to most, kept wherever a table goes."""

import json
import subprocess
import sys

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import heliast as hl
from heliast import InputError, Predictions

MARKS = ("low", "mid", "high")


def made(**more):
    truth = np.array(MARKS)[np.arange(60) % 3]
    label = np.array(MARKS)[(np.arange(60) % 3 + (np.arange(60) % 7 == 0)) % 3]
    return Predictions.of(truth, label, row=np.arange(60), **more)


def test_order_names_the_classes_and_says_that_they_are_ordered():
    table = made(order=MARKS)
    assert table.classes == MARKS
    assert table.meta.ordinal
    assert table.rows().ordinal
    assert not made(classes=MARKS).meta.ordinal


def test_written_read_and_scanned(tmp_path):
    table = made(order=MARKS)
    path = table.write(tmp_path / "a.parquet")
    assert Predictions.read(path).equals(table)
    again = Predictions.read(path, weights="frequency")
    assert (again.classes, again.meta.ordinal) == (MARKS, True)
    scanned = Predictions.scan(path)
    assert (scanned.classes, scanned.meta.ordinal) == (MARKS, True)
    for name in ("kappa_quadratic", "class_mae"):
        there, here = (hl.assess(one, name).estimates[0] for one in (scanned, table))
        assert (there.value, there.low, there.high) == (here.value, here.low, here.high)
    told = Predictions.read(path, order=MARKS[::-1])
    assert (told.classes, told.meta.ordinal) == (MARKS[::-1], True)
    assert not Predictions.read(path, classes=MARKS).meta.ordinal
    text = table.write(tmp_path / "a.csv")
    for read in (Predictions.read, Predictions.scan):
        assert read(text, order=MARKS).meta.ordinal
        assert not read(text).meta.ordinal


def test_tables_join_only_if_both_are_ordered_alike():
    one, other = made(order=MARKS), made(order=MARKS, model="other")
    assert one.join(other).meta.ordinal
    with pytest.raises(InputError, match="order="):
        one.join(made(classes=MARKS, model="other"))
    with pytest.raises(InputError, match="order="):
        one.join(made(order=MARKS[::-1], model="other"))
    with pytest.raises(InputError, match="order="):
        one.join(made(model="other"))


def test_a_run_on_ordered_data_gives_the_same_labels_and_an_ordered_table(tmp_path):
    rng = np.random.default_rng(1)
    inputs = rng.normal(size=(120, 2))
    target = np.array(MARKS)[np.digitize(inputs[:, 0] + 0.5 * rng.normal(size=120), [-0.5, 0.5])]
    ordered = hl.Dataset.of(inputs, target, order=MARKS)
    plain = hl.Dataset.of(inputs, target)
    assert ordered.classes == MARKS
    assert ordered.fingerprint != plain.fingerprint
    models = [LogisticRegression(), GaussianNB(), KNeighborsClassifier(), hl.Tree()]
    plan = hl.KFold(3, stratify=False)  # strata are dealt in the order of classes
    tables = [hl.run(models, data, plan, 1, store=tmp_path) for data in (ordered, plain)]
    assert [one.meta.ordinal for one in tables] == [True, False]
    labels = [np.array(one.classes)[one.y_pred] for one in tables]
    assert np.mean(labels[0] == labels[1]) > 0.98  # ties go to the first class in order
    stored = tables[0].write(tmp_path / "run.parquet")
    assert Predictions.read(stored).meta.ordinal


def test_the_command_line_reads_the_order_of_predictions_and_of_data(tmp_path):
    text = made().write(tmp_path / "a.csv")
    rng = np.random.default_rng(2)
    x = rng.normal(size=90)
    kinds = np.array(MARKS)[np.digitize(x + 0.3 * rng.normal(size=90), [-0.5, 0.5])]
    data = tmp_path / "data.csv"
    data.write_text("x,class\n" + "".join(f"{a:.4f},{b}\n" for a, b in zip(x, kinds, strict=True)))
    for words in (
        [str(text)],
        [str(data), "--target", "class", "--model", "logistic", "--plan", "3"],
    ):
        said = subprocess.run(
            [sys.executable, "-m", "heliast.cli", "assess", *words, "--order", "low,mid,high",
             "--json"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        measured = {one["measure"] for one in json.loads(said.stdout)["estimates"]}
        assert {"kappa_linear", "kappa_quadratic", "class_mae"} <= measured
