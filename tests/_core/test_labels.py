"""Labels to codes: 1 equals 1.0, numbers never equal text, unknown labels are refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliast._core.errors import InputError
from heliast._core.labels import classes_of, column, encode
from heliast._core.places import Places


def types(values):
    return [type(value) for value in values]


def test_one_is_one_point_nought():
    found = classes_of([column([1, 2], "y_true"), column([2.0, 3.0], "y_pred")])
    assert found == (1, 2, 3)
    assert types(found) == [int, int, int]


def test_booleans_stay_booleans_and_equal_numbers():
    assert types(classes_of([column([True, False], "y_true")])) == [bool, bool]
    mixed = classes_of([column([True, False], "y_true"), column([1, 0], "y_pred")])
    assert types(mixed) == [int, int]
    assert encode(column([True, False], "y_true"), mixed).tolist() == [1, 0]
    assert encode(column([1.0, 0.0], "y_true"), (False, True)).tolist() == [1, 0]


def test_large_numbers_are_not_merged():
    big = [2**53, 2**53 + 1]
    assert classes_of([column(big, "y_true")]) == tuple(big)
    assert encode(column(big, "y_true"), tuple(big)).tolist() == [0, 1]
    wide = np.array([2**64 - 1, 0], np.uint64)
    assert encode(column(wide, "y_true"), (0, 2**64 - 1)).tolist() == [1, 0]


def test_text_and_numbers_are_refused_together():
    with pytest.raises(
        InputError, match=r"y_true holds text \(such as 'a'\); y_pred holds numbers"
    ):
        classes_of([column(["a"], "y_true"), column([1], "y_pred")])
    with pytest.raises(InputError, match="numbers never equal text"):
        encode(column([1], "y_true"), ("0", "1"))
    with pytest.raises(InputError, match="numbers never equal text"):
        encode(column(["1"], "y_true"), (0, 1))


@pytest.mark.parametrize(
    ("values", "classes", "words"),
    [
        (["a", "x", "y"], ("a", "b"), "unknown labels 'x', 'y' in 2 rows (rows 1 and 2"),
        ([0, 2], (0, 1), "unknown label 2 in 1 row (row 1"),
        ([-1, 0], (0, 1), "unknown label -1 in 1 row (row 0"),
        ([0.5, 1], (0, 1), "unknown label 0.5"),
        ([3, 5], (3, 4), "unknown label 5"),
        (np.array([3, 200], np.uint8), (3, 1000), "unknown label 200"),
        ([5], (0.5, 1.5), "unknown label 5"),
    ],
)
def test_unknown_labels_are_refused(values, classes, words):
    with pytest.raises(InputError) as caught:
        encode(column(values, "y_true"), classes)
    assert words in str(caught.value)
    assert "the classes are" in str(caught.value)
    assert "declare all classes" in str(caught.value)


def test_an_infinite_number_is_no_class():
    with pytest.raises(InputError, match="inf cannot be a class"):
        classes_of([column([1.0, np.inf], "y_true")])


def test_more_than_256_classes_need_wider_codes():
    values = list(range(300))
    assert encode(column(values, "y_true"), tuple(values)).dtype == np.int32


@given(
    st.one_of(
        st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1),
        st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1),
        st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1),
        st.lists(st.booleans(), min_size=1),
    )
)
def test_codes_give_the_labels_back(values):
    one = column(values, "y_true")
    classes = classes_of([one])
    assert list(classes) == sorted(set(values))
    assert [classes[code] for code in encode(one, classes)] == values


def test_places_follow_dropped_rows():
    places = Places("line", lambda positions: [at + 2 for at in positions])
    kept = places.at(np.array([False, True, False, True])).at(np.array([False, True]))
    assert kept.one(0) == "line 5"
    assert places.some(np.arange(7)) == "7 rows (lines 2, 3, 4, 5, 6, ...)"
    assert Places().some(np.array([3])) == "1 row (row 3, counting from 0)"
