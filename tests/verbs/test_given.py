"""Natural calls: whatever people bring becomes the one table that every verb takes."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.metrics import accuracy_score, roc_auc_score

import heliast as hl
from heliast import Predictions

RNG = np.random.default_rng(20)
N = 80
Y = RNG.integers(0, 2, N)
P = np.clip(0.45 * Y + 0.6 * RNG.random(N), 0.01, 0.99)
Q = np.clip(0.2 * Y + 0.8 * RNG.random(N), 0.01, 0.99)
A, B = (P > 0.5).astype(int), (Q > 0.5).astype(int)
NAMES = np.array(["ham", "spam"])
EXPECTED = hl.assess(Predictions.of(Y, A))["model", "accuracy"]
PAIR = hl.compare(Predictions.of(Y, A, model="a").join(Predictions.of(Y, B, model="b")))["a", "b"]


@pytest.mark.parametrize(
    "call",
    [
        (Y, A),
        (Y.tolist(), A.tolist()),
        (tuple(Y), tuple(A)),
        (pd.Series(Y), pd.Series(A)),
        (pl.Series(Y), pl.Series(A)),
        (pa.array(Y), pa.chunked_array([A])),
        (Y, A, P),
        (Y, {"model": A}),
        (pd.DataFrame({"y_true": Y, "y_pred": A}),),
        (pl.DataFrame({"y_true": Y, "y_pred": A}),),
        (pa.table({"y_true": Y, "y_pred": A}),),
        ({"y_true": Y, "y_pred": A},),
        ([Predictions.of(Y, A)],),
        ({"model": Predictions.of(Y, A)},),
    ],
    ids=lambda call: "-".join(type(one).__name__ for one in call),
)
def test_assess_takes_whatever_people_bring(call) -> None:
    found = hl.assess(*call)["model", "accuracy"]
    assert found.value == EXPECTED.value == accuracy_score(Y, A)
    assert (found.low, found.high) == (EXPECTED.low, EXPECTED.high)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ((Y,), {"y_score": P}),
        ((), {"y_true": Y, "y_prob": P}),
        ((Y, np.column_stack([1 - P, P])), {}),
        ((Y, pd.DataFrame({0: 1 - P, 1: P})), {}),
        ((Y, {"model": P}), {}),
        ((NAMES[Y], {"ham": 1 - P, "spam": P}), {}),
        ((NAMES[Y],), {"y_score": 1 - P, "pos_label": "ham"}),
    ],
)
def test_assess_takes_scores(call, said) -> None:
    found = hl.assess(*call, **said)
    assert found["model", "roc_auc"].value == pytest.approx(roc_auc_score(Y, P), abs=1e-12)


ONE, TWO = Predictions.of(Y, A, model="a"), Predictions.of(Y, B, model="b")


@pytest.mark.parametrize(
    "call",
    [
        (ONE, TWO),
        ([ONE, TWO],),
        ({"a": Predictions.of(Y, A), "b": Predictions.of(Y, B)},),
        (Y, {"a": A, "b": B}),
        (Y, {"a": P, "b": Q}),
        (Y, {"a": A, "b": np.column_stack([1 - Q, Q])}),
        (Y, pd.DataFrame({"a": A, "b": B})),
        (Y.tolist(), pl.DataFrame({"a": A, "b": B})),
        (
            {
                "a": pd.DataFrame({"y_true": Y, "y_pred": A}),
                "b": pd.DataFrame({"y_true": Y, "y_pred": B}),
            },
        ),
    ],
)
def test_compare_takes_whatever_people_bring(call) -> None:
    found = hl.compare(*call)["a", "b"]
    assert (found.value, found.low, found.high, found.p) == (
        PAIR.value,
        PAIR.low,
        PAIR.high,
        PAIR.p,
    )


def test_models_without_a_name_are_numbered_and_that_is_said() -> None:
    found = hl.compare(Predictions.of(Y, A), Predictions.of(Y, B), "acc")
    assert found["model 1", "model 2"].value == pytest.approx(-PAIR.value)
    assert any("numbered" in note for note in found.notes)


def test_files_are_tables_by_their_names(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, label in (("old", A), ("new", B)):
        Predictions.of(Y, label, row=range(N)).write(f"{name}.csv")
    both = hl.compare("old.csv", "new.csv", "error")
    assert both["old", "new"].value == PAIR.value
    assert hl.compare([Path("old.csv"), "new.csv"])["old", "new"].value == PAIR.value
    assert hl.compare({"x": "old.csv", "y": Path("new.csv")})["x", "y"].value == PAIR.value
    assert hl.assess("old.csv", "accuracy")["model", "acc"].value == EXPECTED.value
    assert hl.report("old.csv", "new.csv", "r.html").read_text(encoding="utf-8").count("old")
    with pytest.raises(hl.InputError, match=r"end the name in \.html"):
        hl.report(ONE, Path("r.txt"))


def test_gate_and_report_take_arrays(tmp_path: Path) -> None:
    assert hl.gate(Y, A, "error.high <= 0.9").passed
    assert hl.gate(Y, A, ["error.high <= 0.9", "sensitivity.low >= 0.01"]).passed
    assert hl.gate(Y, {"a": A, "b": B}, "error(a - b).high <= 0.9").passed
    assert hl.gate(Y, "auc.low >= 0.1", y_score=P).passed
    for call in ((Y, A), (Y, {"a": A, "b": P}), (ONE, TWO)):
        assert hl.report(*call, tmp_path / "r.html").exists()


def test_labels_that_are_names_of_measures_are_labels() -> None:
    truth, label = ["f", "m", "f", "f"], ["f", "f", "f", "f"]
    assert hl.assess(truth, label)["model", "error"].value == 0.25
    assert hl.assess(truth, label, ["recall", "f1"]).measures == ("recall", "f1")


def test_explain_and_combine_read_a_table_that_has_what_they_need() -> None:
    truth, rows = list("aabb") * 20, range(80)
    vote = Predictions.of(truth, truth, model="vote/B=5", row=rows)
    base = Predictions.of(truth, list("abbb") * 20, model="base", row=rows)
    assert hl.combine(vote.join(base)).recommended == "vote/B=5"
    split, row = np.repeat([0, 1, 2], 80), np.tile(np.arange(80), 3)
    fits = Predictions.of(truth * 3, list("abbb") * 60, split=split, row=row, model="tree")
    assert hl.explain(fits).models == ("tree",)


class Odd:
    """Nothing that could be a table."""


@pytest.mark.parametrize("verb", [hl.assess, hl.compare, hl.gate, hl.report])
@pytest.mark.parametrize(
    "given",
    [(), (None,), (3,), (2.5,), (b"x",), (Odd(),), (Odd,), ({1, 2},), (Y,), (Y, None), (Y, 3),
     (Y, Odd()), (Y, {}), ({},), (Y, {"a": 3}), (Y, {"a": None}), ({"a": 1},), (np.eye(3),),
     (np.zeros((2, 2, 2)),), (np.float64(1),), ("no such file",), (iter([1, 2]),), (hl.Tree(), Y),
     (hl.read("sklearn:iris"),), ([],), ([None],), ([ONE, None],), (Y, {"a": ONE}),
     ({"a": ONE, "b": None},), ({"fit_time": [1.0]},), ([[1, 2], [3]],), (Y, A[:5])],
    ids=lambda given: "-".join(type(one).__name__ for one in given),
)  # fmt: skip
def test_anything_else_gets_a_sentence(verb, given, tmp_path, monkeypatch) -> None:
    """Never an AttributeError, a TypeError or a KeyError from within."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(hl.HeliastError, match=r"\w"):
        verb(*given)


