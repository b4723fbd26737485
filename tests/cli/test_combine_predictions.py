"""`heliast combine` on files of predictions: weights, an honest error, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest

from heliast import Predictions


def forecasts(n=200, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    said = {}
    for name, noise in {"forest": 1.0, "svm": 1.2, "net": 1.4}.items():
        said[name] = 1 / (1 + np.exp(-(2 * truth - 1 + rng.normal(0, noise, n))))
    return truth, said


@pytest.fixture
def files(heliast):
    """Three files in the folder of the command line, rows in other orders, and what they hold."""
    truth, said = forecasts()
    rng = np.random.default_rng(1)
    for name, score in said.items():
        order = rng.permutation(truth.size)
        lines = [f"{row},{['no', 'yes'][truth[row]]},{score[row]:.9f}" for row in order]
        with open(f"{name}.csv", "w") as file:
            file.write("\n".join(["id,y_true,prob_yes", *lines]))
    return truth, said


def test_weights_error_and_what_simpler_ones_lose(heliast, files):
    names = ("forest.csv", "svm.csv", "net.csv")
    code, out, err = heliast("combine", *names)
    assert code == 0, err
    assert "assessed on rows that did not choose" in out
    for word in (
        "forest",
        "svm",
        "net",
        "best single",
        "majority",
        "mean",
        "lower by",
        "Recommended: ",
    ):
        assert word in out
    code, told, _ = heliast("combine", *names, "--json", "--method", "stacked", "-o", "v.parquet")
    assert code == 0
    found = json.loads(told)
    assert sum(found["weights"].values()) == pytest.approx(1)
    vote = Predictions.read("v.parquet").only("vote")
    assert np.mean(vote.y_pred != vote.y_true) == pytest.approx(found["vote"]["value"])
    assert found["vote"]["low"] < found["vote"]["value"] < found["vote"]["high"]
    assert {*found["against"]} == {"best single", "majority", "mean"}
    assert found["method"] == "stacked"


def test_judged_by_another_measure(heliast, files):
    code, told, _ = heliast("combine", "forest.csv", "svm.csv", "--measure", "auc", "--json")
    assert code == 0
    assert json.loads(told)["measure"] == "auc"
    assert heliast("combine", "forest.csv", "svm.csv", "--cost", "0,1;5,0")[0] == 0
    code, _, _ = heliast("combine", "forest.csv", "svm.csv", "--report", "r.html")
    assert code == 0
    assert "best single" in Path("r.html").read_text()


def test_one_file_of_several_models(heliast):
    truth, said = forecasts()
    tables = [Predictions.of(truth, y_score=p, model=m, row=range(200)) for m, p in said.items()]
    tables[0].join(*tables[1:]).write("all.csv")
    code, out, _ = heliast("combine", "all.csv")
    assert code == 0
    assert "best single" in out


def test_numbers(heliast):
    rng = np.random.default_rng(0)
    truth = rng.normal(size=120)
    for name in "ab":
        Predictions.of(truth, truth + rng.normal(size=120), model=name, row=range(120)).write(
            f"{name}.csv"
        )
    code, out, _ = heliast("combine", "a.csv", "b.csv")
    assert code == 0
    assert "plain mean of numbers" in out


def test_what_is_refused(heliast, files):
    truth, _ = files
    code, _, err = heliast("combine", "forest.csv")
    assert code == 2
    assert "one model (forest)" in err
    code, _, err = heliast("combine", "forest.csv", "svm.csv", "--method", "best")
    assert code == 2
    assert "'greedy' or 'stacked'" in err
    code, _, err = heliast("combine", "forest.csv", "svm.csv", "--store", "kept")
    assert code == 2
    assert "--store" in err
    assert "holds predictions" in err
    code, _, err = heliast("combine", "forest.csv", "svm.csv", "--n-estimators", "5")
    assert code == 2
    assert "one file of data" in err
    with open("bare.csv", "w") as file:
        lines = [f"{row},{['no', 'yes'][one]},yes" for row, one in enumerate(truth)]
        file.write("\n".join(["id,y_true,y_pred", *lines]))
    code, _, err = heliast("combine", "forest.csv", "bare.csv", "--method", "stacked")
    assert code == 2
    assert "none: bare" in err
    code, out, _ = heliast("combine", "forest.csv", "bare.csv")
    assert code == 0
    assert "no probabilities of bare" in " ".join(out.split())


def test_rows_that_only_partly_agree(heliast, files):
    truth, said = files
    with open("part.csv", "w") as file:
        lines = [f"{row},{['no', 'yes'][truth[row]]},{said['svm'][row]}" for row in range(150)]
        file.write("\n".join(["id,y_true,prob_yes", *lines]))
    code, _, err = heliast("combine", "forest.csv", "part.csv")
    assert code == 2
    assert "--common-rows" in err
    code, out, _ = heliast("combine", "forest.csv", "part.csv", "--common-rows", "--json")
    assert code == 0
    assert "150 of 200" in out


def test_data_are_told_from_predictions(heliast):
    rng = np.random.default_rng(0)
    rows = [f"{a:.3f},{b:.3f},{'xy'[int(a > 0)]}" for a, b in rng.normal(size=(60, 2))]
    with open("d.csv", "w") as file:
        file.write("\n".join(["a,b,class", *rows]))
    code, out, err = heliast("combine", "d.csv", "--plan", "2", "--n-estimators", "2")
    assert code == 0, err
    assert "Recommended: " in out
    code, _, err = heliast("combine", "d.csv", "--target", "class", "--method", "greedy")
    assert code == 2
    assert "--method is for files of predictions" in err
