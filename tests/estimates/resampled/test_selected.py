"""The best of several models and its corrected value."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import heliast as hl
from heliast import estimates
from heliast.data import simulate
from heliast.estimates._scales import rate_limits
from heliast.estimates.resampled import _selected


def guesses(n: int, m: int, seed: int) -> hl.Predictions:
    """m models that toss coins on the same n rows."""
    rng = np.random.default_rng(seed)
    truth = np.tile(rng.integers(0, 2, n), m)
    names = np.repeat([f"m{at:02d}" for at in range(m)], n)
    label = rng.integers(0, 2, n * m)
    return hl.Predictions.of(truth, label, model=names, row=np.tile(np.arange(n), m))


def slow(losses, times, seed):
    """The bags one by one; the same random numbers as the fast way draws."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0x73656C,)))
    n = len(losses)
    found = []
    for _ in range(times):
        drawn = rng.integers(n, size=(1, n))[0]
        inside = [np.mean([column[i] for i in drawn]) for column in losses.T]
        best = inside.index(min(inside))
        outside = [i for i in range(n) if i not in set(drawn.tolist())]
        found.append(np.mean([losses[i, best] for i in outside]))
    return np.array(found)


def test_agrees_with_the_bags_one_by_one() -> None:
    table = guesses(30, 4, 2)
    found = estimates.selected(table, seed=3, times=50)
    losses = (table.y_true != table.y_pred).reshape(4, 30).T.astype(float)
    scores = slow(losses, 50, 3)
    assert found.value == pytest.approx(scores.mean())
    raw = losses.mean(axis=0).min()
    own = rate_limits(raw, 30, 0.95)
    assert (found.low, found.high) == pytest.approx((own[0], own[1] + scores.mean() - raw))
    assert found.model == table.models[int(losses.mean(axis=0).argmin())]
    assert found.target == "model"
    assert found.method == "selected, best of 4, BBC-CV, 50 resamples; Wilson"


def test_no_error_on_fifty_rows_is_no_certainty() -> None:
    truth = np.arange(50) % 2
    table = hl.Predictions.of(truth, truth, model="good", row=range(50))
    other = hl.Predictions.of(truth, 1 - truth, model="bad", row=range(50))
    found = hl.assess(table.join(other), "error").selected
    assert (found.value, found.low) == (0, 0)
    assert found.high >= hl.estimates.wilson(0, 50).high


@pytest.mark.parametrize("errors", [(0.01, 0.05), (0.1, 0.1)])
def test_the_interval_of_the_chosen_covers(errors: tuple[float, float]) -> None:
    """150 samples of 100 rows: 95% shows as more than 89.5% but for one in 1,000."""
    held = 0
    for seed in range(150):
        rng = np.random.default_rng([3, seed])
        truth = rng.integers(0, 2, 100)
        wrong = rng.random((2, 100)) < np.array(errors)[:, None]
        table = hl.Predictions.of(
            np.tile(truth, 2),
            np.where(wrong, 1 - truth, truth).ravel(),
            model=np.repeat(["0", "1"], 100),
            row=np.tile(np.arange(100), 2),
            classes=[0, 1],
        )
        found = estimates.selected(table, times=100)
        held += found.low <= errors[int(found.model)] <= found.high
    assert held / 150 > 0.895


def test_the_best_of_twenty_coin_tossers_is_no_better_than_a_coin() -> None:
    raw, corrected, covered = [], [], []
    for seed in range(150):
        table = guesses(60, 20, seed)
        found = estimates.selected(table, times=100, seed=seed)
        errors = (table.y_true != table.y_pred).reshape(20, 60).mean(axis=1)
        raw.append(errors.min())
        corrected.append(found.value)
        covered.append(found.low <= 0.5 <= found.high)
    error = np.std(corrected, ddof=1) / np.sqrt(150)
    assert np.mean(raw) < 0.4
    assert abs(np.mean(corrected) - 0.5) < 3.5 * error < 0.02
    assert np.mean(covered) > 0.9


def test_one_clear_winner_hardly_needs_correcting() -> None:
    table = guesses(200, 3, 1)
    label = np.array(table.y_pred)
    label[:200] = np.where(np.arange(200) < 20, 1 - table.y_true[:200], table.y_true[:200])
    found = estimates.selected(replace(table, y_pred=label))
    assert found.model == "m00"
    assert found.value == pytest.approx(0.1, abs=0.003)


def test_a_gain_is_chosen_by_its_highest_value() -> None:
    table = guesses(50, 5, 4)
    error, accuracy = (estimates.selected(table, name) for name in ("error", "accuracy"))
    assert accuracy.model == error.model
    assert accuracy.value == pytest.approx(1 - error.value)


