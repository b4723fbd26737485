"""Names of other tools are understood, and what they wrote is never taken for data to fit."""

import subprocess
import sys
from pathlib import Path

import pytest

from heliast import Predictions
from heliast._core.errors import InputError, NotPredictions

TWO = "no,no,0.9,0.1|yes,no,0.6,0.4|yes,yes,0.2,0.8|no,yes,0.3,0.7"
"""Rows of truth, label and the probabilities of both classes."""


def rows(order: str) -> str:
    """The rows with these columns: t(ruth), l(abel), n(o), y(es), i (a number), x (an input)."""
    found = []
    for at, row in enumerate(TWO.split("|")):
        truth, label, no, yes = row.split(",")
        values = {"t": truth, "l": label, "n": no, "y": yes, "i": str(at + 1), "x": f"{at}.5"}
        found.append(",".join(values[one] for one in order))
    return "\n".join(found) + "\n"


READ = {
    ".pred_class,.pred_no,.pred_yes,.row,Class": "lnyit",  # tidymodels
    ".pred_no,.pred_yes,.row,Class": "nyit",
    ".pred_class,.pred_no,.pred_yes,x1,x2,Class": "lnyxxt",  # augment
    "y_true,no,yes,predicted": "tnyl",  # yardstick
    "pred,obs,no,yes,rowIndex,mtry": "ltnyii",  # caret
    "row_ids,y_true,response,prob.no,prob.yes": "itlny",  # mlr3
    "id,y_true,prob.no,prob.yes,response,iter,set": "itnylxx",  # mlr
    "predict,no,yes,actual": "lnyt",  # H2O
    "y_test,y_pred,y_proba_no,y_proba_yes": "tlny",  # scikit-learn
    "bought,prediction(bought),confidence(no),confidence(yes)": "tlny",  # RapidMiner
    "bought,x,P (bought=no),P (bought=yes),Prediction (bought)": "txnyl",  # KNIME
    "y_true,no,yes": "tny",
}


@pytest.mark.parametrize("header", READ)
@pytest.mark.parametrize("how", ["read", "scan"])
def test_headers_of_other_tools_are_understood(tmp_path: Path, header: str, how: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"{header}\n{rows(READ[header])}")
    table = getattr(Predictions, how)(path)
    assert table.classes == ("no", "yes")
    assert (table.meta.score_kind == "probability") == ("n" in READ[header])
    assert len(table) == 4
    if how == "read":
        truth, label = ([row.split(",")[at] for row in TWO.split("|")] for at in (0, 1))
        assert [table.classes[code] for code in table.y_true] == truth
        if "l" in READ[header]:
            assert [table.classes[code] for code in table.y_pred] == label
        if "n" in READ[header]:
            assert table.scores is not None
            assert table.scores.reshape(4, -1)[:, -1].tolist() == [0.1, 0.4, 0.8, 0.7]


DOUBT = {
    "outcome,y_pred": "tl",
    "outcome,prob_no,prob_yes": "tny",
    "prediction,age,class": "lxt",
    "y_pred,x1,x2,outcome": "lxxt",
    ".pred_class,.pred_no,.pred_yes,x1,bought": "lnyxt",
    "prob_no,prob_yes,age,class": "nyxt",
}


@pytest.mark.parametrize("header", DOUBT)
@pytest.mark.parametrize("how", ["read", "scan"])
def test_in_doubt_both_lines_are_shown(tmp_path: Path, header: str, how: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"{header}\n{rows(DOUBT[header])}")
    with pytest.raises(InputError) as caught:
        getattr(Predictions, how)(path)
    assert not isinstance(caught.value, NotPredictions)
    truth = "outcome" if "outcome" in header else header.rsplit(",", 1)[1]
    assert f"y_true={truth!r}" in str(caught.value)
    assert f"target={truth!r}" in str(caught.value)
    assert getattr(Predictions, how)(path, y_true=truth).classes == ("no", "yes")


