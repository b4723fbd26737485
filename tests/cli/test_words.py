"""Models and plans in words."""

import pytest
from sklearn.linear_model import Ridge
from sklearn.svm import SVC

import heliast as hl
from heliast.cli import _words
from heliast.fitting import panel as _panel


def test_short_names_take_arguments() -> None:
    name, model = _words.model("tree(max_depth=3)")
    assert name == "tree(max_depth=3)"
    assert model.max_depth == 3


def test_a_model_can_be_named_and_imported() -> None:
    name, model = _words.model("mine=sklearn.svm.SVC(C=10, kernel='linear')")
    assert name == "mine"
    assert isinstance(model, SVC)
    assert (model.C, model.kernel) == (10, "linear")


def test_numbers_have_their_own_names() -> None:
    assert isinstance(_words.model("ridge", "number")[1][-1], Ridge)
    with pytest.raises(hl.InputError, match="no such model; there are mean, linear"):
        _words.model("bayes", "number")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("nonsense", "no such model; there are majority"),
        ("sklearn.svm.NoSuch", "NoSuch"),
        ("no_such_module.Thing", "No module named"),
        ("tree(depth=3)", "unexpected keyword"),
        ("tree(max_depth=__import__('os'))", "plain arguments"),
        ("tree(", "plain arguments"),
    ],
)
def test_words_that_are_no_model(words: str, message: str) -> None:
    with pytest.raises(hl.InputError, match=message):
        _words.model(words)


@pytest.mark.parametrize(
    ("words", "plan"),
    [
        ("5", 5),  # what it means depends on the data
        ("rolling(200, 20)", hl.Rolling(200, 20)),
        ("kfold(10, repeats=3)", hl.KFold(10, repeats=3)),
        ("Holdout", hl.Holdout()),
        ("leaveoneout", hl.LeaveOneOut()),
        ("bootstrap(times=7)", hl.Bootstrap(7)),
    ],
)
def test_plans(words: str, plan: object) -> None:
    assert _words.plan(words) == plan


@pytest.mark.parametrize("words", ["weekly", "kfold(folds=3)", "10 folds"])
def test_words_that_are_no_plan(words: str) -> None:
    with pytest.raises(hl.InputError, match="--plan"):
        _words.plan(words)


@pytest.mark.parametrize("task", ["classes", "number"])
def test_every_model_of_the_panel_has_a_short_name(task: str) -> None:
    known = _panel.CLASSES if task == "classes" else _panel.NUMBERS
    assert set(_panel.panel(task)) <= set(known)
