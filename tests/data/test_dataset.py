"""Dataset: rows for models, subsets, frames out, fingerprints."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from heliast._core.errors import InputError
from heliast.data import Dataset, read

COLUMNS = {
    "x": [1.5, None, 3.0, -0.5],
    "sky": ["sun", "rain", None, "sun"],
    "flag": [True, False, True, True],
    "whole": [3, 1, 2, 3],
    "class": ["b", "a", "b", "a"],
}


def frames() -> dict[str, object]:
    return {
        "pandas": pd.DataFrame(COLUMNS),
        "polars": pl.DataFrame(COLUMNS),
        "arrow": pa.table(COLUMNS),
    }


def test_every_backend_gives_the_same_data() -> None:
    prints = {name: read(frame).fingerprint for name, frame in frames().items()}
    assert len(set(prints.values())) == 1, prints
    assert read(COLUMNS).fingerprint == prints["pandas"]
    data = read(COLUMNS)
    assert data.names == ("x", "sky", "flag", "whole")
    assert data.nominal == (1, 2)
    np.testing.assert_array_equal(
        data.matrix, [[1.5, 1, 1, 3], [np.nan, 0, 0, 1], [3, np.nan, 1, 2], [-0.5, 1, 1, 3]]
    )


def test_rows_are_of_the_users_own_frame() -> None:
    for frame in frames().values():
        data = read(frame)
        rows = data.rows(np.array([2, 0, 0]))
        assert type(rows) is type(frame)
        table = pa.table(rows) if not isinstance(rows, pa.Table) else rows
        assert table.column_names[:4] == ["x", "sky", "flag", "whole"]
        assert table["whole"].to_pylist() == [2, 3, 3]
        assert table["sky"].to_pylist() == [None, "sun", "sun"]


def test_pandas_rows_keep_their_types_and_labels() -> None:
    frame = pd.DataFrame({"a": pd.Categorical(["x", "y", "x"]), 7: [1, 2, 3]}, index=[5, 6, 7])
    data = Dataset.of(frame, [0, 1, 0])
    rows = data.rows([2])
    assert rows.index.tolist() == [7]
    assert rows.dtypes.tolist() == frame.dtypes.tolist()
    assert list(rows.columns) == ["a", 7]
    assert data.names == ("a", "7")


def test_rows_without_a_frame_are_numbers() -> None:
    data = read(COLUMNS)
    rows = data.rows([3, 1])
    assert isinstance(rows, np.ndarray)
    assert rows.dtype == np.float64
    rows[:] = 0.0
    assert data.matrix[3, 0] == -0.5


@pytest.mark.parametrize("positions", [[4], [-1], [0.5], [[0]]])
def test_positions_are_checked(positions: list[object]) -> None:
    with pytest.raises(InputError, match="positions"):
        read(COLUMNS).rows(positions)


def test_subset() -> None:
    data = Dataset.of(pd.DataFrame({"a": [1.0, 2.0, 3.0]}), ["p", "q", "p"], group=[1, 1, 2])
    part = data.subset([2, 0])
    assert part.y.tolist() == ["p", "p"]
    assert part.classes == ("p", "q")
    assert part.group is not None
    assert part.group.tolist() == [1, 0]
    assert part.rows([0])["a"].tolist() == [3.0]
    assert part.n == 2
    assert part.fingerprint != data.fingerprint
    assert data.subset(np.arange(3)).fingerprint == data.fingerprint
    assert data.subset(np.array([True, False, True])).n == 2


@pytest.mark.parametrize("backend", ["pyarrow", "pandas", "polars"])
def test_to_frame_and_back(backend: str) -> None:
    data = read(COLUMNS, nominal="whole")
    assert read(data.to_frame(backend)).fingerprint == data.fingerprint


def test_to_frame_refuses() -> None:
    with pytest.raises(InputError, match="backend='excel'"):
        read(COLUMNS).to_frame("excel")


def test_to_frame_keeps_the_group() -> None:
    data = Dataset.of([[1.0], [2.0]], ["a", "b"], group=["u", "v"])
    assert data.to_frame().column_names == ["x0", "target", "group"]


@pytest.mark.parametrize(
    "change",
    [
        {"x": [1.5, None, 3.0, 0.5]},
        {"sky": ["sun", "rain", None, "rain"]},
        {"sky": ["fun", "rain", None, "fun"]},
        {"class": ["b", "a", "a", "a"]},
        {"class": ["c", "a", "c", "a"]},
        {"whole": [3, 1, None, 3]},
    ],
)
def test_the_fingerprint_sees_every_change(change: dict[str, list[object]]) -> None:
    assert read(COLUMNS | change).fingerprint != read(COLUMNS).fingerprint


def test_the_fingerprint_sees_names_and_groups_but_not_how_zero_is_signed() -> None:
    first = Dataset.of([[0.0], [1.0]], ["a", "b"])
    assert Dataset.of([[-0.0], [1.0]], ["a", "b"], name="other").fingerprint == first.fingerprint
    assert Dataset.of([[0.0], [1.0]], ["a", "b"], names=["z"]).fingerprint != first.fingerprint
    assert Dataset.of([[0.0], [1.0]], ["a", "b"], group=[0, 1]).fingerprint != first.fingerprint
    assert Dataset.of([[0.0], [1.0]], ["a", "b"], target="t").fingerprint != first.fingerprint


def test_y_for_scikit_learn() -> None:
    assert Dataset.of([[1.0], [2.0]], [True, False]).y.dtype == np.bool_
    assert Dataset.of([[1.0], [2.0]], [3.0, 1.0]).y.tolist() == [3, 1]
    assert Dataset.of([[1.0], [2.0]], [0.5, 1.0]).y.tolist() == [0.5, 1.0]


def test_rows_reach_scikit_learn() -> None:
    from sklearn.compose import make_column_transformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder
    from sklearn.tree import DecisionTreeClassifier

    for name in ("pandas", "polars"):
        data = read(frames()[name])
        model = make_pipeline(
            make_column_transformer((OneHotEncoder(), ["sky"]), remainder="passthrough"),
            DecisionTreeClassifier(),
        )
        fitted = model.fit(data.rows(np.arange(4)), data.y)
        assert fitted.predict(data.rows(np.arange(4))).tolist() == data.y.tolist()
