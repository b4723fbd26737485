"""Predicted against actual numbers: bins that hold every row once, and what is drawn of them."""

import numpy as np
import pytest

import heliast as hl
from heliast import InputError, Predictions, curves, plots


def made(n=1000, seed=0, **more):
    rng = np.random.default_rng(seed)
    label = rng.gamma(2, size=n)
    return Predictions.of(label + label * rng.normal(size=n), label, **more)


def test_by_hand():
    found = curves.predicted(Predictions.of([1.0, 2.5, 4.0], [1.5, 2.5, 3.0], task="regression"))
    assert (found.n, found.bias) == (3, pytest.approx(0.5 / 3))
    assert found.forecast == pytest.approx([7 / 3])
    assert found.residual == pytest.approx([0.5 / 3])
    assert (found.low[0], found.high[0]) == (-0.5, 1.0)


def test_bins_hold_every_row_once_and_about_nine_tenths_lie_between():
    table = made()
    found = curves.predicted(table)
    assert found.weight.sum() == 1000
    assert found.weight == pytest.approx([100] * 10)
    assert (np.diff(found.forecast) > 0).all()
    assert np.average(found.residual, weights=found.weight) == pytest.approx(found.bias)
    order = np.argsort(table.y_pred)
    for part, low, high in zip(np.array_split(order, 10), found.low, found.high, strict=True):
        off = (table.y_true - table.y_pred)[part]
        assert np.mean((off >= low) & (off <= high)) == pytest.approx(0.9, abs=0.02)
    assert found.high[-1] - found.low[-1] > 3 * (found.high[0] - found.low[0])


def test_equal_predictions_share_a_bin():
    found = curves.predicted(Predictions.of(np.arange(100) + 0.5, np.full(100, 3.0)))
    assert found.forecast.tolist() == [3.0]
    steps = curves.predicted(Predictions.of(np.arange(100) + 0.5, np.repeat([1.0, 2.5], 50)))
    assert steps.weight.tolist() == [50, 50]


def test_a_weight_counts_as_so_many_rows():
    weight = np.arange(60) % 3
    once = made(60, weight=weight)
    found = curves.predicted(once)
    rows = np.repeat(np.arange(60), weight)
    by_hand = np.mean((once.y_true - once.y_pred)[rows])
    assert found.bias == pytest.approx(by_hand)
    assert found.weight.sum() == weight.sum()
    assert found.n == int((weight > 0).sum())


def test_many_rows_are_drawn_in_part_and_splits_are_taken_together():
    table = made(5000, split=np.arange(5000) % 5, row=np.arange(5000))
    found = curves.predicted(table)
    assert (found.n, found.y_pred.size) == (5000, 1500)
    assert set(found.y_pred) <= set(table.y_pred)
    assert "the density of the rows" in str(plots.predicted(found))
    assert curves.predicted(table, split=0).n == 1000
    assert len(str(plots.predicted(found))) < 60_000


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(InputError, match="predictions of classes"):
        curves.predicted(Predictions.of(["a", "b"], ["a", "a"]))
    with pytest.raises(InputError, match="weight 0"):
        curves.predicted(made(10, weight=[0, 1] * 5, split=[0, 1] * 5), split=0)


def test_the_axes_hold_the_numbers_of_the_record():
    found = curves.predicted(made())
    shown = plots.predicted(found, ["gamma"]).to_axes()
    line = next(line for line in shown.lines if line.get_label().startswith("gamma"))
    np.testing.assert_array_equal(line.get_xdata(), found.forecast)
    np.testing.assert_array_equal(line.get_ydata(), found.forecast + found.residual)
    residuals = plots.predicted(found, ["gamma"], residuals=True).to_axes()
    line = next(line for line in residuals.lines if line.get_label().startswith("gamma"))
    np.testing.assert_array_equal(line.get_ydata(), found.residual)
    assert residuals.get_ylabel() == "residual (actual - predicted)"


def test_the_report_of_numbers_shows_both_plots_of_the_best_model(tmp_path):
    rng = np.random.default_rng(1)
    tables = [made(300, model="one", row=np.arange(300))]
    worse = tables[0].y_pred + rng.normal(size=300)
    tables.append(Predictions.of(tables[0].y_true, worse, model="two", row=np.arange(300)))
    page = hl.report(tables[0].join(tables[1]), tmp_path / "r.html").read_text(encoding="utf-8")
    for title in ("Predicted against actual", "Residuals"):
        assert page.count(f"<title>{title}</title>") == 1
    assert page.count("<desc>means of bins of the prediction. one: mean residual") == 2
    assert "two: mean residual" not in page
    classes = Predictions.of(["a", "b", "a", "b"] * 9, ["a", "b", "b", "b"] * 9)
    other = hl.report(classes, tmp_path / "c.html").read_text(encoding="utf-8")
    assert "Predicted against actual" not in other
