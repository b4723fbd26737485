"""The baseline: stated for classes, from the table itself, and who is not shown to beat it."""

import json

import numpy as np
import pytest

import heliast as hl
from heliast.verbs.options import Options
from heliast.verbs.report import material_of
from heliast.views.report import summarise

COST = [[0.0, 1.0], [30.0, 0.0]]


def rare(n: int = 2000, **options: object) -> hl.Predictions:
    """Five per cent 'yes': a model that hardly ever says so, a good one, one that never does."""
    rng = np.random.default_rng(2)
    truth = np.where(np.arange(n) % 20 == 0, "yes", "no")
    weak = np.where(rng.random(n) < 0.001, "yes", "no")
    good = np.where(rng.random(n) < 0.01, "yes", truth)
    table = None
    for name, label in {"weak": weak, "good": good, "never": np.full(n, "no")}.items():
        one = hl.Predictions.of(truth, label, model=name, row=np.arange(n), **options)
        table = one if table is None else table.join(one)
    return table


def test_every_assessment_of_classes_states_it() -> None:
    found = hl.assess(rare())
    assert (found.baseline.answer, found.baseline.value) == ("no", 0.05)
    assert found.baseline.unbeaten == ("weak", "never")
    words = (
        "Majority-class baseline: 5.0%. good is significantly better; weak and never are not "
        "significantly better."
    )
    assert found.baseline.summary == words
    assert words in " ".join(str(found).split())
    assert "weak and never are not significantly better" in found._repr_html_()
    page = summarise(material_of(rare(), Options()))
    assert page["verdict"]["sentences"][0].endswith(words)
    assert json.loads(json.dumps(found.to_dict()))["baseline"]["unbeaten"] == ["weak", "never"]
    one = hl.assess(rare().only("good"), "recall")
    assert one.baseline.summary.endswith("good is significantly better.")


def test_the_test_is_that_of_compare() -> None:
    table = rare()
    same = table.only("never")  # what the baseline does is what this model does
    pairs = hl.assess(table).baseline.pairs
    for model in ("weak", "good"):
        mine = next(one for one in pairs if one.a == model)
        other = hl.compare(table.only([model]).join(same))[model, "never"]
        assert (mine.value, mine.p_alone) == (other.value, other.p)
        assert mine.method == other.method


def test_over_splits_groups_and_weights() -> None:
    rng = np.random.default_rng(0)
    for options in (
        {"split": np.arange(2000) // 400},
        {"group": np.arange(2000) // 20},
        {"weight": rng.integers(1, 3, 2000), "weights": "frequency"},
    ):
        table = rare(**options)
        found = hl.assess(table, "error").baseline
        assert found.unbeaten == ("weak", "never")
        assert found.value == pytest.approx(hl.assess(table, "error")["never", "error"].value)


def test_shares_of_the_population_decide() -> None:
    table = rare(design="classes")
    assert hl.assess(table, "recall").baseline is None
    found = hl.assess(table, "error", prevalences={"no": 0.3, "yes": 0.7}).baseline
    assert (found.answer, round(found.value, 12)) == ("yes", 0.3)


def test_with_costs_models_are_ranked_by_cost() -> None:
    table = rare()
    found = hl.assess(table, cost=COST)
    assert found.summary.startswith("Best: good, expected cost ")
    assert (found.baseline.answer, found.baseline.value) == ("yes", 0.95)
    assert found.baseline.unbeaten == found.baseline.worse == ("weak", "never")
    assert found.baseline.summary == (
        "Baseline (always 'yes'): expected cost 0.950. good is significantly better; weak and "
        "never are significantly worse."
    )
    alone = hl.assess(table.only("weak"), cost=COST)
    assert alone.summary.startswith("weak: expected cost ")
    assert hl.assess(table.only("weak"), "error", cost=COST).summary.startswith("weak: error rate ")


def test_a_threshold_decides_first() -> None:
    truth = np.array([0] * 95 + [1] * 5)
    table = hl.Predictions.of(truth, y_score=np.where(truth == 1, 0.4, 0.1), scores="probability")
    assert hl.assess(table).baseline.unbeaten == ("model",)
    assert hl.assess(table, threshold=0.3).baseline.unbeaten == ()


def test_better_not_shown_and_worse_are_told_apart() -> None:
    """Of 100 rows 40 are 'b': 4, 38 and 80 errors against the baseline's 40."""
    truth = np.array(["a"] * 60 + ["b"] * 40)
    wrong = {"good": 4, "even": 38, "bad": 80}
    labels = {
        name: np.where(np.arange(100) < 100 - times, truth, np.where(truth == "a", "b", "a"))
        for name, times in wrong.items()
    }
    found = hl.assess(truth, labels, "error").baseline
    assert found.unbeaten == ("even", "bad")
    assert found.worse == ("bad",)
    assert found.summary.endswith(
        "good is significantly better; even is not significantly better; bad is significantly "
        "worse."
    )
    assert found.to_dict()["worse"] == ["bad"]
    two = hl.assess(truth, {"bad": labels["bad"], "sad": labels["bad"]}, "error").baseline
    assert two.summary.endswith("bad and sad are significantly worse.")
    two = hl.assess(truth, {"even": labels["even"], "odd": labels["even"]}, "error").baseline
    assert two.summary.endswith("None of the 2 models is significantly better.")


def test_values_alone_and_rows_trained_on_are_not_tested(tmp_path) -> None:
    truth, label = ["a"] * 30 + ["b"] * 10, ["a"] * 40
    seen = hl.Predictions.of(truth, label, in_train=[1] * 40)
    path = hl.Predictions.of(truth, label).write(tmp_path / "p.parquet")
    for found in (
        hl.assess(hl.Predictions.of(truth, label), interval=None),
        hl.assess(seen, in_train=1),
        hl.assess(hl.Predictions.scan(path)),
    ):
        assert found.baseline.pairs is None
        assert found.baseline.value == 0.25
        assert "Majority-class baseline: 25.0%." in found.baseline.summary


def test_numbers_have_none() -> None:
    assert hl.assess(hl.Predictions.of([1.5, 2.5, 4.0], [1.0, 2.0, 4.5])).baseline is None


def test_a_model_that_lacks_rows_is_not_shown_to_beat_it() -> None:
    truth = np.array(["a", "b"] * 40)
    whole = hl.Predictions.of(truth, truth, model="whole", row=np.arange(80))
    part = hl.Predictions.of(
        np.tile(truth, 2)[:120], np.tile(truth, 2)[:120], row=np.tile(np.arange(80), 2)[:120],
        model=["whole"] * 80 + ["part"] * 40,
    )  # fmt: skip
    assert hl.assess(whole).baseline.unbeaten == ()
    assert hl.assess(part).baseline.unbeaten == ("part",)