def test_what_is_said_of_a_table_that_is_made_already() -> None:
    with pytest.raises(hl.InputError, match="positive= is said when the table is made"):
        hl.assess(ONE, positive=0)


@pytest.mark.parametrize("truth", [Y, Y.astype(float), 2 * Y - 1, NAMES[Y], Y == 1])
def test_probabilities_as_labels_are_not_a_regression(truth) -> None:
    """Truth 0 and 1 beside probabilities was 'off by 0.056'."""
    with pytest.raises(hl.InputError, match=r"these look like scores.*; say y_score="):
        Predictions.of(truth, P)
    with pytest.raises(hl.InputError, match=r"scores.*; say y_score="):
        hl.assess(truth, P)


@pytest.mark.parametrize("reader", [Predictions.read, Predictions.scan])
@pytest.mark.parametrize("n", [60, 30_000])
def test_nor_in_a_file(reader, n, tmp_path) -> None:
    path = tmp_path / "p.csv"
    rng = np.random.default_rng(0)
    rows = "\n".join(f"{a},{b}" for a, b in zip(rng.integers(0, 2, n), rng.random(n), strict=True))
    path.write_text(f"y_true,predicted\n{rows}\n")
    with pytest.raises(hl.InputError, match=r"'predicted'.* holds fractions.*say y_score="):
        reader(path)
    assert reader(path, task="regression").task == "regression"


def test_numbers_stay_numbers() -> None:
    assert Predictions.of(Y, P, task="regression").task == "regression"
    assert Predictions.of(3.7 * Y, P).task == "regression"
    assert Predictions.of(0 * Y, P).task == "regression"  # one value is no classes
    assert Predictions.of([1, 2, 3, 4], [1.1, 2.2, 2.9, 4.5]).task == "regression"
