"""Models from files: what loads, what is refused, and that refusing runs none of its code."""

import contextlib
import io
import json
import os
import pickle
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from skops import io as skops

import heliast as hl
from heliast._core.errors import InputError
from heliast.cli import main

ESCAPED = str(Path(tempfile.gettempdir()) / "heliast-escaped")

TREE = "sklearn.tree._tree.Tree"


class Boom:
    """What a pickle can do: this runs when it is loaded."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.path),)


@pytest.fixture
def iris(tmp_path: Path) -> tuple[Path, Path]:
    """Half of the flowers as a file, a model of the other half as another."""
    X, y = load_iris(return_X_y=True)
    names = ["setosa", "versicolor", "virginica"]
    lines = [",".join([*map(str, row), names[k]]) for row, k in zip(X[::2], y[::2], strict=True)]
    data = tmp_path / "iris.csv"
    data.write_text("\n".join(["a,b,c,d,class", *lines]))
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(
        X[1::2], np.array(names)[y[1::2]]
    )
    skops.dump(model, tmp_path / "logistic.skops")
    return data, tmp_path / "logistic.skops"


def heliast(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr(sys, "argv", ["heliast", "--quiet", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["m.pkl", "m.joblib", "m.pickle", "m.skops", "m.PKL"])
def test_a_pickle_is_refused_and_its_code_does_not_run(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(pickle.dumps(Boom(tmp_path / "ran")))
    with pytest.raises(InputError, match="A pickle may run any code") as refused:
        hl.load_model(path)
    assert "skops.io.dump" in str(refused.value)
    assert not (tmp_path / "ran").exists()


def archive(path: Path, schema: object, **more: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("schema.json", json.dumps(schema))
        for name, content in more.items():
            packed.writestr(name, content)
    return path


def node(module: str, name: str, loader: str = "ObjectNode", **more: object) -> dict[str, object]:
    import skops as installed

    about = {"protocol": 2, "_skops_version": installed.__version__, "__id__": 1}
    return {"__module__": module, "__class__": name, "__loader__": loader, **about, **more}


@pytest.mark.parametrize("loader", ["ObjectNode", "TypeNode", "FunctionNode"])
def test_unknown_types_are_listed_and_not_imported(
    tmp_path: Path, loader: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "strange_module_of_theirs.py").write_text(
        f"import os\nos.mkdir({str(tmp_path / 'ran')!r})\nclass Thing: pass\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    path = archive(
        tmp_path / "m.skops", node("strange_module_of_theirs", "Thing", loader, content=None)
    )
    with pytest.raises(InputError, match=r"strange_module_of_theirs\.Thing"):
        hl.load_model(path)
    assert not (tmp_path / "ran").exists()
    assert "strange_module_of_theirs" not in sys.modules


@pytest.mark.parametrize(
    ("module", "name", "loader"),
    [
        ("os", "system", "FunctionNode"),
        ("posix", "system", "FunctionNode"),
        ("builtins", "eval", "FunctionNode"),
        ("builtins", "exec", "ObjectNode"),
        ("subprocess", "Popen", "ObjectNode"),
        ("sklearn.utils._testing", "os.system", "FunctionNode"),
    ],
)
def test_functions_that_run_anything_are_refused(
    tmp_path: Path, module: str, name: str, loader: str
) -> None:
    path = archive(tmp_path / "m.skops", node(module, name, loader, content=None))
    with pytest.raises(InputError):
        hl.load_model(path)


def test_unknown_types_need_a_name_each(tmp_path: Path) -> None:
    X, y = load_iris(return_X_y=True)
    path = tmp_path / "tree.skops"
    tree = DecisionTreeClassifier(max_depth=2).fit(X, y)
    skops.dump(tree, path)
    if not skops.get_untrusted_types(file=path):
        pytest.skip("this release of skops knows trees")
    with pytest.raises(InputError, match=f"--trust {TREE}"):
        hl.load_model(path)
    with pytest.raises(InputError, match="not known to be safe"):
        hl.load_model(path, trusted=["sklearn.tree"])
    found = hl.load_model(path, trusted=[TREE])
    np.testing.assert_array_equal(found.predict_proba(X), tree.predict_proba(X))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not a skops file"),
        (b"y_true,y_pred\n", "not a skops file"),
        (b"PK\3\4 and nothing else", "not a skops file"),
        (b"\x93NUMPY", "not a skops file"),
    ],
)
def test_what_is_no_model_file(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "m.skops"
    path.write_bytes(content)
    with pytest.raises(InputError, match=words):
        hl.load_model(path)


def test_damage_is_refused(iris: tuple[Path, Path]) -> None:
    whole = iris[1].read_bytes()
    draw = np.random.default_rng(1)
    refused = []
    for _ in range(60):
        spoilt = bytearray(whole)
        at = int(draw.integers(0, len(whole)))
        spoilt[at : at + 8] = draw.bytes(8)
        iris[1].write_bytes(spoilt[: int(draw.integers(at, len(whole) + 1))])
        try:
            hl.load_model(iris[1])
        except InputError as error:
            refused.append(str(error))
    assert len(refused) > 30
    assert all("logistic.skops" in words for words in refused)


def test_a_small_file_that_unpacks_to_a_large_one(tmp_path: Path) -> None:
    path = archive(tmp_path / "m.skops", {}, zeros=bytes(150_000_000))
    with pytest.raises(InputError, match="unpack to 150,000,00"):
        hl.load_model(path)


def test_deep_nesting(tmp_path: Path) -> None:
    path = tmp_path / "m.skops"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("schema.json", "[" * 200_000 + "]" * 200_000)
    with pytest.raises(InputError, match="cannot be loaded"):
        hl.load_model(path)


def test_names_in_the_archive_go_nowhere(tmp_path: Path, iris: tuple[Path, Path]) -> None:
    packed = io.BytesIO(iris[1].read_bytes())
    with zipfile.ZipFile(packed, "a") as more:
        more.writestr("../../escaped", "x")
        more.writestr(ESCAPED, "x")
    iris[1].write_bytes(packed.getvalue())
    before = sorted(tmp_path.parent.rglob("*"))
    hl.load_model(iris[1])
    assert sorted(tmp_path.parent.rglob("*")) == before
    assert not Path(ESCAPED).exists()


def test_without_skops_it_is_said_what_to_install(
    iris: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "skops", None)
    with pytest.raises(InputError, match=r"pip install 'heliast\[models\]'"):
        hl.load_model(iris[1])


def test_what_is_not_a_model(tmp_path: Path) -> None:
    skops.dump({"a": 1}, tmp_path / "m.skops")
    with pytest.raises(InputError, match="holds a dict, which is not a model"):
        hl.load_model(tmp_path / "m.skops")
    with pytest.raises(InputError, match="no such file"):
        hl.load_model(tmp_path / "none.skops")
    (tmp_path / "folder.skops").mkdir()
    os.mkfifo(tmp_path / "pipe.skops")  # would be waited for
    for name in ("folder.skops", "pipe.skops"):
        with pytest.raises(InputError, match="a folder, a pipe or a device"):
            hl.load_model(tmp_path / name)


@pytest.mark.parametrize("how", ["pipeline", "grid", "inside a grid"])
def test_no_cache_is_read_for_a_pipeline_with_a_memory(
    tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that comes with the model holds a pickle, where joblib looks for a fitted step."""
    X, y = load_iris(return_X_y=True)
    monkeypatch.chdir(tmp_path)
    pipeline = make_pipeline(StandardScaler(), GaussianNB())
    cached = clone(pipeline).set_params(memory="cache")
    cached.fit(X, y)
    results = [*Path("cache").rglob("output.pkl")]
    assert results
    for place in results:
        place.write_bytes(pickle.dumps(Boom(tmp_path / "ran")))
    with contextlib.suppress(Exception):  # that the attack works
        clone(cached).fit(X, y)
    assert (tmp_path / "ran").exists()
    (tmp_path / "ran").rmdir()
    for place in results:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(pickle.dumps(Boom(tmp_path / "ran")))
    all_rows = [(range(150), range(9))]
    models = {
        "pipeline": cached,
        "grid": GridSearchCV(pipeline, {"memory": ["cache"]}, cv=all_rows),
        "inside a grid": GridSearchCV(
            Pipeline([("a", GaussianNB())]), {"a": [cached]}, cv=all_rows
        ),
    }
    skops.dump(models[how], tmp_path / "m.skops")
    model = hl.load_model(tmp_path / "m.skops", skops.get_untrusted_types(file="m.skops"))
    with contextlib.suppress(Exception):  # a grid of nothing cannot be fitted
        model.fit(X, y)
        model.predict(X)
    assert not (tmp_path / "ran").exists()
    if how == "pipeline":
        np.testing.assert_array_equal(model.predict(X), pipeline.fit(X, y).predict(X))


