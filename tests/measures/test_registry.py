import inspect

import numpy as np
import pytest

from heliast import InputError, Predictions, measures


def test_get_gives_what_was_declared():
    found = measures.get("fbeta", beta=2)
    assert (found.name, found.better, found.bounds, found.parameters) == (
        "fbeta",
        "high",
        (0.0, 1.0),
        {"beta": 2},
    )
    assert measures.get("f1").parameters == {}


def test_names_are_those_of_everything():
    assert measures.names() == tuple(measure.name for measure in measures.everything())


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("preccision", "no measure named 'preccision'; did you mean 'precision'?"),
        ("quux", "no measure named 'quux'; there are: error, accuracy"),
        ("f.harmonic", "no measure named 'f.harmonic'"),
        ("error.macro", "measure 'error' is not per class, so it has no macro average"),
    ],
)
def test_get_refuses_what_does_not_exist(name, message):
    with pytest.raises(InputError) as refusal:
        measures.get(name)
    assert str(refusal.value).startswith(message)


def test_parameters_are_checked_by_name():
    with pytest.raises(InputError, match=r"measure 'fbeta' has no parameter 'alpha' \(has: beta\)"):
        measures.get("fbeta", alpha=1)
    with pytest.raises(InputError, match=r"measure 'error' has no parameter 'beta' \(has: none\)"):
        measures.get("error", beta=1)


@pytest.mark.parametrize("given", ["2", None, [2]])
def test_parameters_that_are_numbers_are_checked(given):
    for measure in measures.everything():
        for name, one in inspect.signature(measure.compute).parameters.items():
            if isinstance(one.default, (int, float)):
                with pytest.raises(InputError, match=f"{name}=.* must be a number"):
                    measures.get(measure.name, **{name: given})


def test_numbers_of_numpy_are_numbers():
    assert measures.get("ece", bins=np.int64(5)).parameters == {"bins": 5}


def test_an_average_has_no_value_per_class():
    table = Predictions.of(["a", "b", "c"], ["a", "b", "a"])
    with pytest.raises(InputError, match=r"measure 'f1.macro' has no value per class"):
        measures.get("f1.macro").of(table, "a")


def test_several_models_need_a_name():
    table = Predictions.of([0, 1, 0, 1], [0, 1, 1, 1], model=["x", "x", "y", "y"])
    with pytest.raises(InputError, match="several models"):
        measures.get("error").of(table)
    assert measures.get("error").of(table.only("y")) == 0.5


def test_two_class_measures_refuse_more():
    table = Predictions.of([0, 1, 2], y_score=[[0.2, 0.3, 0.5]] * 3)
    with pytest.raises(InputError, match="for two classes only, here are 3"):
        measures.get("brier_refinement").of(table)
