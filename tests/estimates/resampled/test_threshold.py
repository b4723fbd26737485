"""Thresholds learned in each split, and classes that few groups hold, are said."""

import numpy as np
import pytest

import heliast as hl


def folds(learned: bool, seed: int = 0) -> hl.Predictions:
    """Scores of two models over ten folds, decided at one threshold or at one a fold."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, 400)
    split = rng.permutation(400) % 10
    cut = 1 / (1 + np.exp(-(rng.normal(0, 0.5, 10) if learned else np.full(10, 0.3))))
    tables = []
    for model in "ab":
        score = 1 / (1 + np.exp(-(truth - 0.5 + rng.normal(size=400))))
        label = (score > cut[split]).astype(int)
        given = {"model": model, "row": range(400), "split": split, "positive": 1}
        tables.append(hl.Predictions.of(truth, label, score, **given))
    return tables[0].join(tables[1])


@pytest.mark.parametrize("learned", [True, False])
def test_thresholds_of_splits_are_said_of_labels_alone(learned: bool) -> None:
    table = folds(learned)
    found = hl.assess(table, ["error", "recall", "kappa", "auc", "brier"])
    for measure in ("error", "recall", "kappa"):
        said = any("threshold of its own" in note for note in found["a", measure].notes)
        assert said == learned, measure
        shown = " ".join(str(hl.compare(table, measure)).split())
        assert ("threshold of its own" in shown) == learned
    for measure in ("auc", "brier"):
        assert not any("threshold of its own" in note for note in found["a", measure].notes)


def test_labels_that_do_not_follow_scores_have_no_threshold() -> None:
    table = folds(False)
    label = np.asarray(table.y_pred).copy()
    label[::7] = 1 - label[::7]
    other = hl.Predictions.of(
        table.y_true, label, table.scores, model=np.repeat(["a", "b"], 400),
        row=np.tile(range(400), 2), split=table.codes("split"), positive=1,
    )  # fmt: skip
    assert not any("threshold of its own" in note for note in hl.assess(other)["a", "error"].notes)


@pytest.mark.parametrize("positive", [6, 40])
def test_few_groups_of_a_class_are_said(positive: int) -> None:
    rng = np.random.default_rng(1)
    group = np.repeat(np.arange(120), 5)
    truth = (group < positive).astype(int)
    tables = [
        hl.Predictions.of(
            truth, y_score=truth + rng.normal(size=600) + rng.normal(size=120)[group],
            model=model, row=range(600), group=group, positive=1, scores="decision",
        )
        for model in "ab"
    ]  # fmt: skip
    table = tables[0].join(tables[1])
    words = f"only {positive} of 120 groups hold rows of the rarest class"
    found = hl.assess(table, ["auc", "recall", "error"])
    for measure, said in (("auc", positive < 20), ("recall", positive < 20), ("error", False)):
        assert any(note.startswith(words) for note in found["a", measure].notes) == said, measure
    shown = " ".join(hl.compare(table, "auc").to_text(verbose=True).split())
    assert (words in shown) == (positive < 20)