@pytest.mark.parametrize("header", ["u,v,class", "score,age,class", "p_1,p_2,target", "p1,p2,y"])
def test_data_are_still_data(tmp_path: Path, header: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"{header}\n{rows('xxt')}")
    with pytest.raises(NotPredictions):
        Predictions.read(path)


def heliast(*words: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "heliast.cli", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("header", "order", "code"),
    [
        (".pred_class,.pred_no,.pred_yes,.row,Class", "lnyit", 0),
        ("prediction,age,class", "lxt", 2),
        ("no,yes,class", "nyt", 2),
    ],
)
def test_no_model_is_fitted_on_predictions(
    tmp_path: Path, header: str, order: str, code: int
) -> None:
    (tmp_path / "a.csv").write_text(f"{header}\n{rows(order)}")
    done = heliast("assess", "a.csv", "--measure", "error", folder=tmp_path)
    assert done.returncode == code, done.stderr
    assert "majority" not in done.stdout
    assert "holds data" not in done.stderr
    if code == 2:
        assert "--y-true class" in done.stderr.replace("\n", " ")
        assert "--target class" in done.stderr.replace("\n", " ")


# --- Weka and Europe -----------------------------------------------------------------------------

WEKA = (
    "inst#,actual,predicted,error,{0}\n1,1:no,1:no,,{1}\n2,2:yes,1:no,+,{2}\n3,2:yes,2:yes,,{3}\n"
)


@pytest.mark.parametrize("how", ["read", "scan"])
def test_codes_and_marks_of_weka_are_taken_off(tmp_path: Path, how: str) -> None:
    path = tmp_path / "w.csv"
    path.write_text(WEKA.format("prediction", "0.9", "0.6", "0.7"))
    assert getattr(Predictions, how)(path).classes == ("no", "yes")
    path.write_text(WEKA.format("distribution", "*0.9,0.1", "*0.6,0.4", "0.3,*0.7"))
    table = getattr(Predictions, how)(path)
    assert table.classes == ("no", "yes")
    assert table.meta.score_kind == "probability"
    if how == "read":
        assert table.scores is not None
        assert table.scores.reshape(3, -1)[:, -1].tolist() == [0.1, 0.4, 0.7]


def test_weka_names_a_class_that_never_occurs_by_its_code(tmp_path: Path) -> None:
    path = tmp_path / "w.csv"
    path.write_text(WEKA.format("distribution", "*0.9,0.1,0", "*0.6,0.4,0", "0.3,*0.7,0"))
    assert Predictions.read(path).classes == ("#3", "no", "yes")


@pytest.mark.parametrize("how", ["read", "scan"])
@pytest.mark.parametrize("first", ["", "sep=;\n"])
def test_semicolons_and_decimal_commas(tmp_path: Path, how: str, first: str) -> None:
    path = tmp_path / "e.csv"
    path.write_text(f'{first}"obs";"pred";"no";"yes"\n"no";"no";0,9;0,1\n"yes";"no";,6;4e-1\n')
    table = getattr(Predictions, how)(path, decimal_separator=",")
    assert "columns separated by ';'" in table.notes
    assert table.meta.score_kind == "probability"
    path.write_text(f"{first}y_true;y_pred\n1,5;2,5\n-2,25;1\n")
    table = getattr(Predictions, how)(path, decimal_separator=",")
    assert table.meta.task == "regression"
    if how == "read":
        assert table.y_true.tolist() == [1.5, -2.25]


@pytest.mark.parametrize("how", ["read", "scan"])
def test_points_and_commas_together_are_refused(tmp_path: Path, how: str) -> None:
    path = tmp_path / "e.csv"
    path.write_text("y_true;score\n1;0,5\n0;0.25\n")
    with pytest.raises(InputError, match=r"'0,5'.* is not a number"):
        getattr(Predictions, how)(path)
