"""Every study once: examples as printed, experiments in a quick repetition."""

import math

import numpy as np
import pytest

from heliast import reproduce
from heliast._core.errors import InputError
from heliast.data import read
from heliast.learners import Tree
from heliast.reproduce import Setting
from heliast.reproduce._views import bars
from heliast.reproduce.studies import thesis_tables
from heliast.reproduce.studies._drawn import fitted_lines
from heliast.reproduce.studies._models import PrintedBoosting
from heliast.reproduce.studies._normals import another
from heliast.reproduce.studies._votes import Samples
from heliast.reproduce.studies.thesis_margins import smoothed

EVERY = reproduce.every()
WORKED = [name for name, one in EVERY.items() if one.repetitions == 1 and not one.needs]
SIMULATED = [name for name, one in EVERY.items() if one.repetitions > 1 and not one.needs]
SLIPS = {"a perfect swap of two classes has kappa -1"}
"""What the documents say and does not hold."""
REAL = [name for name, one in EVERY.items() if one.needs]


@pytest.fixture(scope="module")
def setting():
    """One for all studies: what several share is made once."""
    return Setting(jobs=1)


def made(name, setting):
    (outcome,) = reproduce.reproduce([name], setting, quick=True)
    assert outcome.values or outcome.claims
    assert all(math.isfinite(value.ours) for value in outcome.values)
    assert all(value.tolerance > 0 for value in outcome.values)
    assert all(figure.svg.startswith("<svg") for figure in outcome.figures)
    return outcome


@pytest.mark.parametrize("name", WORKED)
def test_worked_examples_are_as_printed(name, setting):
    outcome = made(name, setting)
    bad = [f"{v.row} {v.column}: {v.printed} / {v.ours}" for v in outcome.values if not v.agrees]
    assert not bad
    assert {claim.words for claim in outcome.claims if not claim.holds} <= SLIPS


@pytest.mark.parametrize("name", SIMULATED)
def test_simulated_experiments(name, setting):
    made(name, setting)


@pytest.mark.parametrize("name", REAL)
def test_experiments_on_letter_and_vowel(name, setting):
    missing = [data for data in EVERY[name].needs if not setting.has(data)]
    if missing:
        pytest.skip(f"HELIAST_DATA names no folder with {', '.join(missing)}")
    outcome = made(name, setting)
    large = [v for v in outcome.values if v.group == "Table 2.12" and v.column == "B=200"]
    assert all(abs(value.difference) < 8 for value in large)


def test_the_documents_are_covered():
    """Places that are to be reproduced, by the beginnings of names."""
    chapter = {f"chapter-22.{place}" for place in range(1, 15)}
    tables = {f"thesis-2.{place}" for place in range(2, 20)} | {"thesis-3.1", "thesis-3.2"}
    sections = {f"thesis-{s}" for s in ("2.1.1", "2.2.1", "2.3.1", "3.3.1", "3.3.2", "4.1.1")}
    figures = {f"thesis-figure-{f}" for f in ("2.2", "2.3", "2.6", "3.1", "4.4")}
    wanted = chapter | tables | sections | figures | {"chapter-q2", "chapter-q4", "chapter-q5"}
    assert wanted <= set(EVERY)


# --- what the studies are made of -----------------------------------------------------------------


def test_nine_classifiers_on_digits():
    """The experiment of tables 2.10 to 2.19 without downloads."""
    data = read("sklearn:digits", "class")
    found = thesis_tables.errors(Setting(jobs=1), data, Samples(1, 15, 1), Tree())
    assert {name for name, _ in found} == {*thesis_tables.CODED, "Bagging", *thesis_tables.SINGLE} | {
        "Boosting (St)",
        "Boosting (Ad)",
    }
    error = {name: float(found[name, 200].mean()) for name, _ in found}
    assert error["ECOC"] < error["Tree"]
    assert error["Bagging"] < error["Tree"]
    assert found["Regression", 5].tolist() == [100.0]  # fewer columns than classes: no answer


def test_samples_are_balanced_and_apart():
    y = np.repeat([0, 1, 2], 50)
    for train, test in Samples(3, 10, 1, 5).split(np.zeros((150, 1)), y):
        assert np.bincount(y[train]).tolist() == [10] * 3
        assert np.bincount(y[test]).tolist() == [5] * 3
        assert not set(train) & set(test)
    ((train, test),) = Samples(1, 10, 1, None, (0, 50, 100)).split(np.zeros((150, 1)), y)
    assert test.tolist() == [0, 50, 100]
    assert not set(train) & {0, 50, 100}


class Says:
    """A member that answers from a table, whatever it is trained on."""

    def __init__(self, label):
        self.label = np.asarray(label)

    def predict(self, X):
        return self.label[np.asarray(X)[:, 0].astype(int)]


def test_printed_boosting_by_hand(monkeypatch):
    """Four rows; members wrong on one, then on three: the second votes against its class."""
    X, y = np.arange(4.0)[:, None], np.array(["a", "a", "b", "b"])
    members = iter([Says(["a", "a", "b", "a"]), Says(["b", "b", "a", "b"])])
    everyone = np.arange(4)
    monkeypatch.setattr(PrintedBoosting, "_member", lambda *_: (next(members), everyone))
    vote = PrintedBoosting(None, 2).fit(X, y)
    # First error 1/4: right rows keep a third, so weights 1/6, 1/6, 1/6, 1/2; second error 1/2.
    assert vote.votes_ == pytest.approx([math.log(3), 0.0])
    assert vote.predict(X).tolist() == ["a", "a", "b", "a"]


def test_printed_boosting_learns():
    data = read("sklearn:iris", "class")
    X, y = data.matrix, np.asarray(data.y)
    for draw in ("resample", "reweight"):
        vote = PrintedBoosting(Tree(max_leaves=3, min_deviance=0), 10, draw, random_state=1)
        assert (vote.fit(X[::2], y[::2]).predict(X[1::2]) == y[1::2]).mean() > 0.9


def test_how_far_another_task_may_lie():
    assert another([3.0], 0.1, 5.0) == 5.0
    # Two draws: t with one degree of freedom is 12.706; sd is sqrt(2)/2, times sqrt(3/2).
    assert another([1.0, 2.0], 0.1, 5.0) == pytest.approx(12.7062 * math.sqrt(0.75) + 0.1, abs=1e-3)


def test_smoothing_and_lines():
    assert smoothed(np.arange(5.0), 3).tolist() == [0.5, 1.0, 2.0, 3.0, 3.5]
    x = np.arange(6.0)
    lines = fitted_lines(x, np.array([0.0, 1, 2, 3, 3, 3]))
    assert lines["line through the first four"][1] == pytest.approx(x)


def test_bars_count_what_they_say():
    outcomes = list(reproduce.reproduce(["thesis-2.1.1", "thesis-2.3.1"]))
    assert bars(outcomes) == [
        "- 17 of 17 printed numbers are within tolerance.",
        "- Worked examples and exercises: 17 of 17 as printed (bar: all).",
        "- 1 of 1 sentences of the documents hold on our runs.",
    ]


def test_a_failed_download_says_what_to_do(monkeypatch, tmp_path):
    """No proxy of this address answers, so nothing is downloaded."""
    monkeypatch.delenv("HELIAST_DATA", raising=False)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with pytest.raises(InputError, match=r"could not be downloaded from OpenML.*--data FOLDER"):
        Setting(fetch=True).data("letter")
    with pytest.raises(InputError, match="'iris' cannot be downloaded"):
        Setting(fetch=True).data("iris")
