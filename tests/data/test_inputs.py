"""Inputs: numbers and categories told apart, and what is odd about them said."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from heliast._core.errors import InputError
from heliast.data import Dataset, Input, read

ROWS = 40
Y = ["a", "b"] * (ROWS // 2)


def one(values: object, **options: object) -> Input:
    data = read({"v": values, "class": Y[: len(values)]}, **options)  # type: ignore[arg-type]
    return data.inputs[0]


def notes(values: object, **options: object) -> str:
    return "; ".join(
        read({"v": values, "z": [row / 2 for row in range(ROWS)], "class": Y}, **options).notes
    )  # type: ignore[arg-type]


def test_kinds() -> None:
    assert one([1, 2, 2, 1]).categories is None
    assert one([True, False, None, True]).categories == ("false", "true")
    assert one([True, False, None, True]).values.tolist() == [1, 0, -1, 1]
    assert one(["b", None, "a", ""]).categories == ("a", "b")
    assert one(["b", None, "a", ""]).missing == 2


def test_forced() -> None:
    assert one([10, 9, 9, None], nominal="v").categories == ("9", "10")
    assert one([1.5, 2.0, 2.0, 2.0], nominal=["v"]).categories == ("1.5", "2")
    np.testing.assert_array_equal(
        one(["1.5", "07", None, " 2 "], numeric="v").values, [1.5, 7, np.nan, 2]
    )
    assert one([True, False, True, True], numeric="v").values.tolist() == [1, 0, 1, 1]
    with pytest.raises(
        InputError, match=r"'x' in 1 row \(row 1, counting from 0\) is not a number"
    ):
        one(["1", "x", "2", "3"], numeric="v")
    with pytest.raises(InputError, match="nominal and as numeric"):
        one([1, 2], numeric="v", nominal="v")
    with pytest.raises(InputError, match="nominal='w': there is no such column"):
        one([1, 2], nominal="w")


def test_remarks() -> None:
    assert "'v': the same value in every row" in notes([1] * ROWS)
    assert "'v': the same value in every row" in notes(["k"] * ROWS)
    assert "same value" not in notes(["k", None] * (ROWS // 2))
    assert "'v': no value in any row" in notes([None] * ROWS)
    assert notes([1.5, 2.5] * (ROWS // 2), target="class") == ""


def test_free_text_is_left_out_of_inputs_and_frame() -> None:
    texts = [f"sentence {row}" for row in range(ROWS)]
    assert "'v': left out: free text" in notes(texts)
    frame = pd.DataFrame({"v": texts, "x": np.arange(ROWS) / 2, "class": Y})
    assert list(read(frame).rows([0]).columns) == ["x"]
    assert list(read(frame, nominal="v").rows([0]).columns) == ["v", "x"]
    alone = read({"v": texts, "class": Y})
    assert alone.inputs == ()
    assert alone.matrix.shape == (ROWS, 0)
    assert any("no input is left" in note for note in alone.notes)
    assert "left out" not in notes([f"word {row % 25}" for row in range(ROWS)])
    assert "left out" not in notes(pd.Series(texts).astype("category"), nominal="v")


def test_categoricals_are_kept_whatever_they_hold() -> None:
    texts = [f"sentence {row}" for row in range(ROWS)]
    frame = pd.DataFrame({"v": pd.Categorical(texts), "class": Y})
    assert read(frame).names == ("v",)
    numbers = pd.DataFrame({"v": pd.Categorical([3, 1] * (ROWS // 2)), "class": Y})
    assert read(numbers).inputs[0].categories == ("1", "3")


def test_unused_categories_do_not_count() -> None:
    kind = pd.CategoricalDtype(["z", "b", "a"])
    frame = pd.DataFrame({"v": pd.Series(["b", "z"]).astype(kind), "class": ["p", "q"]})
    assert read(frame).inputs[0].categories == ("b", "z")


def test_dates_become_seconds_and_durations_are_left_out() -> None:
    day = datetime.datetime(1970, 1, 2)
    columns = {"when": [day, None], "long": [datetime.timedelta(minutes=1), None], "class": Y[:2]}
    for frame in (pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns)):
        data = read(frame)
        np.testing.assert_array_equal(data.matrix, [[86400.0], [np.nan]])
        assert "long" in data.left_out
    dates = pl.DataFrame({"when": [day.date(), None], "class": Y[:2]})
    np.testing.assert_array_equal(read(dates).matrix, [[86400.0], [np.nan]])


def test_columns_no_model_takes_are_left_out() -> None:
    frame = pl.DataFrame(
        {"v": [[1, 2], [3]], "s": [{"a": 1}, {"a": 2}], "x": [1, 2], "class": Y[:2]}
    )
    data = read(frame)
    assert data.names == ("x",)
    assert sum("left out" in note for note in data.notes) == 2
    assert data.rows([0]).columns == ["x"]


def test_mixed_columns_are_refused() -> None:
    with pytest.raises(InputError, match="mixes text and numbers"):
        one([1, "a"])


# --- ids -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("id", [f"p{at}" for at in range(ROWS)]),
        ("patient_id", list(range(100, 100 + ROWS))),
        ("customerID", [7 * at for at in range(ROWS)]),
        ("Record.Id", [f"{at}" for at in range(ROWS)]),
        ("number", list(range(ROWS))),
        ("number", list(range(ROWS, 0, -1))),
        ("name", [f"name {at}" for at in range(ROWS)]),
    ],
)
def test_what_identifies_rows_is_left_out(name: str, values: list[object]) -> None:
    table = {name: values, "x": [row / 2 for row in range(ROWS)], "class": Y}
    data = read(table)
    assert data.names == ("x",)
    assert name in data.left_out
    assert any(f"{name!r}: left out" in note for note in data.notes)
    assert name in read(table, nominal=name).names


@pytest.mark.parametrize("name", ["valid", "paid", "width", "humid", "age"])
def test_names_that_only_end_like_an_id(name: str) -> None:
    assert read({name: [1, 2] * (ROWS // 2), "class": Y}).names == (name,)


def test_an_id_that_repeats_may_be_a_group() -> None:
    frame = pd.DataFrame({"patient_id": [at // 2 for at in range(ROWS)], "x": 0.5, "class": Y})
    with pytest.raises(InputError, match="--group patient_id or --ignore patient_id"):
        read(frame)
    grouped = read(frame, group="patient_id")
    assert grouped.names == ("x",)
    assert grouped.group is not None
    assert read(frame, ignore="patient_id").group is None
    assert read(frame, numeric="patient_id").names == ("patient_id", "x")


def test_whole_numbers_that_all_differ_stay_with_a_warning() -> None:
    assert "'v': whole numbers, each row another" in notes([3 * row for row in range(ROWS)])
    assert Dataset.of(np.arange(ROWS)[:, None], Y).names == ("x0",)  # arrays have no names


# --- weights -------------------------------------------------------------------------------------


def test_weights_are_a_column_or_beside() -> None:
    frame = pd.DataFrame({"w": np.arange(4.0), "x": [1.5, 2, 3, 4], "class": ["a", "b"] * 2})
    data = read(frame, weight="w")
    assert data.names == ("x",)
    np.testing.assert_array_equal(data.weight, np.arange(4.0))
    np.testing.assert_array_equal(data.subset([3, 1]).weight, [3.0, 1.0])
    other = read((frame[["x"]], frame["class"]), weight=np.ones(4))
    assert other.fingerprint != Dataset.of(frame[["x"]], frame["class"]).fingerprint
    wrong: dict[str, list[object]] = {
        "weight has 2 rows": [1, 1],
        "-1 in 1 row": [-1, 1, 1, 1],
        "all are 0": [0, 0, 0, 0],
        "holds text": ["a", "b", "c", "d"],
    }
    for message, weight in wrong.items():
        with pytest.raises(InputError, match=message):
            Dataset.of(frame[["x"]], frame["class"], weight=weight)  # type: ignore[arg-type]
