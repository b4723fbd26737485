"""Models in words."""

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
    assert isinstance(_words.model("ridge", "regression")[1][-1], Ridge)
    with pytest.raises(hl.InputError, match="no such model; there are mean, linear"):
        _words.model("bayes", "regression")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("nonsense", "no such model; there are majority"),
        ("sklearn.svm.NoSuch", "NoSuch"),
        ("no_such_module.Thing", "No module named"),
        ("tree(depth=3)", "unexpected keyword"),
        ("tree(max_depth=__import__('os'))", "no such model"),
        ("ecoc(estimator=nonsense)", "--model nonsense: no such model"),
        ("tree(", "plain arguments"),
    ],
)
def test_words_that_are_no_model(words: str, message: str) -> None:
    with pytest.raises(hl.InputError, match=message):
        _words.model(words)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_every_model_of_the_panel_has_a_short_name(task: str) -> None:
    known = _panel.CLASSES if task == "classification" else _panel.NUMBERS
    assert set(_panel.panel(task)) <= set(known)


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("ecoc(estimator=lda, code_length=60)", hl.CodedVote),
        ("substitution", hl.CodedVote),
        ("bagging(estimator=sklearn.svm.SVC(C=10), n_estimators=5)", hl.BaggedVote),
        ("adaboost", hl.BoostedVote),
        ("pairwise", hl.PairwiseVote),
        ("prism", hl.Prism),
        ("fullbayes", hl.FullBayes),
    ],
)
def test_the_documents_words_are_models(words: str, kind: type) -> None:
    name, estimator = _words.model(words)
    assert (name, type(estimator)) == (words, kind)


def test_a_model_in_the_arguments_of_another() -> None:
    name, coded = _words.model("mine=ecoc(estimator=knn(n_neighbors=3), code_length=60)")
    assert (name, coded.code_length) == ("mine", 60)
    assert coded.estimator[-1].n_neighbors == 3
    assert _words.model("1nn")[1][-1].n_neighbors == 1
