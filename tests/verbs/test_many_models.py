"""Hundreds of models: the best in full, the others to be searched, in the time of the models."""

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heliast as hl
from heliast.comparisons import holm


def crowd(models: int, classes: int, rows: int, seed: int = 3) -> hl.Predictions:
    """Models that err less and less, the last of them the least."""
    rng = np.random.default_rng(seed)
    truth = np.tile(rng.integers(classes, size=rows), models)
    right = np.repeat(np.linspace(0.4, 0.9, models), rows)
    label = np.where(rng.random(truth.size) < right, truth, rng.integers(classes, size=truth.size))
    names = np.array([f"c{code}" for code in range(classes)], object)
    model = np.repeat(np.array([f"m{place}" for place in range(models)], object), rows)
    row = np.tile(np.arange(rows), models)
    return hl.Predictions.of(names[truth], names[label], model=model, row=row)


@pytest.fixture(scope="module")
def many() -> hl.Predictions:
    return crowd(60, 3, 80)


def test_the_terminal_shows_the_best_and_says_how_many_more(many: hl.Predictions) -> None:
    found = hl.assess(many)
    errors = {model: found[model, "error"].value for model in many.models}
    best = sorted(errors, key=errors.__getitem__)[:20]
    lines = str(found).splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("model "))
    assert [line.split()[0] for line in lines[start + 1 : start + 21]] == best
    assert lines[start + 21].startswith("40 rows more and ")


def test_the_best_is_compared_with_each_and_corrected_for_all_pairs(many: hl.Predictions) -> None:
    found = hl.compare(many)
    best = found.order[0]
    assert len(found.pairs) == 59
    assert all(best in (one.a, one.b) for one in found.pairs)
    alone = np.array([one.p_alone for one in found.pairs])
    every = holm([*alone, *np.ones(60 * 59 // 2 - 59)])
    assert [one.p for one in found.pairs] == pytest.approx(every.p[:59])
    assert found.pairs[0].each_level == pytest.approx(1 - 0.05 / 1770)
    assert "p adjusted for 1770 pairs (Holm)" in found.reason_for_test
    assert any("is compared with each other and adjusted for" in note for note in found.notes)
    other = [model for model in found.models if model != best][:2]
    with pytest.raises(KeyError, match="were not compared: each model is compared with"):
        found[other[0], other[1]]
    assert found.against == best


def test_up_to_fifty_models_every_pair_is_compared() -> None:
    found = hl.compare(crowd(50, 3, 20))
    assert len(found.pairs) == 50 * 49 // 2
    assert found["m3", "m7"].value == -found["m7", "m3"].value


def test_values_of_classes_are_those_of_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    table = crowd(12, 5, 60)
    whole = hl.assess(table)
    monkeypatch.setattr("heliast.verbs.assess.MOST_VALUES", 100)
    found = hl.assess(table)
    errors = {model: found[model, "error"].value for model in table.models}
    best = sorted(errors, key=errors.__getitem__)[:8]
    classes = {one.model for one in found if one.class_ is not None}
    assert classes == set(best)
    kept = [(one.model, one.measure, one.class_, one.value) for one in found if one.defined]
    assert set(kept) <= {(one.model, one.measure, one.class_, one.value) for one in whole}
    assert any("those of the best 8 of 12 models" in note for note in found.notes)
    named = hl.assess(table, "recall")  # asked for by name, all are given
    assert {one.model for one in named if one.class_ is not None} == set(table.models)


def test_rows_of_a_model_are_the_same_however_they_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = crowd(6, 3, 30)
    mixed = table.only(list(table.models))
    order = np.random.default_rng(1).permutation(len(table))
    mixed = hl.Predictions.of(
        np.array(table.classes)[table.y_true[order]], np.array(table.classes)[table.y_pred[order]],
        model=np.array(table.models)[table.codes("model")[order]], row=np.asarray(table.row)[order],
    )  # fmt: skip

    def parts() -> list[Any]:
        found = [one.only(model) for one in (table, mixed) for model in one.models]
        return [(one.models, one.y_true.tolist(), one.y_pred.tolist()) for one in found]

    whole = parts()
    monkeypatch.setattr("heliast.predictions.table.MANY_MODELS", 2)
    assert parts() == whole


@pytest.mark.long
def test_three_hundred_models_of_a_hundred_classes_in_thirty_seconds(tmp_path: Path) -> None:
    """The time of this process alone, as others may be at work; 2,000 rows."""
    table = crowd(300, 100, 2000)
    start = time.process_time()
    written = hl.report(table, tmp_path / "report.html")
    assert time.process_time() - start < 30
    assert written.stat().st_size < 5_000_000


@pytest.mark.long
def test_five_thousand_models_take_five_times_as_long_as_a_thousand() -> None:
    taken = []
    for models in (1000, 5000):
        table = crowd(models, 3, 40)
        start = time.process_time()
        str(hl.assess(table))
        taken.append(time.process_time() - start)
    assert taken[1] < 8 * taken[0]
