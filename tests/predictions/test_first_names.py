"""Files of the first version call columns `truth`, `label` and `seen`, and tasks otherwise."""

from pathlib import Path

import numpy as np
import pytest

from heliast import Predictions

FILES = Path(__file__).parent / "first_names"


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_classes_are_read_as_they_were(ending):
    table = Predictions.read(FILES / f"classes.{ending}", keep=["region"])
    assert table.task == "classification"
    assert (table.models, table.classes, table.splits.names) == (("a", "b"), ("no", "yes"), (0, 1))
    assert table.y_true.tolist() == [0, 1, 1, 0, 1, 0] * 2
    assert table.y_pred.tolist() == [0, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 1]
    assert table.in_train.tolist() == [0, 1, 0, 0, 0, 2] * 2
    assert np.round(table.scores, 3).tolist()[:3] == [0.2, 0.9, 0.4]
    assert table.weight.tolist() == [1, 2, 1, 1, 1, 3] * 2
    assert table.columns["region"].plain().tolist() == list("nsnsns") * 2


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_numbers_are_read_as_they_were(ending):
    table = Predictions.read(FILES / f"numbers.{ending}")
    assert table.task == "regression"
    assert table.y_true.tolist() == [1.5, 2.0, 3.5]
    assert table.y_pred.tolist() == [1.0, 2.5, 3.0]


def test_options_and_scans_find_the_columns():
    path = FILES / "classes.parquet"
    assert Predictions.read(path, positive="yes").positive == "yes"
    assert Predictions.scan(path, positive="yes").classes == ("no", "yes")


def test_what_is_written_again_has_the_new_names(tmp_path):
    table = Predictions.read(FILES / "classes.parquet")
    path = table.write(tmp_path / "again.parquet")
    assert Predictions.read(path).equals(table)
    names = table.to_frame().column_names
    assert {"y_true", "y_pred", "in_train"} <= {*names}
    assert {"truth", "label", "seen"}.isdisjoint(names)
