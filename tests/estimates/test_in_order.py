"""Intervals of rows in order of time."""

import numpy as np
import pytest
from benchmarks.coverage.map._in_order import chained, held
from scipy.stats import t as student
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import TimeSeriesSplit

import heliast as hl
from heliast._core.proportions import wilson_limits
from heliast._core.times import long_run


def errors(n: int = 400, strength: float = 0.7, seed: int = 1, **fields) -> hl.Predictions:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    wrong = held(n, strength, rng)
    return hl.Predictions.of(truth, np.where(wrong, 1 - truth, truth), **fields)


def test_a_rate_is_wilsons_with_the_rows_that_its_variance_is_worth() -> None:
    table = errors(time=np.arange(400))
    found = hl.assess(table, "error")["model", "error"]
    wrong = (table.y_true != table.y_pred).astype(float)
    p = wrong.mean()
    units, df = long_run((wrong - p)[None])
    n = p * (1 - p) / (float((units**2).sum()) / 400**2)
    assert n < 200
    assert (found.low, found.high) == pytest.approx(wilson_limits(p, n, 0.95, df))
    assert (found.key, found.n_effective, found.n) == ("long_run", pytest.approx(n), 400)


def test_a_mean_of_losses_lies_on_the_log_scale() -> None:
    rng = np.random.default_rng(2)
    truth = rng.normal(size=300)
    error = chained(300, 0.8, rng)
    found = hl.assess(hl.Predictions.of(truth, truth + error, time=np.arange(300)), "mse")
    one, value = found["model", "mse"], float((error**2).mean())
    units, df = long_run((error**2 - value)[None])
    half = student.ppf(0.975, df) * np.sqrt((units**2).sum()) / 300 / value
    assert (one.low, one.high) == pytest.approx((value * np.exp(-half), value * np.exp(half)))


def test_neighbours_that_are_alike_are_worth_fewer_rows_and_it_is_said() -> None:
    table = errors(strength=0.9, time=np.arange(400))
    alone, ordered = (hl.assess(one)["model", "error"] for one in (errors(strength=0.9), table))
    assert ordered.high - ordered.low > 2 * (alone.high - alone.low)
    assert any("rows are worth" in note for note in ordered.notes)
    assert not hl.assess(errors(strength=0.0, time=np.arange(400)))["model", "error"].notes


def test_every_measure_of_the_panel_has_limits_around_its_value() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 200)
    score = 1 / (1 + np.exp(-(2 * truth - 1 + chained(200, 0.5, rng))))
    for one in hl.assess(hl.Predictions.of(truth, y_score=score, time=np.arange(200))):
        assert one.low < one.value < one.high, one
        assert 0 < one.n_effective <= 200


def test_only_the_order_of_times_counts() -> None:
    order = np.random.default_rng(4).permutation(400)
    straight, days = errors(), np.datetime64("2024-01-01") + np.arange(400)
    known = hl.assess(errors(time=np.arange(400)))["model", "f1"]
    for times in (order * 3.5, days[order], days[order].astype(str)):
        table = hl.Predictions.of(straight.y_true[order], straight.y_pred[order], time=times)
        assert hl.assess(table)["model", "f1"] == known


def test_rows_of_one_time_vary_together() -> None:
    table = errors(strength=0.0)
    twice = hl.Predictions.of(
        np.repeat(table.y_true, 2), np.repeat(table.y_pred, 2), time=np.repeat(np.arange(400), 2)
    )
    once = hl.assess(errors(strength=0.0, time=np.arange(400)), "kappa")
    found = hl.assess(twice, "kappa")["model", "kappa"]
    assert (found.low, found.high) == pytest.approx(
        (once["model", "kappa"].low, once["model", "kappa"].high)
    )


