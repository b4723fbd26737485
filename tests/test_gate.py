"""The gate: what it understands, how it rules, what it prints, and how often it is wrong."""

import json
import math
import os
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.stats import binom

import heliast as hl
from heliast._core.errors import InputError
from heliast._requirement import Requirement
from heliast.estimates import wilson


def wrong(errors, n=100, model="m"):
    truth = ["a"] * n
    truth[-1] = "b"
    label = ["b"] * errors + truth[errors:]
    return hl.Predictions.of(truth, label, positive="a", model=model)


# --- words ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ("error.high <= 0.1", (None, "error", None, None, "high", "<=", 0.1)),
        ("  accuracy.low>=90% ", (None, "accuracy", None, None, "low", ">=", 0.9)),
        ("new:auc.low > .8", ("new", "auc", None, None, "low", ">", 0.8)),
        ("recall[spam].low >= 0.85", (None, "recall", "spam", None, "low", ">=", 0.85)),
        ("f.micro.low >= 1e-1", (None, "f.micro", None, None, "low", ">=", 0.1)),
        ("'a: b':recall['x]y'].low >= 0.5", ("a: b", "recall", "x]y", None, "low", ">=", 0.5)),
        (
            "error(new - old).high <= 0.01",
            (None, "error", None, ("new", "old"), "high", "<=", 0.01),
        ),
        ('mae("a - b" - c-d).high < -3', (None, "mae", None, ("a - b", "c-d"), "high", "<", -3.0)),
    ],
)
def test_words_are_understood(words, parts):
    one = Requirement.parse(words)
    assert (one.model, one.measure, one.class_, one.pair, one.end, one.operator, one.bar) == parts


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("accuracy >= 0.9", r"ask for an end of its interval: accuracy.low >= 0.9"),
        ("error.value <= 0.1", r"error.high <= 0.1"),
        ("accuracy.low == 0.9", "is not understood"),
        ("accuracy.low >= ninety", "is not understood"),
        ("", "is not understood"),
        ("x:error(a - b).high <= 1", "names a model and a difference"),
        ("recall[a](x - y).low >= 0", "a difference has no class"),
    ],
)
def test_words_that_are_not(words, message):
    with pytest.raises(InputError, match=message):
        Requirement.parse(words)


# --- rulings ---------------------------------------------------------------------------------


def test_the_required_end_decides_for_yes_and_both_for_no():
    low, high = wilson(10, 100).low, wilson(10, 100).high
    table = wrong(10)
    assert hl.gate(table, f"error.high <= {high + 1e-9}").exit_code == 0
    assert hl.gate(table, f"error.high <= {high - 1e-9}").exit_code == 3
    assert hl.gate(table, f"error.high <= {low + 1e-9}").exit_code == 3
    assert hl.gate(table, f"error.high <= {low - 1e-9}").exit_code == 1
    assert hl.gate(table, f"accuracy.low >= {1 - high - 1e-9}").exit_code == 0
    assert hl.gate(table, f"accuracy.low >= {1 - low + 1e-9}").exit_code == 1


def test_more_cases_would_leave_the_bar_outside():
    (ruling,) = hl.gate(wrong(10), "error.high <= 0.15")
    n = int(100 + ruling.more)
    assert ruling.outcome == "undecided"
    assert wilson(0.1 * n, n).high < 0.15 < wilson(0.1 * (n - 1), n - 1).high


def test_every_model_has_to_pass_unless_one_is_named():
    both = wrong(2, model="good").join(wrong(40, model="bad"))
    assert [r.subject for r in hl.gate(both, "error.high <= 0.2")] == ["good", "bad"]
    assert hl.gate(both, "error.high <= 0.2").exit_code == 1
    assert hl.gate(both, "good:error.high <= 0.2").exit_code == 0
    assert hl.gate(both, "error(good - bad).high <= -0.2").exit_code == 0
    assert hl.gate(both, "error(bad - good).high <= 0.01").exit_code == 1
    assert hl.gate(both, "error(bad - good).high <= 0.38").exit_code == 3


def test_a_difference_is_judged_without_correction_for_the_other_models():
    tables = [wrong(e, model=m) for e, m in [(5, "a"), (15, "b"), (30, "c")]]
    three = tables[0].join(tables[1]).join(tables[2])
    (ruling,) = hl.gate(three, "error(b - a).low >= 0")
    alone = hl.compare(tables[0].join(tables[1]))["b", "a"]
    assert (ruling.low, ruling.high) == (alone.low, alone.high)


def test_the_worst_ruling_counts():
    asked = ["error.high <= 0.5", "error.high <= 0.12", "error.high <= 0.01"]
    assert hl.gate(wrong(10), asked[:1]).outcome == "pass"
    assert hl.gate(wrong(10), asked[:2]).outcome == "undecided"
    assert hl.gate(wrong(10), asked).outcome == "fail"


def test_by_class_and_undefined():
    truth, label = ["ham"] * 50 + ["spam"] * 50, ["ham"] * 52 + ["spam"] * 48
    table = hl.Predictions.of(truth, label, classes=["ham", "spam", "none"])
    (ruling,) = hl.gate(table, "recall[spam].low >= 0.8")
    assert (ruling.value, ruling.outcome) == (0.96, "pass")
    (ruling,) = hl.gate(table, "recall[none].low >= 0.8")
    assert ruling.outcome == "undecided"
    assert math.isnan(ruling.value)
    assert ruling.reason


