"""The variance model over splits: by hand, identities, edges, and small simulations."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm, t
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import heliast as hl
from heliast.data import simulate
from heliast.estimates._scales import rate_limits
from heliast.estimates.resampled import Case, Parts
from heliast.estimates.resampled._intercept import platt_slope
from heliast.estimates.resampled._variance import added_by_tests, forms_of, spread_of

TASK = simulate.two_gaussians(0.2)
NB = {"nb": GaussianNB()}


def folds(n: int = 100, plan: object = None, seed: int = 1) -> hl.Predictions:
    return hl.run(NB, TASK.sample(n, seed=seed), plan or hl.KFold(10), seed=seed)


def error_of(table: hl.Predictions, **options: object) -> hl.Estimate:
    return hl.assess(table, "error", **options)[table.models[0], "error"]


def case_of(table: hl.Predictions, measure: str, class_: object = None) -> Case:
    model = table.models[0]
    return Case(
        Parts(table.only(role="test", in_train=0), model), table, hl.measures.get(measure), class_
    )


class Fixed(ClassifierMixin, BaseEstimator):
    """A model that ignores its training rows: column 0 is the probability of class 1."""

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        return self

    def predict_proba(self, X):
        return np.c_[1 - X[:, 0], X[:, 0]]

    def predict(self, X):
        return (X[:, 0] >= 0.5).astype(int)


def rare(rng: np.random.Generator, n: int, share: float = 0.05):
    """Forecasts that are right: normal scores of two classes, and their posteriors."""
    truth = (rng.random(n) < share).astype(int)
    odds = 1.5 * (rng.normal(size=n) + 1.5 * truth) - 1.125 + np.log(share / (1 - share))
    return 1 / (1 + np.exp(-odds)), truth


def table_of(forecast, truth, plan: object, seed: int = 0) -> hl.Predictions:
    return hl.run({"m": Fixed()}, (forecast[:, None], truth), plan, seed=seed, progress=False)


# --- by hand --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "plan", [hl.KFold(10), hl.KFold(5, repeats=4), hl.FiveByTwo(), hl.LeaveOneOut()], ids=str
)
def test_the_variance_of_the_error_by_hand(plan) -> None:
    table = folds(plan=plan)
    repeats = len({split.repeat for split in table.splits})
    wrong = np.zeros((repeats, 100))
    for (_, part), split in zip(table.per_split("nb"), table.splits, strict=True):
        wrong[split.repeat, np.asarray(part.row)] = part.y_true != part.y_pred
    p, mean = wrong.mean(), wrong.mean(axis=0)
    phi = 2.0
    if repeats > 1:
        within = _within(wrong)
        between = ((mean - p) ** 2).mean() - within / repeats
        phi = min(2.2, 1 + 2.2 * np.sqrt(within / (within + max(0, between))))
    variance = phi * ((mean - p) ** 2).sum() / 100**2
    case = case_of(table, "error")
    spread = spread_of(case, added_by_tests(case, forms_of(case)))
    assert spread.phi == pytest.approx(phi)
    assert spread.variance == pytest.approx(variance)
    estimate = error_of(table)
    assert estimate.value == pytest.approx(p)
    assert estimate.se == pytest.approx(np.sqrt(variance))
    assert estimate.n_effective == pytest.approx(p * (1 - p) / variance)
    assert f"phi {phi:.3g}" in estimate.method
    assert (estimate.n, estimate.target) == (100, "algorithm")
    # The shared intercept adds a little, or takes a little where it goes against the rows.
    limits = rate_limits(p, p * (1 - p) / variance, 0.95, 99)
    assert (estimate.low, estimate.high) == pytest.approx(limits, abs=0.02)


def _within(wrong: np.ndarray) -> float:
    """The variance of a row between repeats, each about its own rate."""
    psi = wrong - wrong.mean(axis=1, keepdims=True)
    return float(psi.var(axis=0, ddof=1).mean())


def test_a_mean_loss_has_student_limits_by_hand() -> None:
    rng = np.random.default_rng(2)
    truth = rng.normal(size=90)
    label = truth + rng.normal(0, 0.5, 90)
    table = hl.Predictions.of(truth, label, split=np.arange(90) % 9, row=range(90))
    loss = np.abs(label - truth)
    half = t.ppf(0.975, 89) * np.sqrt(2.0) * loss.std(ddof=1) / np.sqrt(90)
    mae = hl.assess(table, "mae")["model", "mae"]
    assert (mae.low, mae.high) == pytest.approx((loss.mean() - half, loss.mean() + half))
    assert mae.n_effective == pytest.approx(45)
    for name in ("mse", "rmse", "r2", "rae", "rrse"):
        estimate = hl.assess(table, name)["model", name]
        assert estimate.low < estimate.value < estimate.high
        assert "by row over 9 splits, phi 2" in estimate.method


def test_the_area_of_each_fold_by_placements() -> None:
    table = folds(n=120, plan=hl.KFold(6))
    case = case_of(table, "auc")
    added = added_by_tests(case, forms_of(case))
    expected = np.zeros(120)
    for name, part in table.per_split("nb"):
        positive = table.classes.index(table.positive)
        y, score = np.asarray(part.y_true) == positive, part.rows().score_of(positive)
        wins = (score[y][:, None] > score[~y]) + 0.5 * (score[y][:, None] == score[~y])
        psi = np.zeros(y.size)
        for own, line in ((y, wins.mean(axis=1)), (~y, wins.mean(axis=0))):
            m = own.sum()
            psi[own] = (line - wins.mean()) * np.sqrt(m / (m - 1)) / m / 6
        expected[np.asarray(table.codes("split")) == table.splits.places[name]] = psi
    assert added == pytest.approx(expected)
    assert added.sum() == pytest.approx(0, abs=1e-12)
    area = hl.assess(table, "auc")["nb", "auc"]
    se = np.sqrt(2 * (expected**2).sum())
    logit, half = np.log(area.value / (1 - area.value)), t.ppf(0.975, 119) * se
    half /= area.value * (1 - area.value)
    ends = 1 / (1 + np.exp(-np.array([logit - half, logit + half])))
    assert (area.low, area.high) == pytest.approx(tuple(ends))


def test_groups_are_summed_and_splits_of_fresh_samples_are_units_too() -> None:
    rng = np.random.default_rng(3)
    group = np.repeat(np.arange(30), 4)
    truth = rng.integers(0, 2, 120)
    label = np.where((rng.random(30) < 0.3)[group], 1 - truth, truth)
    table = hl.Predictions.of(truth, label, split=group % 10, row=range(120), group=group)
    estimate = error_of(table)
    wrong = truth != label
    sums = np.bincount(group, wrong - wrong.mean())
    variance = 2 * (sums**2).sum() * 30 / 29 / 120**2
    assert estimate.se == pytest.approx(np.sqrt(variance))
    assert any("keep groups whole" in note for note in estimate.notes)
    torn = hl.Predictions.of(truth, label, split=np.arange(120) % 10, row=range(120), group=group)
    assert "several folds" in error_of(torn).reason
    few = hl.Predictions.of(truth, label, split=group // 10, row=range(120), group=group // 10)
    assert "only 3 groups" in error_of(few).reason
    fresh = hl.run(NB, TASK.sample(60, seed=1), hl.Fresh(8, 30), seed=2)
    case = case_of(fresh, "error")
    wrong = (np.asarray(fresh.y_true) != fresh.y_pred).reshape(8, 60)
    rows = ((wrong.mean(axis=0) - wrong.mean()) ** 2).sum() / 60**2
    splits = wrong.mean(axis=1).var(ddof=1) / 8
    assert spread_of(case, added_by_tests(case, forms_of(case))).variance == pytest.approx(
        rows + splits
    )
    assert error_of(fresh).low < error_of(fresh).value < error_of(fresh).high


# --- identities -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "measure", ["error", "recall", "f1", "kappa", "mcc", "auc", "brier", "balanced_accuracy"]
)
def test_what_tests_add_sums_to_zero(measure: str) -> None:
    for plan in (hl.KFold(5, repeats=2), hl.Subsampling(6, 0.7)):
        case = case_of(folds(plan=plan), measure)
        assert added_by_tests(case, forms_of(case)).sum() == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("measure", ["kappa", "mcc", "balanced_accuracy", "brier", "log_loss"])
def test_values_are_those_of_pooled_rows(measure: str) -> None:
    table = folds(n=120)
    estimate = hl.assess(table, measure)["nb", measure]
    assert estimate.value == pytest.approx(
        hl.measures.get(measure).of(replace(table, split_code=None))
    )
    assert estimate.low < estimate.value < estimate.high


def test_areas_are_means_over_folds_and_average_precision_is_pooled() -> None:
    table = folds(n=60)
    for measure in ("auc", "average_precision"):
        estimate = hl.assess(table, measure)["nb", measure]
        one = hl.measures.get(measure)
        mean = np.mean([one.of(part) for _, part in table.per_split("nb")])
        pooled = one.of(replace(table, split_code=None))
        assert estimate.value == pytest.approx(mean if measure == "auc" else pooled)
        assert estimate.low < estimate.value < estimate.high <= 1


def test_a_model_that_learns_nothing_has_phi_1_with_repeats() -> None:
    forecast, truth = rare(np.random.default_rng(2), 400, 0.3)
    table = table_of(forecast, truth, hl.KFold(10, repeats=4))
    once = hl.assess(hl.Predictions.of(truth, y_score=forecast, positive=1), "log_loss")
    estimate = hl.assess(table, "log_loss")["m", "log_loss"]
    assert estimate.method.endswith("phi 1")
    assert estimate.se == pytest.approx(once["model", "log_loss"].se, rel=0.01)


def test_accuracy_mirrors_the_error() -> None:
    found = hl.assess(folds(n=90), ["error", "accuracy"])
    error, accuracy = found["nb", "error"], found["nb", "accuracy"]
    assert (1 - error.high, 1 - error.low) == pytest.approx((accuracy.low, accuracy.high))


def test_the_order_of_rows_and_the_names_of_splits_change_nothing() -> None:
    rng = np.random.default_rng(6)
    truth, split = rng.integers(0, 3, 90), np.arange(90) % 5
    label = np.where(rng.random(90) < 0.7, truth, rng.integers(0, 3, 90))
    mixed = rng.permutation(90)
    named = np.array(["e", "b", "d", "a", "c"])[split]
    tables = (
        hl.Predictions.of(truth, label, split=split, row=np.arange(90)),
        hl.Predictions.of(truth[mixed], label[mixed], split=named[mixed], row=mixed),
    )
    for here, other in zip(*map(hl.assess, tables), strict=True):
        if here.defined:
            limits = (other.value, other.low, other.high)
            assert limits == pytest.approx((here.value, here.low, here.high), nan_ok=True)


# --- the shared intercept -------------------------------------------------------------------------


def test_the_shared_intercept_by_hand() -> None:
    table = folds(n=200)
    positive = table.classes.index(table.positive)
    y, score = np.asarray(table.y_true) == positive, table.rows().score_of(positive)
    recall = hl.assess(table, "recall")["nb", "recall"]
    label = score >= 0.5
    value, m = label[y].mean(), y.sum()
    variance = 2.0 * value * (1 - value) / m
    low, high = rate_limits(value, value * (1 - value) / variance, 0.95, 199)
    x = np.log(score / (1 - score))
    reach = norm.ppf(0.975) / np.sqrt(200 * y.mean() * (1 - y.mean()))
    moved = [(x[y] + shift >= 0).mean() for shift in np.linspace(-reach, reach, 9)]
    # The rows' part does not go with the share of the class, so squares are added.
    below, above = (
        np.hypot(value - low, value - min(moved)),
        np.hypot(high - value, max(moved) - value),
    )
    assert (recall.low, recall.high) == pytest.approx(
        (value - below, min(1, value + above)), rel=1e-6
    )


def test_labels_without_scores_allow_for_rows_alone_and_say_so() -> None:
    table = folds(n=80)
    bare = hl.Predictions.of(table.y_true, table.y_pred, split=table.codes("split"), row=table.row)
    estimate = error_of(bare)
    assert any("allows for the rows alone" in note for note in estimate.notes)
    assert error_of(table).high > estimate.high - 1e-12


@pytest.mark.parametrize("slope", [0.5, 2.0, 6.0])
def test_the_slope_of_decision_scores_is_that_of_logistic_regression(slope: float) -> None:
    rng = np.random.default_rng(4)
    score = rng.normal(size=4000) * 3 / slope
    own = rng.random(4000) < 1 / (1 + np.exp(-slope * score))
    peer = LogisticRegression(C=1e6).fit(score[:, None], own).coef_.item()
    assert platt_slope(score, own) == pytest.approx(peer, rel=1e-2)
    assert platt_slope(rng.normal(size=4000), own) == pytest.approx(1, rel=0.05)


# --- edges ----------------------------------------------------------------------------------------


def test_perfect_scores_have_a_width() -> None:
    row = {"split": np.arange(40) // 10, "row": range(40)}
    table = hl.Predictions.of([0, 1] * 20, [0, 1] * 20, **row)
    found = hl.assess(table, ["error", "recall", "f1", "kappa", "mcc", "balanced_accuracy"])
    error = found["model", "error"]
    assert error.n_effective == pytest.approx(20)  # 40 / phi
    assert (error.low, error.high) == pytest.approx(rate_limits(0.0, 20, 0.95, 39))
    for estimate in list(found)[1:]:
        assert estimate.low < 1 == estimate.high
    score = np.linspace(0, 1, 40) + np.tile([0, 1], 20) * 2
    decided = hl.Predictions.of([0, 1] * 20, y_score=score, scores="decision", positive=1, **row)
    area = hl.assess(decided, ["auc", "average_precision"])
    assert area["model", "auc"].low < 1 == area["model", "auc"].high
    assert area["model", "average_precision"].low < 1


def test_leave_one_out_keeps_phi() -> None:
    found = hl.assess(folds(n=60, plan=hl.LeaveOneOut()))
    assert found["nb", "error"].n_effective == pytest.approx(30, rel=0.02)
    assert found["nb", "error"].n_train == 59
    assert found["nb", "log_loss"].low < found["nb", "log_loss"].high
    assert "each split tests one row" in found["nb", "auc"].reason


def test_given_prevalences_are_respected() -> None:
    table = folds(n=200)
    shares = dict(zip(table.classes, (0.9, 0.1), strict=True))
    fixed = replace(table, meta=replace(table.meta, design="classes"))
    estimate = error_of(fixed, prevalences=shares)
    rates = [(table.y_pred != table.y_true)[table.y_true == code].mean() for code in (0, 1)]
    assert estimate.value == pytest.approx(0.9 * rates[0] + 0.1 * rates[1])
    assert estimate.low < estimate.value < estimate.high
    assert "fixed by design" in error_of(fixed).reason


def test_a_failed_fold_leaves_the_value_without_an_interval() -> None:
    table = folds(n=60)
    lacking = table._at(np.asarray(table.split_code) != 3)
    estimate = error_of(lacking)
    assert np.isfinite(estimate.value)
    assert estimate.reason == "incomplete: the model failed in 1 of 10 splits"
    with pytest.raises(hl.InputError, match="failed in 1 of 10 splits"):
        hl.estimates.wald_cv(lacking)


def test_areas_need_several_groups_in_every_split() -> None:
    rng = np.random.default_rng(8)
    group = np.repeat(np.arange(40), 10)
    truth = rng.integers(0, 2, 400)
    score = rng.normal(size=400) + truth + rng.normal(size=40)[group]
    given = {"y_score": score, "row": range(400), "scores": "decision"}
    wide, tight = (
        hl.assess(hl.Predictions.of(truth, split=group % k, group=group, **given), "auc")[
            "model", "auc"
        ]
        for k in (5, 10)
    )
    assert wide.low < wide.value < wide.high
    assert "4 groups only" in tight.reason


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


# --- simulations ----------------------------------------------------------------------------------


@pytest.mark.parametrize("plan", [hl.KFold(10), hl.KFold(5, repeats=2)], ids=str)
def test_the_error_of_the_algorithm_is_covered(plan) -> None:
    """200 samples of 100 rows: a coverage of 95% shows as 90.4% or more but for 2 in 1,000."""
    n_train = 90 if plan == hl.KFold(10) else 80
    model = {"lda": LinearDiscriminantAnalysis()}
    fresh = hl.run(model, TASK.sample(4000, seed=999), hl.Fresh(60, n_train), seed=5)
    risk = (fresh.y_true != fresh.y_pred).mean()
    inside = 0
    for seed in range(200):
        table = hl.run(model, TASK.sample(100, seed=seed), plan, seed=seed)
        estimate = error_of(table)
        inside += estimate.low <= risk <= estimate.high
    assert inside / 200 >= 0.904


@pytest.mark.parametrize("stratify", [True, False])
def test_losses_of_a_rare_class_are_covered_however_folds_are_dealt(stratify: bool) -> None:
    """Corrected t covered the cost .61 where folds are dealt by class; 100 samples of 500 rows."""
    forecast, truth = rare(np.random.default_rng(77), 1_000_000)
    true = {
        "brier": ((forecast - truth) ** 2).mean(),
        "log_loss": -np.log(np.where(truth == 1, forecast, 1 - forecast)).mean(),
        "expected_cost": np.where(truth == 1, 20 * (forecast < 0.5), forecast >= 0.5).mean(),
    }
    held = dict.fromkeys(true, 0)
    for seed in range(100):
        data = rare(np.random.default_rng([3, seed]), 500)
        table = table_of(*data, hl.KFold(10, repeats=2, stratify=stratify), seed)
        found = hl.assess(table, ["brier", "log_loss"], cost=[[0, 1], [20, 0]])
        for measure, value in true.items():
            estimate = found["m", measure]
            held[measure] += estimate.low <= value <= estimate.high
    # A coverage of 92.5% shows as less than 84% once in 1,000 times.
    assert min(held.values()) >= 84, held


@pytest.mark.parametrize("measure", ["recall", "specificity", "f1"])
def test_recall_of_a_shrunken_model_is_covered(measure: str) -> None:
    """Ridge with 100 features: the intercept decides, and rows alone covered .25 to .79."""
    rng, model = np.random.default_rng(5), LogisticRegression(C=0.002)

    def draw(n):
        y = rng.integers(0, 2, n)
        x = rng.normal(size=(n, 100))
        x[:, :5] += 0.5 * y[:, None]
        return x, y

    chosen, values, limits = hl.measures.get(measure), [], []
    for _ in range(60):
        test = draw(2000)
        score = model.fit(*draw(180)).predict_proba(test[0])[:, 1]
        values.append(chosen.of(hl.Predictions.of(test[1], y_score=score, positive=1)))
    for seed in range(60):
        table = hl.run({"m": model}, draw(200), hl.KFold(10), seed=seed, progress=False)
        estimate = hl.assess(table, measure)["m", measure]
        limits.append(estimate.low <= np.mean(values) <= estimate.high)
    assert np.mean(limits) >= 0.85  # 95% shows as less once in 500 times


def test_average_precision_over_folds_is_that_of_all_rows() -> None:
    """Mean over folds .47 where it is .335: two or three positives a fold look too good."""
    shown = []
    for seed in range(20):
        forecast, truth = rare(np.random.default_rng([4, seed]), 500)
        table = table_of(forecast, truth, hl.KFold(10), seed)
        estimate = hl.assess(table, "average_precision")["m", "average_precision"]
        assert estimate.low < estimate.value < estimate.high
        shown.append(estimate.value)
    error = np.std(shown, ddof=1) / np.sqrt(20)
    assert np.mean(shown) == pytest.approx(0.335, abs=4 * error)


@pytest.mark.parametrize("measure", ["ece", "brier_calibration"])
def test_a_calibration_error_over_folds_is_that_of_one_repeat_widened(measure: str) -> None:
    forecast, truth = rare(np.random.default_rng(10), 400, 0.5)
    once = hl.assess(hl.Predictions.of(truth, y_score=forecast, positive=1), measure)
    narrow, wide = (
        once["model", measure],
        hl.assess(table_of(forecast, truth, hl.KFold(5)), measure)["m", measure],
    )
    assert wide.value == pytest.approx(narrow.value)
    assert wide.high - wide.value == pytest.approx(np.sqrt(2) * (narrow.high - narrow.value))
    alone = hl.assess(table_of(forecast, truth, hl.LeaveOneOut()), "ece")["m", "ece"]
    assert np.isnan(alone.low)
