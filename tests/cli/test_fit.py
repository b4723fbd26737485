"""`heliast fit`: the model is kept, and what its estimate speaks for is said."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.cli.conftest import Caller

import heliast as hl


@pytest.fixture
def data(tmp_path: Path) -> Path:
    rng = np.random.default_rng(2)
    rows = [f"{x + rng.normal():.3f},{'ruv'[x % 3]},{'ab'[x % 2]}" for x in range(90)]
    path = tmp_path / "d.csv"
    path.write_text("\n".join(["u,v,class", *rows]))
    return path


def test_the_answer_is_that_of_python_and_the_file_predicts(heliast: Caller, data: Path) -> None:
    kept = data.parent / "m.skops"
    words = ("--target", "class", "--model", "lda", "--model", "bayes", "--plan", "3")
    code, out, err = heliast("fit", data, *words, "--seed", "4", "-o", kept, "--json")
    assert code == 0, err
    panel = hl.fitting.panel.CLASSES
    models = {name: panel[name]() for name in ("lda", "bayes")}
    same = hl.fit(models, hl.read(data, "class"), 3, seed=4)
    assert json.loads(out) == json.loads(json.dumps(same.to_dict()))
    assert "fitted on all 90 rows" in same.sentence
    told = f"predict {kept} NEW.csv -o PREDICTIONS.csv --trust numpy.dtype"  # of an imputer
    assert told in " ".join(err.split())
    found = hl.predict(hl.load_model(kept, ["numpy.dtype"]), hl.read(data, "class"))
    labels = np.array(found.classes)[found.label]
    np.testing.assert_array_equal(labels, same.predict(hl.read(data, "class")))
    again = ("--model", kept, "--fitted", "--trust", "numpy.dtype")
    code, out, err = heliast("assess", data, "--target", "class", *again)
    assert code == 0, err


def test_nested_and_three_way(heliast: Caller, data: Path) -> None:
    words = (
        "--target",
        "class",
        "--model",
        "lda",
        "--model",
        "bayes",
        "-o",
        data.parent / "m.skops",
    )
    code, out, err = heliast("fit", data, *words, "--plan", "3", "--nested", "3")
    assert code == 0, err
    assert "chosen among 2 anew inside each split" in " ".join(out.split())
    code, out, err = heliast("fit", data, *words, "--plan", "three-way")
    assert code == 0, err
    assert "chosen among 2 on validation rows" in " ".join(out.split())


@pytest.mark.parametrize(
    ("place", "said"), [("m.pkl", "end the name in .skops"), ("no/where/m.skops", "no folder")]
)
def test_a_place_that_cannot_be_is_refused_before_anything_is_fitted(
    heliast: Caller, data: Path, place: str, said: str
) -> None:
    code, out, err = heliast("fit", data, "--target", "class", "-o", data.parent / place)
    assert (code, out) == (2, "")
    assert said in " ".join(err.split())
