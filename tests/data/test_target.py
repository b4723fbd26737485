"""The target: found, and read as classes or numbers."""

import numpy as np
import pandas as pd
import pytest

from heliast._core.errors import InputError
from heliast.data import Dataset, read


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a", "Class", "b"], "Class"),
        (["y", "a", "TARGET"], "TARGET"),
        (["label", "y"], "y"),
        (["Outcome", "b"], "Outcome"),
        (["a", "b"], "b"),
    ],
)
def test_guessed_and_stated(names: list[str], expected: str) -> None:
    data = read({name: ["p", "q"] for name in names})
    assert data.target == expected
    assert any(note.startswith(f"target: {expected!r}") for note in data.notes)


def test_named_and_not_stated() -> None:
    data = read({"class": ["p", "q"], "sort": ["u", "v"]}, target="sort")
    assert (data.target, data.notes) == ("sort", ())


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("clas", "did you mean 'class'"),
        ("CLASS", "did you mean 'class'"),
        ("zzz", "the columns are 'a', 'class'"),
    ],
)
def test_not_found(target: str, message: str) -> None:
    with pytest.raises(InputError, match=f"the data frame: target='{target}'.*{message}"):
        read({"a": [1, 2], "class": ["p", "q"]}, target=target)


def decided(y: object) -> str:
    rows = len(y)  # type: ignore[arg-type]
    return Dataset.of(np.arange(rows, dtype=float)[:, None], y).task


def test_tasks() -> None:
    whole = np.arange(1000)
    assert decided(["a", "b"]) == "classification"
    assert decided([True, False]) == "classification"
    assert decided([0, 1, 1]) == "classification"
    assert decided([1.0, 2.0, 2.0]) == "classification"
    assert decided([1.0, 2.5, 2.0]) == "regression"
    assert decided(whole % 20) == "classification"
    assert decided(whole % 21) == "regression"
    assert decided((whole % 21).astype(float)) == "regression"


def test_categorical_numbers_are_classes() -> None:
    frame = pd.DataFrame({"x": np.arange(90.0), "y": pd.Categorical(np.arange(90) % 60)})
    data = read(frame)
    assert data.task == "classification"
    assert data.classes == tuple(range(60))


def test_told() -> None:
    X = np.zeros((4, 1))
    assert Dataset.of(X, [1, 2, 1, 2], task="regression").y_true.tolist() == [1.0, 2.0, 1.0, 2.0]
    assert Dataset.of(X, [0.5, 2.0, 0.5, 2.0], task="classification").classes == (0.5, 2)


def test_names_are_not_classes() -> None:
    names = [f"person {at}" for at in range(60)]
    with pytest.raises(InputError, match="60 different values in 60 rows: names or sentences"):
        read({"x": list(range(60)), "who": names})
    assert len(read({"x": list(range(60)), "who": names}, task="classification").classes) == 60


def test_codes_are_sorted_and_wide() -> None:
    data = Dataset.of(np.zeros((3, 1)), ["b", "c", "a"])
    assert data.y_true.dtype == np.int64
    assert data.y_true.tolist() == [1, 2, 0]


def test_nothing_beside_the_target() -> None:
    with pytest.raises(InputError, match="no column beside the target"):
        read({"class": ["a", "b"]})
    with pytest.raises(InputError, match="no column is left"):
        read({"class": ["a", "b"]}, ignore="class")
