"""What the documents compute over folds and resamples."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import heliast as hl
from heliast import estimates
from heliast.data import simulate
from heliast.plans import Piece, Plan
from heliast.predictions import Split

ERRORS = np.array([8, 4, 7, 11, 5]) / 30
"""Chapter, example 22.7: the errors of five folds of 30 rows."""


def test_chapter_22_7_mean_and_variance_over_folds() -> None:
    found = estimates.fold_mean(ERRORS)
    assert found.value == pytest.approx(7 / 30)
    assert found.variance == pytest.approx(0.00833, abs=5e-6)
    assert estimates.fold_mean(ERRORS, "K").variance == pytest.approx(0.00833 * 4 / 5, abs=5e-6)


@pytest.mark.parametrize(
    ("rule", "level", "low", "high"),
    [
        (estimates.fold_z, 0.95, 0.153, 0.313),  # example 22.9
        (estimates.fold_z, 0.99, 0.128, 0.338),
        (estimates.fold_t, 0.95, 0.12, 0.346),  # example 22.10
        (estimates.fold_t, 0.99, 0.045, 0.421),
    ],
)
def test_chapter_22_9_and_22_10_intervals_over_folds(rule, level, low, high) -> None:
    found = rule(ERRORS, level)
    assert found.low == pytest.approx(low, abs=1e-3)
    assert found.high == pytest.approx(high, abs=1e-3)
    assert "textbook rule" in found.method
    assert "38 to 69%" in found.notes[0]


@pytest.fixture(scope="module")
def iris() -> hl.Dataset:
    X, y = load_iris(return_X_y=True)
    return hl.Dataset.of(X[:, :2], y)


def test_chapter_22_7_ten_runs_of_5_folds_of_the_full_bayes_classifier(iris: hl.Dataset) -> None:
    table = hl.run(QuadraticDiscriminantAnalysis(), iris, hl.KFold(5, repeats=10), seed=2)
    model = table.models[0]
    error = hl.assess(table, "error")[model, "error"]
    assert error.value == pytest.approx(0.232, abs=0.03)  # variance below 1e-3
    assert error.low < 0.232 < error.high


def test_chapter_22_3_ten_runs_of_5_folds_mean_of_mean_and_of_variance(iris: hl.Dataset) -> None:
    table = hl.run(
        QuadraticDiscriminantAnalysis(), iris, hl.KFold(5, repeats=10, stratify=False), seed=3
    )
    errors = np.array(
        [(part.y_true != part.y_pred).mean() for _, part in table.per_split(*table.models)]
    )
    runs = [estimates.fold_mean(folds) for folds in errors.reshape(10, 5)]
    means = np.array([run.value for run in runs])
    variances = np.array([run.variance for run in runs])
    # Two means of ten runs each, theirs and ours: the difference has twice the variance of one.
    for found, printed in ((means, 0.232), (variances, 0.00521)):
        assert abs(found.mean() - printed) < 3 * np.sqrt(2 * found.var(ddof=1) / 10)
        assert found.var(ddof=1) < 1e-3


class WholeSet(Plan):
    """The chapter's bootstrap: train on a resample, test on all rows."""

    def pieces(self, data, rng):
        for repeat in range(50):
            train = np.sort(rng.integers(data.n, size=data.n))
            yield Piece.using(data.n, train, np.arange(data.n), Split(0, repeat=repeat))


def test_chapter_22_8_resamples_tested_on_the_whole_set_are_optimistic(iris: hl.Dataset) -> None:
    table = hl.run(QuadraticDiscriminantAnalysis(), iris, WholeSet(), seed=1)
    model = table.models[0]
    error = hl.assess(table, "error", in_train=None)[model, "error"]
    assert error.value == pytest.approx(0.213, abs=3 * (4.815e-4 / 50) ** 0.5 + 0.01)
    assert np.isnan(error.low)
    folds = hl.assess(table, "error", interval="fold_t", in_train=None)[model, "error"]
    assert 50 * folds.se**2 == pytest.approx(4.815e-4, rel=0.5)
    honest = hl.assess(table, "error")[model, "error"]
    assert honest.value > error.value


