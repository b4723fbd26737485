"""Real files, as their README describes them."""

from pathlib import Path

import pytest

from heliast.data import read

FILES = {
    # rows, inputs, classes (0: a number), missing fields
    "letter": (20000, 16, 26, 0),
    "iris": (150, 4, 3, 0),
    "glass": (214, 9, 6, 0),
    "sonar": (208, 60, 2, 0),
    "pima": (768, 8, 2, 0),
    "housevotes84": (435, 16, 2, 392),
    "weather_nominal": (14, 4, 2, 0),
    "contact_lenses": (24, 4, 3, 0),
    "boston": (506, 13, 0, 0),
}


@pytest.mark.parametrize("name", FILES)
def test_files(shared_data: Path, name: str) -> None:
    data = read(shared_data / f"{name}.csv")
    n, width, classes, missing = FILES[name]
    assert (data.n, len(data.inputs), len(data.classes)) == (n, width, classes)
    assert sum(one.missing for one in data.inputs) == missing
    assert data.task == ("classification" if classes else "regression")
    assert data.name == name
    nominal = ("housevotes84", "weather_nominal", "contact_lenses")
    assert len(data.nominal) == (width if name in nominal else 0)


def test_vowel_has_columns_that_are_not_inputs(shared_data: Path) -> None:
    path = shared_data / "vowel.csv"
    data = read(path, ignore=["split", "sex"], group="speaker")
    assert (data.n, data.names, len(data.classes)) == (990, tuple(f"F{i}" for i in range(10)), 11)
    assert data.group is not None
    assert set(data.group.tolist()) == set(range(15))
    train = read(path).inputs[0]
    assert train.categories == ("Test", "Train")
    assert (train.values == 1).sum() == 528


def test_boston_as_numbers(shared_data: Path) -> None:
    data = read(shared_data / "boston.csv")
    assert data.y_true.mean() == pytest.approx(22.532806, abs=1e-6)
    assert data.y_true.tolist()[:2] == [24.0, 21.6]
