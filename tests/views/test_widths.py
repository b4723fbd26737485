"""Tables fill the terminal, sentences wrap, and what is missing says why where it is missing."""

import re

import numpy as np
import pytest

import heliast as hl
from heliast.verbs.combine import combination
from heliast.verbs.question import Question
from heliast.verbs.report import material_of
from heliast.views.report import summarise

LONG = "a model with quite a long name, number "
RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+")


def scored(models: int, n: int = 120, name: str = "m", **options: object) -> hl.Predictions:
    rng = np.random.default_rng(1)
    truth = np.where(rng.random(n) < 0.4, "yes", "no")
    table = None
    for at in range(models):
        score = np.clip(0.6 * rng.random(n) + 0.3 * (truth == "yes"), 0, 1)
        one = hl.Predictions.of(
            truth, y_score=score, positive="yes", scores="probability", model=f"{name}{at}",
            row=np.arange(n), **options,
        )  # fmt: skip
        table = one if table is None else table.join(one)
    return table


def with_bare(models: int) -> hl.Predictions:
    """One more model, which has labels alone and always the same."""
    table = scored(models)
    truth = np.where(table.only("m0").y_true == 1, "yes", "no")
    bare = hl.Predictions.of(
        truth, ["no"] * len(truth), model="bare", positive="yes", row=np.arange(len(truth))
    )
    return table.join(bare)


def widest(text: str) -> int:
    return max(len(line) for line in text.splitlines())


@pytest.mark.parametrize("models", [1, 2, 3, 4, 8, 25])
@pytest.mark.parametrize("name", ["m", LONG])
def test_tables_fit_80_and_fill_200(models: int, name: str, monkeypatch) -> None:
    found = hl.assess(scored(models, name=name), interval=None if models > 8 else "auto")
    usual = str(found)
    assert widest(usual) <= 80
    assert "…" not in usual or name == LONG or models == 1  # no number is cut
    monkeypatch.setenv("COLUMNS", "200")
    wide = str(found)
    assert widest(wide) <= 200
    assert widest(wide) > 120
    if models <= 8:
        assert all(measure in wide for measure in found.measures)


def test_what_is_not_shown_is_counted(monkeypatch) -> None:
    found = hl.assess(scored(25), interval=None)
    text = str(found)
    shown = [name for name in found.measures if f"  {name}" in text]
    assert "The best 20; 5 more: --json" in text
    assert f"\n{len(found.measures) - len(shown)} more measures: --json" in text
    monkeypatch.setenv("COLUMNS", "400")
    assert "more measures" not in str(found)


def test_a_terminal_of_20_columns_gets_what_80_hold(monkeypatch) -> None:
    found = hl.assess(scored(3))
    usual = str(found)
    monkeypatch.setenv("COLUMNS", "20")
    assert str(found) == usual  # the command line folds it


def test_every_record_wraps_its_sentences() -> None:
    table = scored(3, name=LONG)
    votes = hl.Predictions.of(["a", "b"] * 60, ["a", "b"] * 60, model="vote/B=5", row=range(120))
    base = hl.Predictions.of(["a", "b"] * 60, ["a"] * 120, model="base", row=range(120))
    records = [
        hl.assess(table), hl.compare(table), hl.compare(table, test="auto", cost=[[0, 1], [9, 0]]),
        hl.gate(table, ["error.high <= 0.2", f"error({LONG}0 - {LONG}1).high <= 0.01"]),
        combination(votes.join(base)),
    ]  # fmt: skip
    for record in records:
        assert widest(str(record)) <= 80, str(record)


# --- why an interval is missing ------------------------------------------------------------------


def test_a_missing_value_says_why_below_the_table_once_a_reason(monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    found = hl.assess(with_bare(3))
    text = str(found)
    marks = dict.fromkeys(RAISED.findall(text))
    reasons = {one.reason for one in found if one.class_ is None and one.reason}
    assert len(reasons) >= 3
    assert len(marks) == len(reasons)
    for reason in reasons:
        assert text.count(reason) == 1, reason
    line = next(line for line in text.splitlines() if line.startswith("auc"))
    mark = RAISED.search(line)[0]
    assert f"\n{mark} needs scores" in text


def test_what_has_no_interval_over_folds_says_why() -> None:
    """For one model and for several, on the terminal, in a notebook and in a report."""
    for models in (1, 3):
        table = scored(models, split=np.arange(120) % 5)
        found = hl.assess(table, ["error", "brier_refinement"])
        (reason,) = {one.reason for one in found if one.measure == "brier_refinement"}
        assert reason
        text = " ".join(str(found).split())
        assert text.count(reason) == 1
        assert found._repr_html_().count(reason) == 1
        material = material_of(table, Question(measures="brier_refinement"))
        part = next(one for one in summarise(material)["sections"] if one["key"] == "models")
        assert sum(reason in note for note in part["notes"]) == 1


def test_models_that_lack_rows_and_rows_of_training_say_why() -> None:
    truth = np.array(["a", "b"] * 30)
    part = hl.Predictions.of(
        np.tile(truth, 2)[:90], np.tile(truth, 2)[:90], row=np.tile(np.arange(60), 2)[:90],
        model=["whole"] * 60 + ["part"] * 30,
    )  # fmt: skip
    text = " ".join(str(hl.assess(part)).split())
    assert text.count("incomplete: 30 of the rows that other models have are missing") == 1
    seen = hl.assess(
        hl.Predictions.of(truth, truth, in_train=np.ones(60, int)), "error", in_train=1
    )
    reason = seen["model", "error"].reason
    assert f"¹ {reason}" in " ".join(str(seen).split())


def test_no_mark_where_nothing_is_missing_or_asked_for() -> None:
    assert not RAISED.search(str(hl.assess(scored(2), "error")))
    assert not RAISED.search(str(hl.assess(scored(2), "error", interval=None)))
