"""Dataset.of: arrays, lists and frames with a target beside them."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from heliast._core.errors import InputError
from heliast.data import Dataset


def test_arrays_of_any_number_type() -> None:
    for kind in (np.int8, np.uint16, np.float32, np.float64, object):
        data = Dataset.of(np.array([[1, 2], [3, 4], [5, 6]], kind), np.array([0, 1, 1]))
        assert data.matrix.tolist() == [[1, 2], [3, 4], [5, 6]]
        assert data.names == ("x0", "x1")


def test_lists_with_text_beside_numbers() -> None:
    data = Dataset.of([[1, "u", None], [2.5, "v", 1.0]], ["a", "b"])
    assert [one.nominal for one in data.inputs] == [False, True, False]
    assert data.has_missing


def test_the_data_are_our_own_copy() -> None:
    X = np.zeros((2, 1))
    data = Dataset.of(X, ["a", "b"])
    X[0, 0] = 9.0
    assert data.matrix[0, 0] == 0.0


def test_a_frame_and_the_name_of_its_target() -> None:
    frame = pl.DataFrame({"u": [1.0, 2.0], "v": ["p", "q"]})
    data = Dataset.of(frame, "v")
    assert (data.target, data.names) == ("v", ("u",))
    assert data.rows([0]).columns == ["u"]


def test_a_series_names_the_target() -> None:
    assert Dataset.of([[1.0], [2.0]], pd.Series(["a", "b"], name="sort")).target == "sort"
    assert Dataset.of([[1.0], [2.0]], pd.Series(["a", "b"])).target == "target"
    assert Dataset.of([[1.0], [2.0]], ["a", "b"], target="t").target == "t"


def test_missing_targets() -> None:
    frame = pd.DataFrame({"u": [1.0, 2.0, 3.0, 4.0]})
    with pytest.raises(InputError, match=r"X: target 'target' is missing in 1 row \(row 1"):
        Dataset.of(frame, ["a", None, "b", "a"])
    data = Dataset.of(frame, ["a", None, "b", "a"], missing="drop", group=[1, 2, 2, 3])
    assert data.n == 3
    assert data.rows([1])["u"].tolist() == [3.0]
    assert data.group is not None
    assert data.group.tolist() == [0, 1, 2]
    assert data.notes[0].startswith("dropped 1 of 4 rows")


@pytest.mark.parametrize(
    ("X", "y", "options", "message"),
    [
        (sparse.csr_matrix(np.eye(3)), [0, 1, 0], {}, "sparse matrix"),
        (sparse.coo_array(np.eye(3)), [0, 1, 0], {}, "sparse matrix"),
        (np.zeros(3), [0, 1, 0], {}, r"shape \(3,\)"),
        (np.zeros((3, 0)), [0, 1, 0], {}, "no columns"),
        (np.zeros((3, 2, 2)), [0, 1, 0], {}, "rows and columns"),
        ([[1, 2], [3]], [0, 1], {}, "not a table|rows and columns"),
        (np.zeros((3, 1), complex), [0, 1, 0], {}, "complex"),
        (np.zeros((3, 1)), [0, 1], {}, "input 'x0' has 3 rows but the target has 2"),
        (np.zeros((2, 1)), [0, 1], {"names": ["a", "b"]}, "names 2 columns but X has 1"),
        (np.zeros((2, 2)), [0, 1], {"names": ["a", "a"]}, "two columns are named 'a'"),
        (np.zeros((0, 2)), [], {}, "no row"),
        (np.zeros((2, 1)), [1, 1], {}, "one class only"),
        (np.zeros((2, 1)), [0, 1], {"group": [1]}, "group has 1 rows"),
        (np.zeros((2, 1)), [0, 1], {"group": [1, None]}, "group is missing in 1 row"),
        (np.zeros((2, 1)), [0, 1], {"task": "sort"}, "task='sort'"),
        (np.zeros((2, 1)), [0, 1], {"missing": "no"}, "missing='no'"),
        (np.zeros((2, 1)), ["a", "b"], {"task": "regression"}, "holds text"),
        (np.zeros((2, 1)), [np.inf, 0.5], {}, "must be finite"),
        (np.zeros((2, 1)), [[1, 0], [0, 1]], {}, "multi-label"),
        (5, [0, 1], {}, "shape"),
        (np.zeros((2, 1)), 5, {}, "one value a row"),
        (pd.DataFrame({"a": [1, 2]}), [0, 1], {"names": ["b"]}, "names= is for arrays"),
    ],
)
def test_refusals(X: object, y: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Dataset.of(X, y, **options)  # type: ignore[arg-type]
