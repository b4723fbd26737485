"""scikit-learn's own sets by name."""

import pytest

from heliast._core.errors import InputError
from heliast.data import Dataset, read


@pytest.mark.parametrize(
    ("name", "n", "width", "classes"),
    [
        ("iris", 150, 4, ("setosa", "versicolor", "virginica")),
        ("digits", 1797, 64, tuple(range(10))),
        ("wine", 178, 13, ("class_0", "class_1", "class_2")),
        ("breast_cancer", 569, 30, ("benign", "malignant")),
        ("diabetes", 442, 10, ()),
    ],
)
def test_sets(name: str, n: int, width: int, classes: tuple[object, ...]) -> None:
    data = read(f"sklearn:{name}")
    assert (data.n, len(data.inputs), data.classes, data.name) == (n, width, classes, name)
    assert data.task == ("classification" if classes else "regression")
    assert not data.has_missing


def test_same_as_from_arrays() -> None:
    from sklearn.datasets import load_iris

    found = load_iris()
    same = Dataset.of(
        found.data, found.target_names[found.target], names=found.feature_names, target="class"
    )
    assert read("sklearn:iris").fingerprint == same.fingerprint


def test_unknown_set() -> None:
    with pytest.raises(InputError, match="did you mean sklearn:iris"):
        read("sklearn:irsi")
    with pytest.raises(InputError, match="they are breast_cancer, diabetes"):
        read("sklearn:")
