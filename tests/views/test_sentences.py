"""What is said first: the best of several models is announced with what it is worth."""

import numpy as np
import pytest

import heliast as hl
from heliast.estimates import Estimate
from heliast.views.sentences import announced, opening

ERROR, MODELS, ROWS = 0.3, 20, 200


def equal_models(seed: int) -> hl.Predictions:
    """Models that err alike, each on rows of its own."""
    rng = np.random.default_rng(seed)
    truth = np.tile(rng.integers(0, 2, ROWS), MODELS)
    wrong = rng.random(truth.size) < ERROR
    names = np.repeat([f"m{at:02d}" for at in range(MODELS)], ROWS)
    rows = np.tile(np.arange(ROWS), MODELS)
    return hl.Predictions.of(truth, truth ^ wrong, model=names, row=rows, positive=1)


def test_the_announced_best_of_equal_models_is_not_too_good():
    """Over 60 worlds the mean of what is announced is the true error, but for Monte Carlo error;
    that of the values seen is far below.
    """
    said, seen = [], []
    for seed in range(60):
        found = hl.assess(equal_models(seed), "error")
        best = found.selected
        assert f" errs on {100 * best.value:.1f}% of new rows" in found.sentence
        assert f"corrected for having been chosen among {MODELS}" in found.sentence
        said.append(best.value)
        seen.append(min(one.value for one in found.estimates))
    error = np.std(said, ddof=1) / np.sqrt(len(said))
    assert abs(np.mean(said) - ERROR) < 2.6 * error
    assert np.mean(seen) < ERROR - 0.04


def test_where_no_correction_is_possible_the_sentence_says_so():
    ones = [Estimate(value, value - 0.01, value + 0.01, model=name, measure="auc")
            for name, value in (("a", 0.8), ("b", 0.9))]  # fmt: skip
    said = opening(ones, ["a", "b"])
    assert said.startswith("The auc of b is 0.900, not corrected for having been chosen among 2 (")


def test_a_scanned_table_is_not_corrected(tmp_path):
    equal_models(1).write(tmp_path / "p.parquet")
    found = hl.assess(hl.Predictions.scan(tmp_path / "p.parquet"), "error")
    assert found.selected is None
    assert f", not corrected for having been chosen among {MODELS} (" in found.sentence


@pytest.mark.parametrize("interval", [None, "auto"])
def test_without_intervals_the_value_alone_is_said(interval):
    found = hl.assess(equal_models(2), "error", interval=interval)
    first = found.sentence.partition(". As seen")[0]
    assert ("95% interval" in first) == (interval is not None)
    assert "corrected for having been chosen" in first


def test_of_models_with_the_same_value_any_may_be_named():
    ones = [Estimate(0.2, 0.1, 0.3, model=name, measure="error") for name in "ab"]
    best = Estimate(0.22, 0.1, 0.4, model="b", measure="error")
    found = announced(ones, "a", best)
    assert (found.estimate.model, found.estimate.value) == ("a", 0.22)
    assert found.words == "corrected for having been chosen among 2"
    assert announced(ones[:1], "a", None).words == ""


def test_a_correction_in_favour_of_the_model_is_chance():
    """A clear winner is chosen in every resample: then only the draws tell the two apart."""
    truth = np.tile([0, 1], 200)
    label = np.concatenate([np.where(np.arange(400) % 20 == 0, 1 - truth, truth), 1 - truth])
    rows, names = np.tile(np.arange(400), 2), np.repeat(["good", "bad"], 400)
    table = hl.Predictions.of(np.tile(truth, 2), label, model=names, row=rows, positive=1)
    found = hl.assess(table, "error")
    assert abs(found.selected.value - 0.05) < 0.002
    assert "good errs on 5.0% of new rows, corrected" in found.sentence


def test_the_report_announces_what_assess_does(tmp_path):
    table = equal_models(3)
    found = hl.assess(table, "error")
    page = hl.report(table, tmp_path / "r.html").read_text(encoding="utf-8")
    claim = f"{found.selected.model} errs on {100 * found.selected.value:.1f}% of new rows"
    assert f"{claim}, corrected for having been chosen among {MODELS}." in page
    assert f"Error rate, corrected for the choice among {MODELS}" in page


@pytest.mark.parametrize(
    ("seen", "rows"),
    [(0, "of new rows ("), (1, "of the rows it was trained on ("),
     (None, "of rows, some of which it was trained on (")],
)  # fmt: skip
@pytest.mark.parametrize("interval", ["auto", None])
def test_rows_trained_on_are_no_new_rows(seen, rows, interval, tmp_path):
    truth = np.tile([0, 1], 100)
    table = hl.Predictions.of(
        truth, np.where(np.arange(200) % 10 == 0, 1 - truth, truth), positive=1,
        in_train=np.repeat([0, 1], 100), row=np.arange(200),
    )  # fmt: skip
    assert (
        f"errs on 10.0% {rows}"
        in hl.assess(table, "error", interval=interval, in_train=seen).sentence
    )
    page = hl.report(table, tmp_path / "r.html", interval=interval, in_train=seen)
    said = page.read_text(encoding="utf-8")
    assert f"errs on 10.0% {rows.rstrip(' (')}" in said
    assert ("new rows" in said) == (seen == 0)


def test_the_note_says_the_number_of_the_sentence():
    """Where the correction favours the model both announce its own value."""
    ones = tuple(
        Estimate(value, value - 0.004, value + 0.006, model=name, measure="error", n=1000)
        for name, value in (("a", 0.005), ("b", 0.3))
    )
    best = Estimate(0.0049, 0.001, 0.011, model="a", measure="error", n=1000)
    found = hl.Assessment(ones, ("a", "b"), selected=best)
    assert "a errs on 0.5%, corrected" in found.sentence.replace(" of new rows", "")
    assert "best of 2 by error (0.005), corrected 0.005 [0.001, 0.011]" in str(found)
