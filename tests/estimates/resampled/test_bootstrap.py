"""Left-out error, .632, .632+ and resubstitution."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from tests.estimates.resampled import twins

import heliast as hl
from heliast import estimates
from heliast.data import simulate
from heliast.estimates.resampled._bootstraps import no_information, plus


@pytest.fixture(scope="module", params=["nearest", "bayes", "few resamples"])
def table(request) -> hl.Predictions:
    data = simulate.two_gaussians(0.25).sample(40, seed=5)
    model = GaussianNB() if request.param == "bayes" else KNeighborsClassifier(1)
    times = 3 if request.param == "few resamples" else 25
    return hl.run({"it": model}, data, hl.Bootstrap(times), seed=4)


@pytest.mark.parametrize(
    ("e", "out", "g", "value"),
    [
        (0.0, 0.55, 0.5, 0.5316),  # R clipped to 1; unclipped programs say .5625
        (0.0, 0.5, 0.5, 0.5),
        (0.1, 0.1, 0.5, 0.1),  # no overfitting: the .632 value
        (0.2, 0.1, 0.5, 0.368 * 0.2 + 0.632 * 0.1),
        (0.0, 0.25, 0.5, 0.25 * 0.632 / (1 - 0.368 * 0.5)),  # w = .632/(1 - .368 R)
        (0.4, 0.5, 0.3, 0.368 * 0.4 + 0.632 * 0.5),
    ],
)
def test_632_plus_worked_by_hand(e: float, out: float, g: float, value: float) -> None:
    assert plus(e, out, g) == pytest.approx(value, abs=5e-5)


def test_632_plus_lies_between_632_and_left_out_while_overfitting_is_partial() -> None:
    for e, out, g in np.random.default_rng(0).random((200, 3)):
        if e < out < g:
            assert 0.368 * e + 0.632 * out <= plus(e, out, g) <= out + 1e-12


def test_all_of_them_agree_with_the_slow_twins(table: hl.Predictions) -> None:
    out, rows = twins.left_out(table)
    found = estimates.left_out(table)
    assert found.value == pytest.approx(out)
    assert found.n == rows
    dropped = [note for note in found.notes if "never left out" in note]
    assert bool(dropped) == (rows < 40)
    better, plain = twins.plus(table)
    assert estimates.bootstrap_632(table).value == pytest.approx(plain)
    assert estimates.bootstrap_632_plus(table).value == pytest.approx(better)
    accuracy = estimates.bootstrap_632_plus(table, "accuracy")
    assert accuracy.value == pytest.approx(1 - better)


def test_resubstitution_is_the_full_fit_on_its_own_rows(table: hl.Predictions) -> None:
    full = table.only(role="full")
    found = estimates.resubstitution(table)
    assert found.value == (full.y_true != full.y_pred).mean()
    assert found.target == "model"
    assert np.isnan(found.low)
    assert "optimistic" in found.reason


def test_the_no_information_rate_is_the_mean_over_all_pairs(table: hl.Predictions) -> None:
    rows = table.only(role="full").rows()
    pairs = np.mean([[t != label for t in rows.y_true] for label in rows.y_pred])
    found = no_information(rows, lambda some: (some.y_true != some.y_pred).astype(float))
    assert found == pytest.approx(pairs)


def test_other_row_losses_have_632_too(table: hl.Predictions) -> None:
    brier = estimates.bootstrap_632(table, "brier")
    left, own = (f(table, "brier").value for f in (estimates.left_out, estimates.resubstitution))
    assert brier.value == pytest.approx(0.368 * own + 0.632 * left)
    assert estimates.bootstrap_632_plus(table, "brier").value >= brier.value - 1e-12


def test_assess_gives_the_left_out_point_with_an_interval_by_row(table: hl.Predictions) -> None:
    found = hl.assess(table)["it", "error"]
    assert found.value == estimates.left_out(table).value
    assert found.target == "algorithm"
    assert any("trained on resamples" in note for note in found.notes)
    test = table.only(role="test", in_train=0)
    times = np.bincount(test.row)
    mean = (np.bincount(test.row, test.y_true != test.y_pred) / np.maximum(times, 1))[times > 0]
    phi = found.se**2 * mean.size / mean.var()  # rows count alike, however often they are left out
    assert 1 <= phi <= 2.2 + 1e-9
    assert f"phi {phi:.3g}" in found.method
    assert found.low < found.value < found.high
    named = hl.assess(table, "error", interval="bootstrap_632_plus")["it", "error"]
    assert named == estimates.bootstrap_632_plus(table)
    assert named.method.startswith(".632+ bootstrap")


def test_what_was_not_measured_has_no_default_interval_and_says_so() -> None:
    data = simulate.two_gaussians(0.25).sample(60, seed=5)
    grouped = replace(data, group=np.arange(60) // 3)
    table = hl.run({"it": GaussianNB()}, grouped, hl.Bootstrap(30), seed=4)
    found = hl.assess(table, "error")["it", "error"]
    assert np.isfinite(found.value)
    assert np.isnan(found.low)
    assert "was not measured" in found.reason
    plain = hl.run({"it": GaussianNB()}, data, hl.Bootstrap(60), seed=4, in_sample=True)
    named = hl.assess(plain, "error", interval="location_shifted")["it", "error"]
    assert named.low < named.high  # by name nothing changes


def test_refusals(table: hl.Predictions) -> None:
    with pytest.raises(hl.InputError, match="needs a mean of row losses"):
        estimates.bootstrap_632_plus(table, "kappa")
    with pytest.raises(hl.InputError, match="one split of role full"):
        estimates.bootstrap_632(table.only(role="test"))
    with pytest.raises(hl.InputError, match="needs a row column"):
        estimates.left_out(replace(table, row=None))
    folds = hl.run(GaussianNB(), simulate.two_gaussians(0.25).sample(40), hl.KFold(4), seed=1)
    for method in (estimates.left_out, estimates.bootstrap_632, estimates.bootstrap_632_plus):
        with pytest.raises(hl.InputError, match=r"needs resamples drawn with replacement.*folds"):
            method(folds)
    with pytest.raises(hl.InputError, match="one split of role full"):
        estimates.resubstitution(folds)
    with pytest.raises(hl.InputError, match="several models"):
        estimates.left_out(replace(table, models=("a", "b")))