def test_repeated_folds_speak_of_the_procedure_with_each_row_once() -> None:
    data = simulate.two_gaussians(0.2).sample(80, seed=1)
    models = {"nb": GaussianNB(), "nn": KNeighborsClassifier(1)}
    table = hl.run(models, data, hl.KFold(5, repeats=3), seed=1)
    found = estimates.selected(table)
    assert (found.target, found.n, found.n_train) == ("algorithm", 80, 64)
    losses = np.zeros((80, 2))
    for at, model in enumerate(("nb", "nn")):
        part = table.only(model)
        for row in range(80):
            mine = part.row == row
            losses[row, at] = (part.y_true[mine] != part.y_pred[mine]).sum()
    scores = slow(losses, 1000, 0) / 3  # whole numbers: sums of thirds would tie by rounding
    assert found.value == pytest.approx(scores.mean(), abs=0.002)


def test_a_frequency_weight_of_two_is_the_row_twice() -> None:
    rng = np.random.default_rng(5)
    weight = rng.integers(1, 4, 40)
    table = guesses(40, 3, 5)
    meta = replace(table.meta, weight_kind="frequency")
    weighted = replace(table, weight=np.tile(weight, 3).astype(float), meta=meta)
    index = np.repeat(np.arange(120), np.tile(weight, 3))
    rows = replace(table._at(index), row=np.tile(np.arange(weight.sum()), 3))
    one, two = estimates.selected(weighted), estimates.selected(rows)
    assert (one.value, one.low, one.high, one.n) == (two.value, two.low, two.high, two.n)


def test_groups_are_drawn_whole() -> None:
    group = np.repeat(np.arange(25), 4)
    rng = np.random.default_rng(6)
    bad = rng.random((3, 25)) < 0.3
    table = guesses(100, 3, 6)
    wrong = np.concatenate([bad[at][group] for at in range(3)])
    label = np.where(wrong, 1 - table.y_true, table.y_true)  # whole groups go wrong together
    alone = replace(table, y_pred=label)
    grouped = replace(alone, group=np.tile(group, 3))
    one, two = estimates.selected(grouped), estimates.selected(alone)
    assert one.high - one.low > 1.5 * (two.high - two.low)
    # One row a group says the same, as the rows of a group agree.
    lone = alone._at(np.flatnonzero(np.tile(np.arange(100) % 4 == 0, 3)))
    third = estimates.selected(replace(lone, row=np.tile(np.arange(25), 3)))
    assert one.value == pytest.approx(third.value)
    assert one.high - one.low >= third.high - third.low  # groups have Student's quantile
    split = np.tile(np.arange(100) % 5, 3)
    torn = hl.Predictions.of(
        np.asarray(table.y_true),
        label,
        model=np.repeat(["a", "b", "c"], 100),
        row=table.row,
        split=split,
        group=np.tile(group, 3),
    )
    with pytest.raises(hl.InputError, match="several folds"):
        estimates.selected(torn)


def test_many_rows_are_dealt_into_packs(monkeypatch) -> None:
    table = guesses(4000, 6, 8)
    monkeypatch.setattr(_selected, "MOST", 4000)
    exact = estimates.selected(table, times=400)
    monkeypatch.setattr(_selected, "MOST", 500)
    packed = estimates.selected(table, times=400)
    assert packed.model == exact.model
    assert packed.value == pytest.approx(exact.value, abs=0.003)
    assert packed.high - packed.low == pytest.approx(exact.high - exact.low, rel=0.2)


def test_assess_names_the_best_in_one_line() -> None:
    table = guesses(100, 20, 9)
    found = hl.assess(table)
    assert found.selected == estimates.selected(table)
    best = found.selected
    limits = f"95% CI {best.low:.1%} to {best.high:.1%}, n = 100"
    adjusted = "adjusted for selecting the best of 20 models."
    line = f"Best: {best.model}, error rate {best.value:.1%} ({limits}), {adjusted}"
    assert found.summary.startswith(line)
    assert line in " ".join(str(found).split())
    assert f"{best.model} {found[best.model, 'error'].value:.1%}" in " ".join(str(found).split())
    assert found.to_dict()["selected"]["model"] == best.model
    assert hl.assess(table.only("m00")).selected is None


def test_refusals() -> None:
    table = guesses(40, 3, 1)
    with pytest.raises(hl.InputError, match="several models"):
        estimates.selected(table.only("m01"))
    with pytest.raises(hl.InputError, match="needs a mean of row losses"):
        estimates.selected(table, "kappa")
    with pytest.raises(hl.InputError, match="needs scores"):
        estimates.selected(table, "auc")
    with pytest.raises(hl.InputError, match="not tested on the same rows"):
        estimates.selected(table._at(np.arange(len(table) - 1)))
    with pytest.raises(hl.InputError, match="times=10"):
        estimates.selected(table, times=10)
    with pytest.raises(hl.InputError, match="only 9 rows"):
        estimates.selected(guesses(9, 2, 1))
