"""combine: read from a table with known answers, and run from end to end."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from heliast import BoostedMedian
from heliast._core.errors import InputError
from heliast.verbs.combine import _with_averages, combine_table
from heliast.verbs.options import Options


def table(errors, n=2000, seed=0):
    """One test set on which each model errs on rows of its own, this share of them."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    joined = None
    for model, share in errors.items():
        wrong = rng.permutation(n) < share * n
        one = hl.Predictions.of(truth, truth ^ wrong, model=model, row=range(n), positive=1)
        joined = one if joined is None else joined.join(one)
    return joined


VOTES = {"vote/a/B=1": 0.3, "vote/a/B=10": 0.1, "vote/b/B=1": 0.25, "vote/b/B=10": 0.2, "vote": 0.1}


def test_errors_are_read_by_way_and_members():
    it = combine_table(table({**VOTES, "base": 0.3, "1-nn": 0.22}))
    assert set(it.votes) == {"vote/a", "vote/b"}
    assert it.votes["vote/a"][10].value == 0.1
    assert it.members == (1, 10)
    assert set(it.singles) == {"base", "1-nn"}
    assert (it.best, it.best_single) == ("vote/a", "1-nn")
    assert it.against_base.value == pytest.approx(-0.2)
    assert it.recommended == "vote/a/B=10"
    assert it.summary.startswith("Recommended: vote/a (10 members), error rate ")
    assert it.summary.endswith("It has the lowest expected error rate of 4 candidates.")
    assert it.remarks[0].startswith("vote/a/B=10 vs base: error rate lower by 20.0 percentage")


def test_a_vote_that_gains_nothing_is_not_recommended():
    it = combine_table(table({**VOTES, "base": 0.3, "1-nn": 0.1}))
    assert it.recommended == "1-nn"
    assert it.summary.startswith("Recommended: 1-nn, ")


def test_the_base_may_be_the_best_single_model():
    it = combine_table(table({**VOTES, "base": 0.3}))
    assert it.best_single == "base"


def test_views():
    it = combine_table(table({**VOTES, "base": 0.3, "<b>": 0.9}))
    assert json.loads(json.dumps(it.to_dict()))["best"] == "vote/a"
    assert "B=10" in str(it)
    assert "<b>" not in it._repr_html_()


def test_what_cannot_be_combined():
    with pytest.raises(InputError, match="no votes"):
        combine_table(table({"base": 0.3, "other": 0.2}))
    with pytest.raises(InputError, match="2 or more"):
        hl.combine(hl.Dataset.of(*load_iris(return_X_y=True)), n_estimators=1)


