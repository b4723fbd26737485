"""explain: advice on models whose bias and variance are known."""

import json
import subprocess
import sys

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from heliast._core.errors import InputError
from heliast.data import simulate
from heliast.verbs.explain import explain_table


@pytest.fixture(scope="module")
def explained():
    """A deep tree is right on average but varies; the most frequent class is always the same."""
    data = simulate.gaussian_classes(4, spread=6.0).sample(300, seed=3)
    models = {
        "deep": DecisionTreeClassifier(random_state=0),
        "prior": DummyClassifier(strategy="most_frequent"),
    }
    return hl.explain(models, data, plan=hl.Fresh(40, n_train=60), seed=2)


def test_variance_of_a_deep_tree_and_bias_of_the_prior(explained):
    assert explained.decomposition.noise_known
    assert explained.advice["deep"].startswith("variance dominates: bag it")
    assert explained.advice["prior"].startswith("bias dominates: boost it")


def test_what_a_vote_would_do_is_what_the_vote_does(explained):
    """The error of the vote of all fits is the loss without the variance effect, but for ties."""
    plain = explain_table(explained.predictions)
    parts, voted = plain.decomposition, plain.margins["deep"]
    assert not parts.noise_known
    expected = parts["deep", "loss"].value - parts["deep", "variance_effect"].value
    right = 1 - voted.error
    assert 1 - expected == pytest.approx(right, abs=voted.ties / voted.n + 1e-9)


def test_margins_are_those_of_the_fits_that_did_not_see_the_row(explained):
    part = explained.predictions.only(model="deep", in_train=0)
    one = explained.margins["deep"]
    rows = np.unique(part.row)
    at = rows[7]
    said = part.y_pred[part.row == at]
    truth = part.y_true[part.row == at][0]
    shares = np.bincount(said, minlength=len(part.classes)) / len(said)
    other = np.delete(shares, truth).max()
    assert one.value[7] == pytest.approx(shares[truth] - other)
    assert explained.narrow("deep") == np.mean(np.abs(one.value) < 0.2)


def test_views(explained):
    assert json.loads(json.dumps(explained.to_dict()))["advice"]["deep"]
    assert "How the fits vote out of sample" in str(explained)
    assert "variance dominates" in explained._repr_html_()


def test_a_table_of_another_origin():
    rng = np.random.default_rng(0)
    truth = np.tile(rng.integers(0, 2, 60), 20)
    label = np.where(rng.random(1200) < 0.3, 1 - truth, truth)
    table = hl.Predictions.of(
        truth, label, row=np.tile(np.arange(60), 20), split=np.repeat(np.arange(20), 60), positive=1
    )
    assert explain_table(table).advice["model"].startswith("variance dominates")


def test_numbers_are_refused():
    with pytest.raises(InputError, match="explain is for classification"):
        hl.explain({}, hl.Dataset.of(np.arange(9.0)[:, None], np.arange(9) / 7))


def test_models_come_first():
    data = simulate.gaussian_classes(3).sample(60, seed=1)
    with pytest.raises(InputError, match=r"explain\(models, data\)"):
        hl.explain(data, {"prior": DummyClassifier()}, 5)


def test_on_the_command_line(tmp_path):
    X, y = load_breast_cancer(return_X_y=True)
    rows = [",".join([*map(str, x), f"c{label}"]) for x, label in zip(X[:200, :4], y, strict=False)]
    (tmp_path / "d.csv").write_text("\n".join(["a,b,c,d,class", *rows]))
    words = ["explain", "d.csv", "--target", "class", "--model", "tree", "--times", "20"]
    done = subprocess.run(
        [sys.executable, "-m", "heliast.cli", *words], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "adds up to" in done.stdout
