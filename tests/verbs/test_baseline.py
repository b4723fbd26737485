"""The baseline: stated for classes, from the table itself, and who is not shown to beat it."""

import json

import numpy as np
import pytest

import heliast as hl
from heliast.verbs.question import Question
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
    words = "Always answering 'no' errs on 5.0% of these rows; not shown to beat that: weak, never."
    assert found.baseline.sentence == words
    assert words in " ".join(str(found).split())
    assert "not shown to beat that: weak, never" in found._repr_html_()
    page = summarise(material_of(rare(), Question()))
    assert words in page["verdict"]["sentences"]
    assert json.loads(json.dumps(found.to_dict()))["baseline"]["unbeaten"] == ["weak", "never"]
    one = hl.assess(rare().only("good"), "recall")
    assert one.baseline.sentence.endswith("it is shown to beat that.")


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
    assert found.sentence.startswith("The expected_cost of good")
    assert (found.baseline.answer, found.baseline.value) == ("yes", 0.95)
    assert found.baseline.unbeaten == ("weak", "never")
    alone = hl.assess(table.only("weak"), cost=COST)
    assert alone.sentence.startswith("The expected_cost of weak")
    assert hl.assess(table.only("weak"), "error", cost=COST).sentence.startswith("weak errs on")


def test_a_threshold_decides_first() -> None:
    truth = np.array([0] * 95 + [1] * 5)
    table = hl.Predictions.of(truth, score=np.where(truth == 1, 0.4, 0.1), scores="probability")
    assert hl.assess(table).baseline.unbeaten == ("model",)
    assert hl.assess(table, threshold=0.3).baseline.unbeaten == ()


def test_values_alone_and_rows_trained_on_are_not_tested(tmp_path) -> None:
    truth, label = ["a"] * 30 + ["b"] * 10, ["a"] * 40
    seen = hl.Predictions.of(truth, label, seen=[1] * 40)
    path = hl.Predictions.of(truth, label).write(tmp_path / "p.parquet")
    for found in (
        hl.assess(hl.Predictions.of(truth, label), interval=None),
        hl.assess(seen, seen=1),
        hl.assess(hl.Predictions.scan(path)),
    ):
        assert found.baseline.pairs is None
        assert found.baseline.value == 0.25
        assert "errs on 25.0% of these rows" in found.baseline.sentence


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