def test_votes_are_judged_by_the_measure_asked_for():
    """By costs the vote that misses no row of class 1 is best, though it errs more."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 400)
    said = {
        "vote/careful/B=5": np.where(rng.random(400) < 0.4, 1, truth),
        "vote/exact/B=5": np.where(rng.random(400) < 0.1, 0, truth),
        "base": np.where(rng.random(400) < 0.3, 0, truth),
    }
    joined = None
    for model, label in said.items():
        one = hl.Predictions.of(truth, label, model=model, row=range(400), positive=1)
        joined = one if joined is None else joined.join(one)
    costs = [[0, 1], [20, 0]]
    assert combine_table(joined).best == "vote/exact"
    it = combine_table(joined, Options(cost=costs))
    assert (it.measure, it.best) == ("expected_cost", "vote/careful")
    value = np.mean(np.array(costs)[truth, said["vote/careful/B=5"]])
    assert it.last("vote/careful").value == pytest.approx(value)
    assert "careful (5 members), expected cost " in it.summary
    assert combine_table(joined, Options(measures="accuracy")).best == "vote/exact"


def test_the_best_vote_is_announced_with_its_corrected_value():
    votes = {f"vote/{at}/B=5": 0.3 for at in range(12)}
    it = combine_table(table({**votes, "base": 0.31}, 100))
    twin = hl.estimates.selected(it.predictions.only([*it.advice.costs]))
    assert it.advice.leader == twin.model
    assert it.recommended == "base"  # twelve equal votes: the lead of the best was luck
    luck = twin.value - it.assessment[twin.model, "error"].value
    assert luck > 0.01
    assert it.selected.value == pytest.approx(it.singles["base"].value + luck)
    assert f"base, error rate {100 * it.selected.value:.1f}% (95% CI " in it.summary
    assert ", adjusted for selecting the best of 13 models." in it.summary
    assert "not adjusted" not in it.summary


def test_the_report_and_the_combination_agree():
    """One number of candidates, the recommendation first."""
    it = hl.combine("sklearn:iris", n_estimators=3, plan=3, jobs=1)
    page = hl.report(it).html
    assert page.index("Recommended: ") < page.index("Best: ")
    among = {*re.findall(r"selecting the best of (\d+) models", page)}
    assert among == {str(len(it.candidates))}


def test_what_it_cannot_answer_is_refused_by_name():
    data = hl.Dataset.of(*load_iris(return_X_y=True))
    with pytest.raises(TypeError, match="threshold"):
        hl.combine(data, threshold=0.3)
    with pytest.raises(InputError, match="cost: error does not use costs"):
        hl.combine(data, measure="error", cost=np.ones((3, 3)))


def test_any_base_from_end_to_end():
    data = hl.Dataset.of(*load_iris(return_X_y=True))
    base = DecisionTreeClassifier(max_depth=2)
    it = hl.combine(data, base, n_estimators=5, plan=hl.KFold(3), seed=1)
    assert {"coded/l1", "bagged/hard", "boosted"} <= set(it.votes)
    assert it.last("bagged/hard").n == 150
    assert 0 < it.last(it.best).value < 0.2


FAMILY = {"coded/l1", "bagged/hard", "bagged/soft", "boosted"}
NUMBER_FAMILY = {"bagged", "boosted", "boosted/mean", "singles/mean", "singles/median"}


def test_nominal_and_missing_inputs_lose_no_vote(tmp_path):
    rng = np.random.default_rng(0)
    colour, size = rng.integers(0, 3, 60), rng.normal(size=60)
    truth = np.where((colour == 1) ^ (rng.random(60) < 0.1), "yes", "no")
    rows = [
        f"{'rgb'[c]},{'' if at % 7 == 0 else s},{t}"
        for at, (c, s, t) in enumerate(zip(colour, size, truth, strict=True))
    ]
    (tmp_path / "d.csv").write_text("\n".join(["colour,size,class", *rows]))
    it = hl.combine(hl.read(tmp_path / "d.csv", target="class"), n_estimators=3, plan=3)
    assert set(it.votes) >= FAMILY
    assert it.last("bagged/hard").n == 60
    assert it.recommended in it.predictions.models


def test_numbers():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    data = hl.Dataset.of(X, np.sin(3 * X[:, 0]) + X[:, 1] ** 2)
    it = hl.combine(data, n_estimators=5, plan=3, seed=1)
    assert set(it.votes) == NUMBER_FAMILY
    assert set(it.singles) == {"base", "1-nn", "mean", "linear", "knn", "forest", "gradient"}
    assert it.measure == "mae"
    mean = it.predictions.only("bagged/B=5")
    assert it.last("bagged").value == pytest.approx(np.abs(mean.y_pred - mean.y_true).mean())
    assert it.summary.startswith("Recommended: ")
    each = [it.predictions.only(name).y_pred for name in ("base", "1-nn", "linear", "knn")]
    for kind, said in {"mean": np.mean(each, axis=0), "median": np.sort(each, axis=0)[1]}.items():
        vote = it.predictions.only(f"singles/{kind}/B=4")
        np.testing.assert_allclose(vote.y_pred, said)
        assert it.last(f"singles/{kind}").value == pytest.approx(np.abs(said - vote.y_true).mean())
    one, other = it.against_best.value, it.last(it.best).value - it.singles[it.best_single].value
    assert one == pytest.approx(other)


def test_boosting_that_ends_early_is_not_lost():
    """Splits ended at different rounds, so that no last stage had every row, nor an interval."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(90, 2))
    y = X[:, 0] + rng.normal(size=90)
    it = hl.combine(hl.Dataset.of(X, y), LinearRegression(), n_estimators=40, plan=4)
    kept = [BoostedMedian(LinearRegression(), 40, random_state=s).fit(X, y) for s in range(4)]
    assert max(len(vote.estimators_) for vote in kept) < 40
    assert it.predictions.incomplete() == {}
    assert it.last("boosted").model == "boosted/B=40"
    assert it.last("boosted").n == 90
    assert it.selected is not None