def test_an_incomplete_design_is_not_decided():
    truth = ["a"] * 30 + ["b"] * 30
    table = hl.Predictions.of(
        truth + truth[:40],
        truth + truth[:40],
        model=["whole"] * 60 + ["part"] * 40,
        row=[*range(60), *range(40)],
        positive="a",
    )
    found = hl.gate(table, "error.high <= 0.2")
    assert [ruling.outcome for ruling in found] == ["pass", "undecided"]
    assert "incomplete" in found.rulings[1].reason


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("old:error.high <= 1", "no model 'old'; there are: m"),
        ("recall[z].low >= 0", "no class 'z'; there are: a, b"),
        ("error[a].low >= 0", "error is not given by class"),
        ("eror.low >= 0", "eror"),
        ("error(m - m).low >= 0", "needs two models"),
        ("auc.low >= 0.5", "auc"),
    ],
)
def test_what_is_not_there(words, message):
    with pytest.raises(InputError, match=message):
        hl.gate(wrong(1), words)


def test_without_requirements_there_is_nothing_to_decide():
    with pytest.raises(InputError, match="no requirement"):
        hl.gate(wrong(1), [])


def test_how_often_it_is_wrong():
    """A model at the bar passes 2.5% of the time and fails as often, by the binomial law."""
    n, bar = 400, 0.1
    counts = np.arange(n + 1)
    limits = [wilson(int(x), n) for x in counts]
    passes = np.array([one.high <= bar for one in limits])
    fails = np.array([one.low > bar for one in limits])
    at_bar = binom.pmf(counts, n, bar)
    assert at_bar[passes].sum() == pytest.approx(0.025, abs=0.01)
    assert at_bar[fails].sum() == pytest.approx(0.025, abs=0.01)
    for errors in (27, 28, 40, 53, 54):
        outcome = hl.gate(wrong(errors, n), f"error.high <= {bar}").outcome
        said = "pass" if passes[errors] else "fail" if fails[errors] else "undecided"
        assert outcome == said


# --- views -------------------------------------------------------------------------------------

NASTY = 'm<script>|`"&\n%'


def nasty():
    return hl.gate(wrong(10, model=NASTY), ["error.high <= 0.12", "error.high <= 0.01"])


def test_views_escape_what_they_show():
    found = nasty()
    assert "<script>" not in found._repr_html_()
    assert 'm<script>|`"&·%' in str(found)
    suite = ElementTree.fromstring(found.to_junit())
    assert (suite.get("tests"), suite.get("failures")) == ("2", "2")
    kinds = [case.find("failure").get("type") for case in suite]
    assert kinds == ["undecided", "fail"]
    assert len(found.to_markdown().strip().splitlines()) == 6
    assert [line.split(" ")[0] for line in found.annotations()] == ["::warning", "::error"]
    assert all("\n" not in line for line in found.annotations())
    assert json.loads(json.dumps(found.to_dict()))["exit_code"] == 1
    assert found.to_frame().num_rows == 2


# --- command line ------------------------------------------------------------------------------


def heliast(*words, folder, **environment):
    return subprocess.run(
        [sys.executable, "-m", "heliast.cli", *map(str, words)],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, **environment},
    )


def test_on_the_command_line(tmp_path):
    wrong(10).write(tmp_path / "p.csv")
    (tmp_path / "heliast.toml").write_text('[gate]\nrequire = ["error.high <= 0.5"]\n')
    done = heliast("gate", "p.csv", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Go: the requirement met." in done.stdout
    assert "settings from heliast.toml" in done.stderr

    summary = tmp_path / "summary.md"
    done = heliast(
        "gate", "p.csv", "--require", "error.high <= 0.12", "--require", "error.high <= 0.01",
        "--junit", "out.xml", "--github", folder=tmp_path, GITHUB_STEP_SUMMARY=str(summary),
    )  # fmt: skip
    assert done.returncode == 1
    assert "::error" in done.stdout
    assert "| --- |" in summary.read_text()
    assert ElementTree.parse(tmp_path / "out.xml").getroot().get("tests") == "2"

    done = heliast("gate", "p.csv", "--require", "error.high <= 0.12", folder=tmp_path)
    assert done.returncode == 3
    assert "more rows would decide it" in done.stdout


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[gate]\nrequires = []", "does not know 'requires'"),
        ("[gate]\nrequire = 'x'", "has to be a list of strings"),
        ("[gate]\nrequire = [1]", "which is not a string"),
        ("[gate]\nlevel = true", "has to be a number"),
        ("gate = 1", "has to be a table"),
        ("[gate", "not a TOML file"),
    ],
)
def test_settings_that_cannot_be_used(tmp_path, content, message):
    from heliast._config import gate_settings

    (tmp_path / "heliast.toml").write_text(content)
    with pytest.raises(InputError, match=message):
        gate_settings(folder=tmp_path)


def test_settings_in_pyproject(tmp_path):
    from heliast._config import gate_settings

    (tmp_path / "pyproject.toml").write_text("[tool.heliast.gate]\nlevel = 0.9\nseed = 3\n")
    assert gate_settings(folder=tmp_path) == ({"level": 0.9, "seed": 3}, "pyproject.toml")
    with pytest.raises(InputError, match="cannot be read"):
        gate_settings(str(tmp_path / "none.toml"))
