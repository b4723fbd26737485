"""Anything array-like to one column: types, missing values, refusals."""

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from heliast._core.columns import column, nan_positions
from heliast._core.errors import InputError


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([True, False], "bool"),
        (np.array([True, False]), "bool"),
        ([1, 0], "whole"),
        (np.array([1, 0], np.uint8), "whole"),
        ([1, True], "whole"),
        ([1.0, 2], "number"),
        ([Decimal("1.5"), 2], "number"),
        (np.array([1.5], np.float16), "number"),
        (["a", "b"], "text"),
        (np.array(["a", "b"]), "text"),
        (np.array([b"a", b"b"]), "text"),
        (np.array(["a", "b"], dtype=np.dtypes.StringDType()), "text"),
        (("a", np.str_("b")), "text"),
        ({"a": 1}.keys(), "text"),
        (iter(["a", "b"]), "text"),
        (pd.Series(["a", "b"]), "text"),
        (pd.Series(["a", "b"], dtype="category"), "text"),
        (pd.Series([1, 2], dtype="Int64"), "whole"),
        (pd.Categorical(["a", "b"]), "text"),
        (pl.Series(["a", "b"]), "text"),
        (pl.Series(["a", "b"], dtype=pl.Categorical), "text"),
        (pl.Series([1.5, 2.5]), "number"),
        (pl.Series([True, False]), "bool"),
        (pa.array(["a", "b"]), "text"),
        (pa.array(["a", "b"]).dictionary_encode(), "text"),
        (pa.array(["a", "b"], pa.string_view()), "text"),
        (pa.array([1, 2]).dictionary_encode(), "whole"),
        (pa.chunked_array([[1, 2], [3]]), "whole"),
        (pa.array([Decimal("1.5")]), "number"),
    ],
)
def test_the_type_is_the_narrowest(values, kind):
    assert column(values, "y_true").kind == kind


@pytest.mark.parametrize(
    "values",
    [
        ["a", None, "b"],
        ["a", float("nan"), "b"],
        ["a", pd.NA, "b"],
        [1, None, 2],
        [True, None, False],
        [1.5, None, 2.5],
        np.array([1.5, np.nan, 2.5]),
        np.array([1.5, np.nan, 2.5], np.float32),
        pd.Series(["a", None, "b"]),
        pd.Series([1, None, 2], dtype="Int64"),
        pd.Series([1.0, None, 2.0]),
        pd.Series(["a", None, "b"], dtype="category"),
        pl.Series(["a", None, "b"]),
        pl.Series([1.0, float("nan"), 2.0]),
        pl.Series([True, None, False]),
        pa.array([1.0, None, 2.0]),
        pa.array(["a", None, "b"]).dictionary_encode(),
        pa.DictionaryArray.from_arrays([0, 1, 2], pa.array(["a", None, "b"])),
    ],
)
def test_missing_is_found_by_position(values):
    found = column(values, "y_true")
    assert found.missing.tolist() == [1]
    there = [value for at, value in enumerate(found.plain()) if at != 1]
    assert there in (["a", "b"], [1, 2], [True, False], [1.5, 2.5], [1.0, 2.0])


def test_null_and_nan_are_both_missing():
    assert column(pa.array([1.0, None, float("nan")]), "x").missing.tolist() == [1, 2]
    assert column(pa.nulls(2), "x").missing.tolist() == [0, 1]
    assert column([None, None], "x").missing.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (["a", 1], "y_true: mixes text and numbers (row 0: 'a', row 1: 1)"),
        ("yes", "expected one value a row, got 'yes'"),
        (5, "expected one value a row, got 5"),
        (None, "expected one value a row, got None"),
        ([[1, 2], [3, 4]], "multi-label"),
        ([{"a"}, {"b"}], "multi-label"),
        (np.zeros((2, 2)), "got an array of shape (2, 2)"),
        (np.array(["2020-01-01"], "M8[D]"), "datetime64[D] are not labels; convert to text"),
        (pd.Series(pd.to_datetime(["2020-01-01"])), "not labels; convert to text"),
        (pl.Series([datetime.date(2020, 1, 1)]), "date32[day] are not labels; convert to text"),
        (pl.Series([["a"], ["b"]]), "multi-label"),
        ([1j], "1j cannot be a label"),
        ([b"a"], "b'a' cannot be a label"),
        ([2**64], "does not fit a 64-bit number; write such names as text"),
        ([10**400, 0.5], "does not fit a 64-bit number"),
        (["\ud800"], "half character"),
        (np.array([b"\xff"]), "not UTF-8"),
        (pa.DictionaryArray.from_arrays([0, 5], ["a", "b"], safe=False), "damaged"),
    ],
)
def test_what_is_no_column_is_refused(values, words):
    with pytest.raises(InputError) as caught:
        column(values, "y_true")
    assert words in str(caught.value)


def test_a_dictionary_may_repeat_a_word():
    one = column(pa.DictionaryArray.from_arrays([0, 1, 2], ["a", "b", "a"]), "y_true")
    assert one.texts == ("a", "b")
    assert one.values.tolist() == [0, 1, 0]


def test_dictionaries_that_differ_between_chunks_are_unified():
    chunks = [pa.array(["a", "b"]).dictionary_encode(), pa.array(["b", "c"]).dictionary_encode()]
    assert column(pa.chunked_array(chunks), "y_true").plain().tolist() == ["a", "b", "b", "c"]


def test_only_what_occurs_is_distinct():
    one = column(pd.Series(["a", "b", "c"], dtype="category"), "y_true")
    part = one.at(np.array([True, False, True]))
    assert part.distinct() == {"a", "c"}
    names, codes = part.coded()
    assert names == ["a", "c"]
    assert codes.tolist() == [0, 1]


@pytest.mark.parametrize(
    "values",
    [
        np.array([3, 1, 3, 2]),
        np.array([-3, 100, -3]),
        np.array([2**62, -(2**62), 0]),
        np.array([200, 3, 200], np.uint8),
        np.array([2**64 - 1, 0, 5], np.uint64),
        np.array([-128, 127, 3], np.int8),
        np.array([1.5, -2.5, 1.5]),
        np.array([True, True, False]),
        np.array(["b", "a", "b"]),
    ],
)
def test_codes_point_at_sorted_values(values):
    names, codes = column(values, "row").coded()
    assert list(names) == sorted(set(values.tolist()))
    assert [names[code] for code in codes] == values.tolist()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_infinities_and_overflow_are_not_nan(dtype):
    assert nan_positions(np.array([np.inf, -np.inf, 1], dtype)).size == 0
    assert nan_positions(np.full(1000, np.finfo(dtype).max, dtype)).size == 0
    assert nan_positions(np.array([np.inf, np.nan, -np.inf], dtype)).tolist() == [1]
    assert nan_positions(np.empty(0, dtype)).size == 0


def test_plain_arrays_are_not_copied():
    values = np.array([1.0, 2.0])
    assert np.shares_memory(column(values, "y_true").values, values)