def test_what_cannot_be_answered_is_said() -> None:
    table = errors(time=np.arange(400))
    by_name = hl.assess(table, "error", interval="wilson")["model", "error"]
    assert by_name.reason.startswith("wilson takes rows as independent")
    few = hl.assess(errors(time=np.arange(400) // 50))["model", "error"]
    assert few.reason == "only 8 times: an interval needs at least 10"
    perfect = hl.Predictions.of([0, 1] * 20, [0, 1] * 20, time=range(40))
    one = hl.assess(perfect)["model", "error"]
    assert one.high == pytest.approx(hl.estimates.wilson(0, 40).high)
    assert any("rows count as independent" in note for note in one.notes)
    unordered = hl.assess(errors(), "error", interval="long_run")["model", "error"]
    assert "say when they were" in unordered.reason
    for fields in ({"group": np.arange(400)}, {"design": "classes"}):
        with pytest.raises(hl.InputError, match="no method allows for both"):
            errors(time=np.arange(400), **fields)
    with pytest.raises(hl.InputError, match="time="):
        errors(design="time")


@pytest.mark.parametrize("file", ["t.parquet", "t.csv"])
def test_files_keep_the_times(tmp_path, file) -> None:
    table = errors(time=np.arange(400) * 7)
    known = hl.assess(table)["model", "error"]
    table.write(tmp_path / file)
    said = {"time": "time"} if file.endswith("csv") else {}
    again = hl.Predictions.read(tmp_path / file, **said)
    assert again.meta.design == "time"
    assert hl.assess(again)["model", "error"] == known
    other = hl.Predictions.read(tmp_path / file, positive="1", **said)
    assert other.meta.design == "time"
    with pytest.raises(hl.InputError, match="order of time cannot be scanned"):
        hl.Predictions.scan(tmp_path / file, **said)


def test_frames_and_files_of_dates_are_read(tmp_path) -> None:
    import pandas as pd
    import polars as pl

    plain, days = errors(), pd.date_range("2024-01-01", periods=400, freq="h")
    known = hl.assess(errors(time=np.arange(400)))["model", "error"]
    frame = pd.DataFrame({"y_true": plain.y_true, "y_pred": plain.y_pred, "when": days})
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_csv(tmp_path / "t.csv", index=False)
    zoned = frame.assign(when=days.tz_localize("Europe/Vienna"))
    shuffled = frame.sample(frac=1, random_state=1)
    sources = (frame, zoned, shuffled, pl.from_pandas(frame), tmp_path / "t.parquet")
    for source in (*sources, tmp_path / "t.csv"):
        table = hl.Predictions.read(source, model="model", time="when")
        assert hl.assess(table)["model", "error"] == known


# --- several splits -------------------------------------------------------------------------------


def drawn(times=None) -> hl.Dataset:
    rng = np.random.default_rng(6)
    X = rng.normal(size=(240, 2))
    return hl.Dataset.of(X, (X[:, 0] + chained(240, 0.8, rng) > 0).astype(int), time=times)


@pytest.mark.parametrize(
    "plan", [hl.Rolling(60, 20), hl.Expanding(60, 20, step=10), TimeSeriesSplit(5)]
)
def test_tests_of_windows_are_one_test_set_in_order(plan) -> None:
    data = drawn()
    table = hl.run({"logistic": LogisticRegression()}, data, plan, seed=1, progress=False)
    assert table.meta.design == "time"
    found = hl.assess(table)
    one = found["logistic", "error"]
    alone = hl.Predictions.of(table.y_true, table.y_pred, time=table.row)
    known = hl.assess(alone)["model", "error"]
    assert (one.low, one.high) == pytest.approx((known.low, known.high))
    assert one.target == "algorithm"
    area = found["logistic", "auc"]
    assert area.low < area.value < area.high
    advice = ("repeat", "stratify", "folds", "redraw")
    assert not [note for note in found.notes if any(word in note for word in advice)]


def test_folds_that_mix_past_and_future_have_no_interval() -> None:
    data = drawn(np.arange(240))
    table = hl.run({"logistic": LogisticRegression()}, data, hl.KFold(5), progress=False)
    one = hl.assess(table)["logistic", "error"]
    assert np.isnan(one.low)
    assert "rolling" in one.reason
    scattered = hl.Predictions.of(
        table.y_true, table.y_pred, split=table.codes("split"), row=table.row, time=table.row
    )
    assert "in order of time" in hl.assess(scattered)["model", "error"].reason


def test_a_store_keeps_the_order_of_time(tmp_path) -> None:
    data = drawn(np.arange(240)[::-1])
    models = {"a": LogisticRegression(), "b": LogisticRegression(C=0.01)}
    first = hl.run(models, data, hl.Rolling(60, 60), store=tmp_path, progress=False)
    again = hl.run(models, data, hl.Rolling(60, 60), store=tmp_path, progress=False)
    assert again.meta.design == "time"
    assert hl.compare(first).pairs == hl.compare(again).pairs
    assert hl.compare(again)["a", "b"].test == "diebold_mariano"


@pytest.mark.parametrize("kind", ["error", "mse"])
def test_limits_cover_where_neighbours_are_alike(kind) -> None:
    """250 tables of 500 rows, autocorrelation 0.6; 90% would be seen below once in 500 runs."""
    rng = np.random.default_rng(8)
    hits = []
    for _ in range(250):
        if kind == "error":
            table, truth = errors(500, 0.6, rng, time=np.arange(500)), 0.2
        else:
            error = chained(500, 0.6**0.5, rng)
            table, truth = (
                hl.Predictions.of(np.zeros(500), error, task="regression", time=np.arange(500)),
                1.0,
            )
        one = hl.assess(table, kind)["model", kind]
        hits.append(one.low <= truth <= one.high)
    assert 0.9 <= np.mean(hits) <= 0.99
