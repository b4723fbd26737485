"""Models that say a rare class too often hang on its few rows: in assess and in compare."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import StratifiedKFold

import heliast as hl

TABLES = 80
N, POSITIVES = 600, 15
MODELS = {"a": [0, 1, 3], "b": [0, 2, 4]}  # inputs 1 and 2, 3 and 4 may be exchanged: a true null


def table(rng: np.random.Generator) -> hl.Predictions:
    """Discriminants with even priors at 2.5% positives, ten folds."""
    truth = np.zeros(N, int)
    truth[:POSITIVES] = 1
    inputs = rng.normal(size=(N, 5))
    inputs[:, :3] += truth[:, None] * np.array([1.0, 0.8, 0.8])
    score = {name: np.empty(N) for name in MODELS}
    split = np.empty(N, int)
    deal = StratifiedKFold(10, shuffle=True, random_state=int(rng.integers(2**31)))
    for fold, (train, test) in enumerate(deal.split(inputs, truth)):
        split[test] = fold
        for name, columns in MODELS.items():
            model = LinearDiscriminantAnalysis(priors=[0.5, 0.5])
            model.fit(inputs[train][:, columns], truth[train])
            score[name][test] = model.predict_proba(inputs[test][:, columns])[:, 1]
    both = np.concatenate([score["a"], score["b"]])
    return hl.Predictions.of(
        np.tile(truth, 2),
        (both > 0.5).astype(int),
        both,
        model=np.repeat(["a", "b"], N),
        row=np.tile(np.arange(N), 2),
        split=np.tile(split, 2),
        scores="probability",
        positive=1,
    )


@pytest.fixture(scope="module")
def tables() -> list[hl.Predictions]:
    rng = np.random.default_rng(5)
    return [table(rng) for _ in range(TABLES)]


@pytest.mark.parametrize("measure", ["brier", "error"])
def test_true_nulls_are_rejected_no_more_often_than_promised(
    tables: list[hl.Predictions], measure: str
) -> None:
    rejected = sum(hl.compare(one, measure)["a", "b"].p < 0.05 for one in tables)
    assert rejected <= 11  # 4 expected at 5%; more than 11 once in 2,000


@pytest.mark.parametrize("measure", ["brier", "error"])
def test_the_value_of_the_recipe_is_covered(tables: list[hl.Predictions], measure: str) -> None:
    found = [hl.assess(one.only("a"), measure)["a", measure] for one in tables]
    truth = np.mean([estimate.value for estimate in found])
    covered = sum(estimate.low <= truth <= estimate.high for estimate in found)
    assert covered >= 0.88 * len(found)


def test_repeats_of_folds_are_seen_without_a_word() -> None:
    rng = np.random.default_rng(0)
    n, repeats, folds = 60, 3, 5
    truth = rng.integers(0, 2, n)
    row = np.concatenate([rng.permutation(n) for _ in range(repeats)])
    split = np.repeat(np.arange(repeats * folds), n // folds)
    label = np.where(rng.random(row.size) < 0.2, 1 - truth[row], truth[row])
    other = np.where(rng.random(row.size) < 0.4, 1 - truth[row], truth[row])
    rows = {"row": np.tile(row, 2), "model": np.repeat(["a", "b"], row.size)}
    labels, truths = np.concatenate([label, other]), np.tile(truth[row], 2)
    unsaid = hl.Predictions.of(truths, labels, split=np.tile(split, 2), **rows)
    names = np.array([f"Fold{at % folds + 1}.Rep{at // folds + 1}" for at in range(15)])
    said = hl.Predictions.of(truths, labels, split=names[np.tile(split, 2)], **rows)
    for measure in ("error", "kappa"):
        one, two = (hl.compare(each, measure)["a", "b"] for each in (unsaid, said))
        assert (one.value, one.low, one.high) == pytest.approx((two.value, two.low, two.high))
        one, two = (hl.assess(each, measure)["a", measure] for each in (unsaid, said))
        assert (one.value, one.low, one.high) == pytest.approx((two.value, two.low, two.high))
    assert "3 x 5 folds" in str(hl.compare(unsaid))
    moved = np.where(split == 14, 13, split)  # now row by row no repeat is whole
    moved[0] = 14
    with pytest.raises(hl.InputError, match="disjoint"):
        hl.compare(hl.Predictions.of(truths, labels, split=np.tile(moved, 2), **rows))
