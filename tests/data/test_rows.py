"""read_rows: inputs of a model by name, with or without the target."""

import numpy as np
import pytest

from heliast._core.errors import InputError
from heliast.data import read_rows

NEW = {"b": ["u", "v", "u"], "id": [7, 8, 9], "a": [1.0, None, 3.0], "class": ["x", "x", "x"]}


def test_inputs_are_found_by_name_and_the_target_may_have_one_class():
    found = read_rows(NEW, ["a", "b"], nominal=["b"], numeric=["a"], target="class", row="id")
    assert set(found.data.names) == {"a", "b"}
    assert found.y_true.texts == ("x",)
    assert found.row.plain().tolist() == [7, 8, 9]
    (said,) = found.notes
    assert "another order" in said


def test_without_the_target_and_with_columns_that_are_not_used():
    found = read_rows({name: NEW[name] for name in ("a", "b", "id")}, ["a", "b"], target="class")
    assert found.y_true is None
    assert found.notes == ("not used: 'id'",)


def test_a_target_that_is_not_known_of_every_row_is_not_told():
    found = read_rows({**NEW, "class": ["x", None, "y"]}, ["a", "b"], target="class")
    assert found.y_true is None
    assert any("'class' is missing in " in note for note in found.notes)


def test_kinds_are_those_of_training():
    found = read_rows({"a": ["1", "2"], "b": [1, 2]}, ["a", "b"], numeric=["a"], nominal=["b"])
    number, category = found.data.inputs
    np.testing.assert_array_equal(number.values, [1.0, 2.0])
    assert category.categories == ("1", "2")


def test_what_is_missing_is_named():
    with pytest.raises(InputError, match="fitted on 'c', 'd', which is not there"):
        read_rows(NEW, ["a", "c", "d"])
    with pytest.raises(InputError, match="row='nr'"):
        read_rows(NEW, ["a"], row="nr")