def test_memory_in_a_vocabulary_stays(tmp_path: Path) -> None:
    words = CountVectorizer().fit(["a memory", "of memory"])
    skops.dump(make_pipeline(words, GaussianNB()), tmp_path / "m.skops")
    assert hl.load_model(tmp_path / "m.skops")[0].vocabulary_ == words.vocabulary_


# --- what a model file is for --------------------------------------------------------------------


def test_the_recipe_is_fitted_again_on_every_split(
    iris: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = iris[0].with_name("p.parquet")
    words = ("--model", iris[1], "--model", "again=" + str(iris[1]), "--plan", "5")
    assert heliast(monkeypatch, "run", iris[0], *words, "-o", out) == 0
    table = hl.Predictions.read(out)
    recipe = make_pipeline(StandardScaler(), LogisticRegression())
    expected = hl.run({"logistic": recipe}, hl.read(str(iris[0])), 5, progress=False)
    assert table.models == ("logistic", "again")
    assert np.array_equal(table.only("logistic").scores, expected.scores)  # type: ignore[arg-type]


def test_a_fitted_model_is_assessed_as_it_is(
    iris: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert heliast(monkeypatch, "assess", iris[0], "--model", iris[1], "--fitted", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    data = hl.read(str(iris[0]))
    wrong = (hl.load_model(iris[1]).predict(data.matrix) != data.y).mean()
    error = next(one for one in found["estimates"] if one["measure"] == "error")
    assert error["value"] == wrong
    assert error["method"] == "Wilson, exact lower limit"
    assert error["target"] == "model"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--model", "d.pkl"), "A pickle may run any code"),
        (("--model", "{model}", "--model", "{model}"), "there is a 'logistic' already"),
        (("--fitted",), "name the file of a fitted model"),
        (("--fitted", "--model", "bayes"), "not fitted yet"),
        (("--model", "none.skops"), "no such file"),
    ],
)
def test_refused_on_the_command_line(
    iris: tuple[Path, Path],
    words: tuple[str, ...],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(iris[0].parent)
    Path("d.pkl").write_bytes(pickle.dumps({}))
    given = [word.format(model=iris[1]) for word in words]
    for verb in ("assess", "compare"):
        assert heliast(monkeypatch, verb, iris[0], "--target", "class", *given) == 2
        assert said in capsys.readouterr().err


def test_trust_is_named_on_the_command_line(
    iris: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = hl.read(str(iris[0]))
    path = iris[1].with_name("tree.skops")
    skops.dump(DecisionTreeClassifier(random_state=1).fit(data.matrix, data.y), path)
    words = ("compare", iris[0], "--model", path, "--model", iris[1], "--fitted")
    if skops.get_untrusted_types(file=path):
        assert heliast(monkeypatch, *words) == 2
        assert f"--trust {TREE}" in capsys.readouterr().err
    assert heliast(monkeypatch, *words, "--trust", TREE) == 0
    assert "tree" in capsys.readouterr().out


# --- predict -------------------------------------------------------------------------------------


def test_predict_is_what_the_model_says() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    for model in (GaussianNB(), SVC()):
        fitted = model.fit(X[::2], y[::2])
        table = hl.predict(fitted, (X[1::2], y[1::2]))
        assert np.array_equal(table.y_pred, fitted.predict(X[1::2]))
        other = hl.Predictions.of(
            y[1::2],
            y_score=fitted.predict_proba(X[1::2])[:, 1]
            if hasattr(fitted, "predict_proba")
            else fitted.decision_function(X[1::2]),
        )
        name = type(model).__name__
        assert hl.assess(table)[name, "auc"].value == pytest.approx(
            hl.assess(other)["model", "auc"].value, abs=1e-12
        )


def test_predict_of_numbers_and_of_several_models() -> None:
    draw = np.random.default_rng(1)
    X = draw.normal(size=(60, 2))
    y = X @ [1.0, 2.0] + draw.normal(size=60)
    fitted = {
        "a": LinearRegression().fit(X[:30], y[:30]),
        "b": LinearRegression().fit(X[:9], y[:9]),
    }
    table = hl.predict(fitted, (X[30:], y[30:]))
    assert table.models == ("a", "b")
    assert np.allclose(table.only("a").y_pred, fitted["a"].predict(X[30:]))
    assert hl.compare(table, "mse").pairs[0].n == 30


def test_columns_are_found_by_name_and_missing_ones_are_named() -> None:
    import pandas as pd

    X, y = load_iris(return_X_y=True)
    frame = pd.DataFrame(X, columns=list("abcd"))
    fitted = GaussianNB().fit(frame, y)
    turned = hl.Dataset.of(X[:, ::-1], y, names=list("dcba"))
    assert np.array_equal(hl.predict(fitted, turned).y_pred, fitted.predict(frame))
    both = hl.Dataset.of(frame[list("dcba")], y)
    assert np.array_equal(hl.predict(fitted, both).y_pred, fitted.predict(frame))
    with pytest.raises(InputError, match="it takes the column 'd', which the data lack"):
        hl.predict(fitted, hl.Dataset.of(X[:, :3], y, names=list("abc")))


def test_classes_that_only_the_model_knows() -> None:
    X, y = load_iris(return_X_y=True)
    fitted = GaussianNB().fit(X, y)
    some = y != 1
    table = hl.predict(fitted, (X[some], y[some]))
    assert table.classes == (0, 1, 2)
    assert np.array_equal(np.array(table.classes)[table.y_pred], fitted.predict(X[some]))
    named = np.array(["x", "y", "z"])[y]
    with pytest.raises(InputError, match="numbers never equal text"):
        hl.predict(fitted, (X, named))
    with pytest.raises(InputError, match="cannot predict these data"):
        hl.predict(fitted, (X[:, :2], y))
