"""All sample files of Weka, where they are installed."""

import os
from pathlib import Path

import pytest

from heliast.data import read

PLACES = (
    "/usr/share/doc/weka/examples",
    "/usr/share/doc/weka-doc/examples",
    "/usr/share/weka/data",
)

KNOWN = {
    # rows, numeric inputs, nominal inputs, classes (0: a number), missing fields
    "ReutersCorn-train": (1554, 0, 0, 2, 0),
    "breast-cancer": (286, 0, 9, 2, 9),
    "contact-lenses": (24, 0, 4, 3, 0),
    "cpu": (209, 6, 0, 0, 0),
    "cpu.with.vendor": (209, 6, 1, 0, 0),
    "credit-g": (1000, 7, 13, 2, 0),
    "diabetes": (768, 8, 0, 2, 0),
    "glass": (214, 9, 0, 6, 0),
    "ionosphere": (351, 34, 0, 2, 0),
    "iris": (150, 4, 0, 3, 0),
    "labor": (57, 8, 8, 2, 326),
    "segment-challenge": (1500, 19, 0, 7, 0),
    "soybean": (683, 0, 35, 19, 2337),
    "unbalanced": (856, 32, 0, 2, 0),
    "vote": (435, 0, 16, 2, 392),
    "weather.nominal": (14, 0, 4, 2, 0),
    "weather.numeric": (14, 2, 2, 2, 0),
}


def weka_files() -> list[Path]:
    places = [os.environ.get("HELIAST_WEKA", ""), *PLACES]
    folder = next((Path(place) for place in places if place and Path(place).is_dir()), None)
    if folder is None:
        return []
    return sorted([*folder.glob("*.arff"), *folder.glob("*.arff.gz")])


@pytest.mark.skipif(not weka_files(), reason="Weka's sample files are not on this machine")
def test_every_file_loads() -> None:
    for path in weka_files():
        data = read(path)
        found = (
            data.n,
            len(data.inputs) - len(data.nominal),
            len(data.nominal),
            len(data.classes),
            sum(one.missing for one in data.inputs),
        )
        assert found == KNOWN.get(data.name, found), path.name
        assert data.matrix.shape == (data.n, len(data.inputs))


@pytest.mark.skipif(not weka_files(), reason="Weka's sample files are not on this machine")
def test_votes_are_those_of_the_shared_data(shared_data: Path) -> None:
    path = next(one for one in weka_files() if one.name.startswith("vote."))
    weka, ours = read(path), read(shared_data / "housevotes84.csv")
    for one, other in zip(weka.inputs, ours.inputs, strict=True):
        assert one.categories == other.categories == ("n", "y")
        assert (one.values == other.values).all()
    assert weka.y.tolist() == ours.y.tolist()
