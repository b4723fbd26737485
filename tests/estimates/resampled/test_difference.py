"""Differences of two models over the same splits."""

import numpy as np
import pytest
from scipy.stats import t
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import heliast as hl
from heliast.data import simulate
from heliast.estimates.resampled import Case, Parts, Refused, difference_over_splits, over_splits

MODELS = {"nb": GaussianNB(), "nn": KNeighborsClassifier(1)}


def cases(table: hl.Predictions, measure: str) -> tuple[Case, ...]:
    chosen = hl.measures.get(measure)
    return tuple(Case(Parts(table, model), table.only(model), chosen) for model in table.models)


@pytest.fixture(scope="module")
def table() -> hl.Predictions:
    return hl.run(MODELS, simulate.two_gaussians(0.2).sample(120, seed=1), hl.KFold(10), seed=1)


def test_the_error_by_hand(table) -> None:
    loss = [np.empty(120), np.empty(120)]
    for model, line in zip(table.models, loss, strict=True):
        part = table.only(model)
        line[np.asarray(part.row)] = part.y_true != part.y_pred
    gap = loss[0] - loss[1]
    variance = 1.7 * (((gap - gap.mean()) ** 2).sum() + 1) / 120**2
    difference = difference_over_splits(*cases(table, "error"))
    assert difference.value == pytest.approx(gap.mean())
    assert difference.se == pytest.approx(np.sqrt(variance))
    assert difference.df == 119
    half = t.ppf(0.975, 119) * difference.se
    # Each model's own shift changes the limits a little.
    assert difference.high - difference.value == pytest.approx(half, rel=0.05)


@pytest.mark.parametrize(
    "measure", ["error", "recall", "kappa", "f1", "auc", "brier", "balanced_accuracy"]
)
def test_p_is_the_level_at_which_the_interval_touches_zero(table, measure: str) -> None:
    first, second = cases(table, measure)
    there, back = difference_over_splits(first, second), difference_over_splits(second, first)
    assert (there.value, there.low, there.p) == pytest.approx((-back.value, -back.high, back.p))
    touching = difference_over_splits(first, second, 1 - there.p)
    end = touching.low if there.value > 0 else touching.high
    assert end == pytest.approx(0, abs=0.02 * (there.high - there.low))
    assert (there.p < 0.05) == (there.low > 0 or there.high < 0)


def test_identical_predictions_have_p_1_and_a_width() -> None:
    truth = np.arange(80) % 2
    label = np.where(np.arange(80) % 7 == 0, 1 - truth, truth)
    row = {"split": np.arange(80) % 8, "row": range(80)}
    twins = hl.Predictions.of(truth, label, model="a", **row).join(
        hl.Predictions.of(truth, label, model="b", **row)
    )
    for measure in ("error", "recall", "f1"):
        difference = difference_over_splits(*cases(twins, measure))
        assert (difference.value, difference.p, difference.method) == (
            0,
            1,
            "identical predictions",
        )
        assert difference.low < 0 < difference.high


def test_models_on_other_rows_and_incomplete_designs_are_refused(table) -> None:
    first, second = cases(table, "error")
    part = table.only("nn")
    lacking = part._at(np.asarray(part.split_code) != 3)
    other = Case(Parts(lacking, "nn"), lacking, first.measure)
    with pytest.raises(Refused):
        difference_over_splits(first, other)
    with pytest.raises(Refused, match="influence of a row on hand_till"):
        difference_over_splits(*cases(table, "hand_till"))
    assert difference_over_splits(first, second).n_effective <= 120


# --- true nulls -----------------------------------------------------------------------------------

N, POSITIVES, TABLES = 600, 15, 80
EVEN = {"a": [0, 1, 3], "b": [0, 2, 4]}  # features 1 and 2, 3 and 4 may be exchanged


def discriminants(rng: np.random.Generator) -> hl.Predictions:
    """Discriminants with even priors at 2.5% positives, ten folds: mostly false positives."""
    truth = (np.arange(N) < POSITIVES).astype(int)
    x = rng.normal(size=(N, 5))
    x[:, :3] += truth[:, None] * np.array([1.0, 0.8, 0.8])
    score, split = {name: np.empty(N) for name in EVEN}, np.empty(N, int)
    deal = StratifiedKFold(10, shuffle=True, random_state=int(rng.integers(2**31)))
    for fold, (train, test) in enumerate(deal.split(x, truth)):
        split[test] = fold
        for name, columns in EVEN.items():
            model = LinearDiscriminantAnalysis(priors=[0.5, 0.5])
            model.fit(x[train][:, columns], truth[train])
            score[name][test] = model.predict_proba(x[test][:, columns])[:, 1]
    parts = [
        hl.Predictions.of(truth, y_score=s, model=m, row=range(N), split=split, positive=1)
        for m, s in score.items()
    ]
    return parts[0].join(parts[1])


@pytest.fixture(scope="module")
def nulls() -> list[hl.Predictions]:
    rng = np.random.default_rng(5)
    return [discriminants(rng) for _ in range(TABLES)]


@pytest.mark.parametrize("measure", ["brier", "error"])
def test_models_that_weigh_classes_anew_differ_no_more_often_than_promised(nulls, measure) -> None:
    rejected = sum(difference_over_splits(*cases(each, measure)).p < 0.05 for each in nulls)
    assert rejected <= 11  # 4 expected at 5%; more than 11 once in 2,000


@pytest.mark.parametrize("measure", ["brier", "error"])
def test_and_their_values_are_covered(nulls, measure) -> None:
    estimates = [over_splits(cases(each, measure)[0]) for each in nulls]
    truth = np.mean([estimate.value for estimate in estimates])
    covered = sum(estimate.low <= truth <= estimate.high for estimate in estimates)
    assert covered >= 0.88 * TABLES


def test_recalls_of_shrunken_and_free_models_without_signal() -> None:
    """Both recalls are 1/2 on average; rows alone reject 67 to 93%."""
    rng = np.random.default_rng(3)
    models = {
        "shrunken": LogisticRegression(C=0.005),
        "free": LogisticRegression(C=10.0, max_iter=300),
    }
    rejected = 0
    for seed in range(60):
        x, y = rng.normal(size=(200, 10)), rng.integers(0, 2, 200)
        drawn = hl.run(models, (x, y), hl.KFold(10), seed=seed, progress=False)
        rejected += difference_over_splits(*cases(drawn, "recall")).p < 0.05
    assert rejected <= 9  # 3 expected; more than 9 once in 1,000


def test_repeats_of_folds_are_recognised_by_their_rows() -> None:
    rng = np.random.default_rng(0)
    n, repeats, folds = 60, 3, 5
    truth = rng.integers(0, 2, n)
    row = np.concatenate([rng.permutation(n) for _ in range(repeats)])
    split = np.repeat(np.arange(repeats * folds), n // folds)
    names = np.array([f"Fold{at % folds + 1}.Rep{at // folds + 1}" for at in range(15)])
    label = np.where(rng.random(row.size) < 0.2, 1 - truth[row], truth[row])
    for measure in ("error", "kappa"):
        plain, named = (
            hl.assess(hl.Predictions.of(truth[row], label, split=each, row=row), measure)[
                "model", measure
            ]
            for each in (split, names[split])
        )
        assert (plain.value, plain.low, plain.high) == pytest.approx(
            (named.value, named.low, named.high)
        )
