"""The default interval for several splits."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm, t
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

import heliast as hl
from heliast._core.proportions import wilson_limits
from heliast.data import simulate

TASK = simulate.two_gaussians(0.2)


def folds(n: int = 100, plan: object = None, seed: int = 1) -> hl.Predictions:
    return hl.run({"nb": GaussianNB()}, TASK.sample(n, seed=seed), plan or hl.KFold(10), seed=seed)


def error_of(table: hl.Predictions, **options: object) -> hl.Estimate:
    return hl.assess(table, "error", **options)["nb", "error"]


def wilson(p: float, n: float, q: float) -> tuple[float, float]:
    centre, spread = p + q * q / (2 * n), q * np.sqrt(p * (1 - p) / n + (q / (2 * n)) ** 2)
    return (centre - spread) / (1 + q * q / n), (centre + spread) / (1 + q * q / n)


@pytest.mark.parametrize(
    ("plan", "tests", "more"),
    [
        (hl.KFold(10), 1, 0.0),
        (hl.KFold(5, repeats=4), 4, 0.0),
        (hl.Subsampling(8, 0.8), 1.6, 0.0),
        (hl.FiveByTwo(), 5, 0.0),
        (hl.LeaveOneOut(), 1, 0.2),
    ],
)
def test_the_error_has_a_wilson_interval_with_the_effective_rows(plan, tests, more) -> None:
    for seed in range(1, 4):
        table = folds(plan=plan, seed=seed)
        found = error_of(table)
        parts = [part for _, part in table.per_split("nb")]
        p = np.mean([(part.y_true != part.y_pred).mean() for part in parts])
        share, outcome = np.zeros(100), np.zeros(100)
        for part in parts:  # each split weighs the same, and each row within it
            for row, wrong in zip(part.row, part.y_true != part.y_pred, strict=True):
                share[row] += 1 / len(part) / len(parts)
                outcome[row] += (wrong - p) / len(part) / len(parts)
        squares = (share**2).sum()
        ratio = (outcome**2).sum() * 100 / 99 / (p * (1 - p) * squares)
        assert share.sum() * 100 * len(parts[0]) * len(parts) / 100 == pytest.approx(tests * 100)
        shared = 0.5 + 0.2 / tests + more
        size = 1 / ((squares + shared / 100) * min(1, (1 + ratio) / 2))
        assert found.value == pytest.approx(p)
        assert found.n_effective == pytest.approx(size)
        assert (found.low, found.high) == pytest.approx(wilson(p, size, norm.ppf(0.975)))
        assert (found.n, found.target) == (100, "algorithm")


def test_splits_that_differ_more_than_chance_are_said_and_widen_the_interval() -> None:
    rng = np.random.default_rng(5)
    rate = np.repeat([0.05, 0.6], 5)[:, None]  # five splits go well, five badly
    wrong = rng.random((10, 30)) < rate
    row = np.concatenate([rng.permutation(60)[:30] for _ in range(10)])
    truth = rng.integers(0, 2, 60)[row]
    table = hl.Predictions.of(
        truth, np.where(wrong.ravel(), 1 - truth, truth), split=np.repeat(range(10), 30), row=row
    )
    splits = tuple(replace(one, n_train=30, repeat=at) for at, one in enumerate(table.splits))
    table = replace(table, splits=hl.predictions.Splits(splits))
    found = hl.assess(table, "error")["model", "error"]
    # So far apart that only the spread over splits counts, shrunk as ten splits without it.
    p = wrong.mean()
    plain = p * (1 - p) / 30
    shrunk = (10 * plain + 9 * wrong.mean(axis=1).var(ddof=1)) / 19
    v = shrunk * (1 / 10 + 1) * (t.ppf(0.975, 19) / norm.ppf(0.975)) ** 2
    assert found.n_effective == pytest.approx(p * (1 - p) / v, rel=1e-6)
    assert (found.low, found.high) == pytest.approx(wilson(p, p * (1 - p) / v, norm.ppf(0.975)))
    assert any("more from split to split" in note for note in found.notes)
    assert not any("more from split to split" in note for note in error_of(folds()).notes)


def test_few_training_rows_a_class_spread_evenly_are_said() -> None:
    many = simulate.ten_gaussians().sample(120, seed=1)
    for plan, said in ((hl.FiveByTwo(stratify=True), True), (hl.FiveByTwo(), False)):
        table = hl.run({"nb": GaussianNB(var_smoothing=0.01)}, many, plan, seed=1)
        assert any("few training rows a class" in note for note in error_of(table).notes) == said


@pytest.mark.parametrize(("wrong", "said"), [(0, True), (19, True), (20, False), (81, True)])
def test_fewer_than_twenty_errors_or_hits_make_cautious_limits(wrong: int, said: bool) -> None:
    truth = np.arange(100) % 2
    label = np.where(np.arange(100) < wrong, 1 - truth, truth)
    mixed = np.random.default_rng(1).permutation(100)
    table = hl.Predictions.of(truth, label, split=mixed % 5, row=range(100))
    found = hl.assess(table, "error")["model", "error"]
    assert any("fewer than 20" in note for note in found.notes) == said


def test_one_repeat_of_folds_has_the_pooled_error() -> None:
    table = folds(n=97)
    assert error_of(table).value == (table.y_true != table.y_pred).mean()


def test_no_error_in_any_fold_leaves_rows_effective() -> None:
    table = hl.Predictions.of([0, 1] * 20, [0, 1] * 20, split=np.arange(40) // 10, row=range(40))
    found = hl.assess(table, ["error", "f1", "kappa"])
    limits = hl.estimates.wilson(0, 40 / 1.7)
    assert found["model", "error"].n_effective == pytest.approx(40 / 1.7)
    assert found["model", "error"].high == pytest.approx(limits.high)
    assert found["model", "f1"].low < 1
    # The rows of one test set are stretched, so no spread over folds is needed.
    one = hl.assess(hl.Predictions.of([0, 1] * 20, [0, 1] * 20), "kappa")["model", "kappa"]
    assert found["model", "kappa"].low < one.low < found["model", "kappa"].high == 1


def test_f_goes_through_q_and_recall_counts_its_own_rows() -> None:
    table = folds(n=200)
    found = hl.assess(table, ["f1", "recall"])
    f, recall = found["nb", "f1"], found["nb", "recall"]
    q = f.value / (2 - f.value)
    low, high = wilson_limits(q, f.n_effective, 0.95)
    assert (f.low, f.high) == pytest.approx((2 * low / (1 + low), 2 * high / (1 + high)))
    positives = (table.y_true == table.classes.index(table.positive)).sum()
    assert recall.n == pytest.approx(positives)
    assert recall.n_effective <= positives + 1e-9


@pytest.mark.parametrize("measure", ["kappa", "mcc", "balanced_accuracy", "brier", "fbeta(beta=2)"])
def test_other_measures_are_judged_by_row_around_the_pooled_value(measure: str) -> None:
    asked = (
        hl.measures.get("fbeta", beta=2) if measure == "fbeta(beta=2)" else hl.measures.get(measure)
    )
    table = folds(n=120)
    found = hl.assess(table, [asked])["nb", measure]
    assert found.value == pytest.approx(asked.of(replace(table, split_code=None)))
    assert found.low < found.value < found.high
    assert found.method.endswith("by row over 10 splits")
    # In large folds the linear values are close to the folds' own.
    table = folds(n=4000)
    found = hl.assess(table, [asked], interval="corrected_t")["nb", measure]
    values = np.array([asked.of(part) for _, part in table.per_split("nb")])
    se = np.sqrt(values.var(ddof=1) * (1 / 10 + 1 / 9))
    assert found.se == pytest.approx(se, rel=0.05)


def test_areas_are_judged_per_fold_and_average_precision_pooled() -> None:
    table = folds(n=60)
    for measure in ("auc", "average_precision"):
        found = hl.assess(table, measure)["nb", measure]
        one = hl.measures.get(measure)
        mean = np.mean([one.of(part) for _, part in table.per_split("nb")])
        pooled = one.of(replace(table, split_code=None))
        assert found.value == pytest.approx(mean if measure == "auc" else pooled)
        assert found.low < found.value < found.high <= 1


def test_leave_one_out_is_for_stable_learners() -> None:
    table = folds(n=60, plan=hl.LeaveOneOut())
    found = hl.assess(table)
    error = found["nb", "error"]
    assert error.n_effective == pytest.approx(60 / 1.9, rel=0.02)
    assert any("stable learners only" in note for note in error.notes)
    assert error.n_train == 59
    loss = found["nb", "log_loss"]
    assert loss.low < loss.value < loss.high
    assert any("stable learners only" in note for note in loss.notes)
    assert "each split tests one row" in found["nb", "auc"].reason
    assert "needs several rows in a split" in error_of(table, interval="fold_t").reason
    assert "no spread of its own" in error_of(table, interval="corrected_t").reason


def test_numbers_have_intervals_too() -> None:
    rng = np.random.default_rng(2)
    truth = rng.normal(size=90)
    table = hl.Predictions.of(
        truth, truth + rng.normal(0, 0.5, 90), split=np.arange(90) % 9, row=range(90)
    )
    found = hl.assess(table)
    for name in ("mae", "mse", "rmse", "r2", "rae", "rrse"):
        one = found["model", name]
        assert one.low < one.value < one.high
        assert one.method.endswith("by row over 9 splits")


def test_groups_are_judged_by_the_spread_over_folds() -> None:
    rng = np.random.default_rng(3)
    group = np.repeat(np.arange(30), 4)
    bad = rng.random(30) < 0.3
    truth = rng.integers(0, 2, 120)
    label = np.where(bad[group], 1 - truth, truth)  # whole groups go wrong together
    table = hl.Predictions.of(truth, label, split=group % 10, row=range(120), group=group)
    found = hl.assess(table, "error")["model", "error"]
    assert found.n_effective < 60
    assert any("keep groups whole" in note for note in found.notes)
    kappa = hl.assess(table, "kappa")["model", "kappa"]
    assert 0 < kappa.n_effective < 60
    torn = hl.Predictions.of(truth, label, split=np.arange(120) % 10, row=range(120), group=group)
    assert "several folds" in hl.assess(torn, "error")["model", "error"].reason
    third = group // 10
    few = hl.Predictions.of(truth, label, split=third, row=range(120), group=third)
    assert "only 3 groups" in hl.assess(few, "error")["model", "error"].reason


def test_weights_of_two_count_rows_twice_and_sampling_weights_are_said() -> None:
    rng = np.random.default_rng(4)
    truth, split = rng.integers(0, 2, 60), np.arange(60) % 6
    label = np.where(rng.random(60) < 0.8, truth, 1 - truth)
    make = {"split": split, "row": range(60), "weight": np.full(60, 2)}
    twice = hl.assess(hl.Predictions.of(truth, label, weights="frequency", **make), "error")
    once = hl.Predictions.of(truth, label, split=split, row=range(60))
    assert twice["model", "error"].n == 120
    assert twice["model", "error"].value == hl.assess(once, "error")["model", "error"].value
    sampled = hl.assess(hl.Predictions.of(truth, label, weights="sampling", **make), "error")
    assert sampled["model", "error"].n_effective <= 60 + 1e-9
    assert any("sampling weights" in note for note in sampled["model", "error"].notes)


def test_given_prevalences_are_respected() -> None:
    table = folds(n=200)
    shares = dict(zip(table.classes, (0.9, 0.1), strict=True))
    fixed = replace(table, meta=replace(table.meta, design="classes"))
    found = error_of(fixed, prevalences=shares)
    rates = [(table.y_pred != table.y_true)[table.y_true == code].mean() for code in (0, 1)]
    assert found.value == pytest.approx(0.9 * rates[0] + 0.1 * rates[1])
    assert found.low < found.value < found.high
    assert "fixed by design" in error_of(fixed).reason


def test_a_failed_fold_leaves_the_value_without_an_interval() -> None:
    table = folds(n=60)
    code = np.asarray(table.split_code)
    lacking = table._at(code != 3)
    found = error_of(lacking)
    assert np.isfinite(found.value)
    assert found.reason == "incomplete: the model failed in 1 of 10 splits"
    with pytest.raises(hl.InputError, match="failed in 1 of 10 splits"):
        hl.estimates.wald_cv(lacking)


def test_the_order_of_rows_and_the_names_of_splits_change_nothing() -> None:
    rng = np.random.default_rng(6)
    truth, split = rng.integers(0, 3, 90), np.arange(90) % 5
    label = np.where(rng.random(90) < 0.7, truth, rng.integers(0, 3, 90))
    table = hl.Predictions.of(truth, label, split=split, row=np.arange(90))
    mixed = rng.permutation(90)
    named = np.array(["e", "b", "d", "a", "c"])[split]
    other = hl.Predictions.of(truth[mixed], label[mixed], split=named[mixed], row=mixed)
    for one, two in zip(hl.assess(table), hl.assess(other), strict=True):
        if one.defined:
            assert (two.value, two.low, two.high) == pytest.approx(
                (one.value, one.low, one.high), nan_ok=True
            )


def test_the_sentence_speaks_of_the_recipe() -> None:
    found = hl.assess(folds(n=100))
    assert found.summary.startswith("nb: error rate ")
    assert "trained on 90 rows" in found.summary


def test_methods_by_name_are_refused_with_a_reason() -> None:
    table = folds(n=60)
    assert "wilson is valid for one test set" in error_of(table, interval="wilson").reason
    assert error_of(table, interval=None).reason == "no interval asked for"
    with pytest.raises(hl.InputError, match=r"no interval method named 'wald'.*wald_cv"):
        error_of(table, interval="wald")
    with pytest.raises(hl.InputError, match=r"did you mean 0\.95"):
        error_of(table, level=95)
    single = folds(n=60, plan=hl.Holdout())
    assert error_of(single, interval="fold_t").reason == "fold_t needs several splits, here is 1"
    assert error_of(single).target == "model"
    order = hl.assess(table, "hand_till")["nb", "hand_till"]
    assert "influence of a row on hand_till is not known" in order.reason


@pytest.mark.parametrize("plan", [hl.KFold(10), hl.KFold(5, repeats=2)], ids=str)
def test_the_error_of_the_recipe_is_covered(plan: object) -> None:
    """200 samples of 100 rows: a coverage of 95% shows as 90.4% to 99.6% but for 3 in 1,000."""
    n_train = 90 if plan == hl.KFold(10) else 80
    model = {"lda": LinearDiscriminantAnalysis()}
    fresh = hl.run(model, TASK.sample(4000, seed=999), hl.Fresh(60, n_train), seed=5)
    risk = (fresh.y_true != fresh.y_pred).mean()
    inside = 0
    for seed in range(200):
        one = hl.assess(hl.run(model, TASK.sample(100, seed=seed), plan, seed=seed), "error")
        found = one["lda", "error"]
        inside += found.low <= risk <= found.high
    assert 0.904 <= inside / 200 <= 0.996


@pytest.mark.parametrize(
    "names", [[7, 3, 7, 9, 3], [10**9, 5, 10**9], ["b", "a", "b"], [-2, 4, -2]]
)
def test_rows_are_placed_as_sorting_would(names) -> None:
    from heliast.estimates.resampled._row_worth import _placed

    _, first, place = np.unique(names, return_index=True, return_inverse=True)
    found = _placed(np.array(names))
    assert found[0].tolist() == first.tolist()
    assert found[1].tolist() == place.tolist()
