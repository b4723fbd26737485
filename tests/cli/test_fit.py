"""`heliast fit`: the model is kept, and what its estimate speaks for is said."""

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import VotingClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
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
    assert "fitted on all 90 rows" in same.summary
    told = f"predict {kept} NEW.csv -o PREDICTIONS.csv --trust numpy.dtype"  # of an imputer
    assert told in " ".join(err.split())
    found = hl.predict(hl.load_model(kept, ["numpy.dtype"]), hl.read(data, "class"))
    labels = np.array(found.classes)[found.y_pred]
    np.testing.assert_array_equal(labels, same.predict(hl.read(data, "class")))
    again = ("--model", kept, "--fitted", "--trust", "numpy.dtype")
    fresh = data.with_name("fresh.csv")
    header, *rows = data.read_text().splitlines()
    fresh.write_text("\n".join([header, *rows[:-1]]))
    code, out, err = heliast("assess", fresh, "--target", "class", *again)
    assert code == 0, err


@pytest.fixture
def kept(heliast: Caller, data: Path) -> Path:
    place = data.with_name("kept.skops")
    words = ("--target", "class", "--model", "bayes", "--plan", "3", "--seed", "4")
    code, _, err = heliast("fit", data, *words, "-o", place)
    assert code == 0, err
    return place


def _turned(data: Path) -> Path:
    """The same rows, their columns in another order."""
    rows = [line.split(",") for line in data.read_text().splitlines()]
    other = data.with_name("turned.csv")
    other.write_text("\n".join(f"{v},{u},{c}" for u, v, c in rows))
    return other


def test_the_recipe_of_a_kept_fit_is_fitted_again(heliast: Caller, data: Path, kept: Path) -> None:
    said = []
    for model, source in (("bayes", data), (kept, data), (kept, _turned(data))):
        words = ("--target", "class", "--plan", "5", "--trust", "numpy.dtype", "--json")
        code, out, err = heliast("assess", source, "--model", f"it={model}", *words)
        assert code == 0, err
        said.append([one["value"] for one in json.loads(out)["estimates"]])
    np.testing.assert_allclose(said[1:], [said[0]] * 2)
    for line in ("u,class", "v,class"):
        (data.parent / "less.csv").write_text(line + "\n" + "1,a\n2,b\n3,a\n4,b\n" * 5)
        words = ("--target", "class", "--plan", "3", "--trust", "numpy.dtype")
        code, _, err = heliast("assess", data.parent / "less.csv", "--model", kept, *words)
        lacking = "v" if line[0] == "u" else "u"
        assert code == 2
        assert f"it takes the column '{lacking}', which the data lack" in " ".join(err.split())


def test_rows_of_training_do_not_judge_what_was_fitted_on_them(
    heliast: Caller, data: Path, kept: Path
) -> None:
    trust = ("--trust", "numpy.dtype")
    for source in (data, _turned(data)):
        words = ("--target", "class", "--model", kept, "--fitted", *trust)
        code, _, err = heliast("assess", source, *words)
        assert code == 2
        assert "fitted on these very rows" in " ".join(err.split())
        assert "leave --fitted out" in " ".join(err.split())
        made = data.with_name("p.csv")
        code, _, err = heliast("predict", kept, source, "-o", made, *trust)
        assert (code, "they do not judge it" in " ".join(err.split())) == (0, True)
        code, _, err = heliast("assess", made)
        assert (code, "--in-train any" in " ".join(err.split())) == (2, True)
    with pytest.raises(hl.InputError, match="these very rows"):
        hl.predict(kept, hl.read(data, "class"), trusted=["numpy.dtype"])


def test_columns_by_name_are_found_in_a_file(data: Path) -> None:
    by_name = make_column_transformer(
        (OneHotEncoder(), ["v"]), (StandardScaler(), make_column_selector(dtype_include=float))
    )
    by_place = make_column_transformer((StandardScaler(), [0]), (OneHotEncoder(), [1]))
    recipes = [make_pipeline(one, GaussianNB()) for one in (by_name, by_place)]
    with_it = VotingClassifier([("a", recipes[0])], voting="soft")
    made = hl.run({"a": recipes[0], "b": recipes[1], "c": with_it}, hl.read(data, "class"), 4)
    scores = [made.only(model=name).scores for name in "abc"]
    np.testing.assert_allclose(scores[1:], [scores[0]] * 2)


def test_a_vote_of_fitted_models_is_not_fitted_again(data: Path) -> None:
    rows = hl.read(data, "class")
    vote = hl.MajorityVote({"a": GaussianNB().fit(rows.matrix, rows.y)}, fitted=True).fit()
    with pytest.raises(hl.InputError, match="judge such a vote by `predict`"):
        hl.run(vote, rows, 3)


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
    assert "selected among 2 models inside each split" in " ".join(out.split())
    code, out, err = heliast("fit", data, *words, "--plan", "three-way")
    assert code == 0, err
    assert "selected among 2 models on validation rows" in " ".join(out.split())


@pytest.mark.parametrize(
    ("place", "said"), [("m.pkl", "end the name in .skops"), ("no/where/m.skops", "no folder")]
)
def test_a_place_that_cannot_be_is_refused_before_anything_is_fitted(
    heliast: Caller, data: Path, place: str, said: str
) -> None:
    code, out, err = heliast("fit", data, "--target", "class", "-o", data.parent / place)
    assert (code, out) == (2, "")
    assert said in " ".join(err.split())
