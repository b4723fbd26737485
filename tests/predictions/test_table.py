"""The table itself: its parts, what is incomplete, the splits beside it."""

import numpy as np
import pytest

from heliast import Predictions
from heliast._core.errors import InputError
from heliast.predictions import Split, Splits


def folds() -> Predictions:
    return Predictions.of(
        [0, 1, 0, 1, 0, 1],
        [0, 1, 1, 1, 0, 0],
        model=["m", "m", "m", "m", "k", "k"],
        split=[1, 1, 2, 2, 1, 1],
        row=[1, 2, 3, 4, 1, 2],
        in_train=[0, 0, 0, 1, 0, 0],
    )


def test_parts():
    table = folds()
    assert table.only("m").y_true.tolist() == [0, 1, 0, 1]
    assert table.only(["k", "m"]).models == ("k", "m")
    assert table.only(split=2).row.tolist() == [3, 4]
    assert table.only(split=np.int64(2)).row.tolist() == [3, 4]
    assert table.only("m", split=[2, 1]).splits.names == (2, 1)
    assert table.only(in_train=1).row.tolist() == [4]
    assert table.only(role="test").equals(table)


def test_rows_never_seen_are_all_rows_where_nothing_is_said():
    table = Predictions.of([0, 1], [0, 1])
    assert len(table.only(in_train=0)) == 2
    assert len(table.only(in_train=1)) == 0


def test_unknown_parts_are_refused():
    with pytest.raises(InputError, match="no model named 'z'; there are: m, k"):
        folds().only("z")
    with pytest.raises(InputError, match="no split named 7"):
        folds().only(split=7)
    with pytest.raises(InputError, match="several models"):
        folds().rows()


def test_split_by_split():
    assert [(name, len(part)) for name, part in folds().per_split("m")] == [(1, 2), (2, 2)]
    assert [name for name, _ in folds().per_split("k")] == [1]


def test_what_is_incomplete_is_counted():
    assert not folds().complete
    assert folds().incomplete() == {"k": 2}
    assert folds().only("m").complete
    unnamed = Predictions.of([0, 1, 0], [0, 1, 1], model=["m", "m", "k"])
    assert unnamed.incomplete() == {"k": 1}


def test_splits_are_a_table():
    splits = Splits((Split("a", "validation"), Split("b", n_train=5)))
    assert splits.names == ("a", "b")
    assert splits["b"].n_train == 5
    assert splits.of_role("validation") == (Split("a", "validation"),)
    assert splits.to_dict()[0]["role"] == "validation"
    assert len(splits) == len(list(splits)) == 2


def test_it_says_what_it_is():
    assert repr(folds()) == "<Predictions: 6 rows of 2 classes; 2 models (m, k); 2 splits>"
    one = Predictions.of([0.5], [1])
    assert repr(one) == "<Predictions: 1 row of numbers; 1 model (model); 1 split>"