def test_a_single_model_that_fails_in_a_split_does_not_vote():
    model = ["base"] * 6 + ["other"] * 6 + ["third"] * 5
    row = [*range(6), *range(6), *range(5)]
    said = np.array(row) + np.repeat([0, 1, 5], [6, 6, 5])
    joined = hl.Predictions.of(row, said, model=model, row=row, task="regression")
    found = _with_averages(["base", "other", "third"], joined)
    assert found.models[3:] == ("singles/mean/B=2", "singles/median/B=2")
    assert (found.only("singles/mean/B=2").y_pred == np.arange(6.0) + 0.5).all()
    assert _with_averages(["base", "third", "mean"], joined) is joined


def test_the_value_of_every_vote_is_shown():
    stages = (1, 2, 5, 10, 20, 50, 100, 200)
    votes = {f"vote/B={b}": 0.3 for b in stages} | {f"few/B={b}": 0.1234 for b in (3, 4)}
    text = str(combine_table(table({**votes, "base": 0.3})))
    assert re.search(r"^few .*12\.3", text, re.MULTILINE)


class Multiclass(DecisionTreeClassifier):
    """Does not learn two classes, as coded votes want it to."""

    def fit(self, X, y, sample_weight=None):
        if len(np.unique(y)) < 3:
            raise ValueError("three classes are wanted")
        return super().fit(X, y, sample_weight)


@pytest.mark.filterwarnings("ignore::UserWarning")  # of the run: a model failed
def test_a_part_of_the_family_that_gives_no_votes_is_told():
    data = hl.Dataset.of(*load_iris(return_X_y=True))
    with pytest.raises(InputError, match=r"no predictions of coded \(.*three classes are wanted"):
        hl.combine(data, Multiclass(), n_estimators=3, plan=3)


@pytest.mark.parametrize("name", ["weather_nominal", "contact_lenses", "zoo", "housevotes84"])
def test_nominal_files(name, shared_data):
    data = hl.read(shared_data / f"{name}.csv", target="class")
    it = hl.combine(data, n_estimators=3, plan=3, jobs=1)
    assert set(it.votes) >= FAMILY
    assert it.recommended in it.predictions.models


@pytest.mark.long
def test_every_file(shared_data):
    """Of large ones a thousand rows."""
    for path in sorted(shared_data.glob("*.csv")):
        number = path.stem in ("boston", "ozone")
        target = {"target": "target", "task": "regression"} if number else {"target": "class"}
        data = hl.read(path, **target)
        if data.n > 1000:
            data = data.subset(np.sort(np.random.default_rng(0).permutation(data.n)[:1000]))
        it = hl.combine(data, n_estimators=3, plan=3, jobs=1)
        assert (NUMBER_FAMILY if number else FAMILY) <= set(it.votes), path.name
        assert it.predictions.incomplete() == {}, path.name
        assert it.recommended in it.predictions.models, path.name


def test_on_the_command_line(tmp_path):
    X, y = load_iris(return_X_y=True)
    rows = [",".join([*map(str, x), f"kind {label}"]) for x, label in zip(X, y, strict=True)]
    (tmp_path / "iris.csv").write_text("\n".join(["a,b,c,d,class", *rows]))
    words = ["combine", "iris.csv", "--target", "class", "--n-estimators", "5", "--plan", "3"]
    done = subprocess.run(
        [sys.executable, "-m", "heliast.cli", *words, "-o", "p.parquet"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert "Recommended: " in " ".join(done.stdout.split())
    assert "coded/l1/B=5" in hl.Predictions.read(tmp_path / "p.parquet").models