def test_notes_2_3_the_632_rule_as_corrected() -> None:
    # The mean over runs, and the training term from the model fitted to all rows.
    own, out = 0.9, 0.75
    truth, label, split, row, seen = [], [], [], [], []
    for at in range(20):
        truth += [0] * 20 + [1] * 20
        label += [0] * 20 + [1] * 10 + [0] * 10
        split += [at] * 40
        row += range(40)
        seen += [0] * 40
    truth += [0] * 20 + [1] * 20
    label += [0] * 20 + [1] * 16 + [0] * 4
    split += [20] * 40
    row += range(40)
    seen += [1] * 40
    table = hl.Predictions.of(truth, label, split=split, row=row, in_train=seen)
    records = [
        Split(at, repeat=at, n_train=40) if at < 20 else Split(at, role="full", n_train=40)
        for at in range(21)
    ]
    table = replace(table, splits=type(table.splits)(tuple(records)))
    accuracy = estimates.bootstrap_632(table, "accuracy")
    assert accuracy.value == pytest.approx(0.632 * out + 0.368 * own)
    assert estimates.bootstrap_632(table).value == pytest.approx(1 - accuracy.value)


def test_notes_2_3_the_632_rule_as_printed() -> None:
    """The mean over runs of (1 - 1/e) Acc(M_i) on the rows left out + 1/e Acc(M_i) on 'the original
    set of data samples'; by hand from fits of our own.
    """
    data = simulate.two_gaussians(0.2).sample(50, seed=2)
    table = hl.run({"nb": GaussianNB()}, data, hl.Bootstrap(12), seed=5, in_sample=True)
    runs = []
    for piece in hl.Bootstrap(12).on(data, 5):
        if piece.record.role == "test":
            fitted = GaussianNB().fit(data.matrix[piece.train], data.y[piece.train])
            right = fitted.predict(data.matrix) == data.y
            runs.append((1 - np.exp(-1)) * right[piece.test].mean() + np.exp(-1) * right.mean())
    found = estimates.bootstrap_632_notes(table, "accuracy")
    # The name has three digits of 1/e.
    assert found.value == pytest.approx(np.mean(runs), abs=2e-4)
    assert estimates.bootstrap_632_notes(table).value == pytest.approx(1 - found.value)
    named = hl.assess(table, "accuracy", interval="bootstrap_632_notes")["nb", "accuracy"]
    assert named == found
    assert "measured bias" in found.notes[0]
    assert np.isnan(found.low)


def test_notes_2_3_needs_rows_trained_on() -> None:
    data = simulate.two_gaussians(0.2).sample(50, seed=2)
    table = hl.run({"nb": GaussianNB()}, data, hl.Bootstrap(5), seed=5)
    with pytest.raises(hl.InputError, match=r"bootstrap_632_notes needs .*in_sample=True"):
        estimates.bootstrap_632_notes(table)


def test_notes_2_3_is_less_optimistic_for_what_learns_by_heart() -> None:
    """1-NN errs nowhere on its own rows: Efron's is .632 E1, the notes' (.632 + .368²) E1 (by
    expectation of the share left out), both below E1, which is nearly unbiased.
    """
    data = simulate.two_gaussians(0.2).sample(200, seed=1)
    plan = hl.Bootstrap(100)
    table = hl.run({"1nn": KNeighborsClassifier(1)}, data, plan, seed=3, in_sample=True)
    out = estimates.left_out(table).value
    assert estimates.bootstrap_632(table).value == pytest.approx(0.632 * out)
    notes = estimates.bootstrap_632_notes(table).value
    assert notes == pytest.approx((0.632 + 0.368**2) * out, rel=0.03)


def test_slides_c_records_never_drawn_are_the_test_set() -> None:
    data = hl.Dataset.of(np.arange(300.0)[:, None], np.arange(300) % 2)
    frozen = hl.Bootstrap(40).on(data, seed=3)
    shares = [piece.test.size / 300 for piece in frozen if piece.record.role == "test"]
    assert np.mean(shares) == pytest.approx((1 - 1 / 300) ** 300, abs=0.01)
