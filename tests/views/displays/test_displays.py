"""Displays: the lines hold the numbers of the records, on the axes asked for."""

import numpy as np
import pytest
from matplotlib import figure
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from heliast import curves
from heliast.views import displays

RNG = np.random.default_rng(0)
TRUTH = RNG.integers(0, 2, 200)
SCORE = 1 / (1 + np.exp(-RNG.normal(2 * TRUTH - 1, 1.5)))
TABLE = hl.Predictions.of(TRUTH, score=SCORE, positive=1, model="m", scores="probability")
CURVES = {
    "RocDisplay": (curves.roc, "fpr", "tpr"),
    "PrecisionRecallDisplay": (curves.precision_recall, "recall", "precision"),
    "GainDisplay": (curves.gain, "depth", "gain"),
    "LiftDisplay": (curves.lift, "size", "found"),
    "CalibrationDisplay": (curves.calibration, "forecast", "outcome"),
    "CostDisplay": (curves.cost, "x", "y"),
    "DecisionDisplay": (curves.decision, "threshold", "value"),
    "FSurfaceDisplay": (curves.f_surface, "recall", "precision"),
}


@pytest.mark.parametrize("name", CURVES)
def test_the_line_is_the_curve(name):
    make, x, y = CURVES[name]
    shown = getattr(displays, name).from_predictions(TABLE)
    record = make(TABLE)
    np.testing.assert_array_equal(shown.line_.get_xdata(), getattr(record, x))
    np.testing.assert_array_equal(shown.line_.get_ydata(), getattr(record, y))
    assert shown.ax_.get_xlabel()
    assert shown.ax_.get_ylabel()


@pytest.mark.parametrize("name", CURVES)
def test_two_models_on_the_same_axes(name):
    ax = figure.Figure().subplots()
    kind = getattr(displays, name)
    kind.from_predictions(TABLE, ax=ax, name="one", color="red")
    shown = kind(CURVES[name][0](TABLE)).plot(ax, name="two")
    assert shown.ax_ is ax
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert [label.split()[0] for label in labels] == ["one", "two"]


def test_arrays_and_a_band():
    shown = displays.RocDisplay.from_predictions(TRUTH, SCORE, positive=1)
    assert shown.line_.get_label().startswith("model (AUC")
    with_band = displays.RocDisplay(curves.roc(TABLE)).plot(band=True, chance=False)
    assert len(with_band.ax_.patches) == 1
    assert len(with_band.ax_.lines) == 1


def test_decision_curves_have_a_band_and_their_references():
    record = curves.decision(TABLE)
    shown = displays.DecisionDisplay(record).plot()
    (band,) = shown.ax_.collections
    edge = band.get_paths()[0].vertices[:, 1]
    assert (edge.min(), edge.max()) == pytest.approx((record.low.min(), record.high.max()))
    assert len(shown.ax_.lines) == 3
    over = displays.DecisionDisplay.from_predictions(TABLE, curve={"against": "treat all"})
    assert len(over.ax_.lines) == 2
    assert over.ax_.get_ylabel() == "net benefit less that of treat all"


def test_scores_are_needed():
    with pytest.raises(hl.InputError, match="scores of the positive class"):
        displays.RocDisplay.from_predictions(TRUTH)


def test_learning_curve():
    data = hl.read("sklearn:wine")
    plan = hl.LearningCurve(hl.Subsampling(4), shares=(0.3, 0.6, 1.0))
    table = hl.run({"tree": DecisionTreeClassifier(random_state=0)}, data, plan, progress=False)
    shown = displays.LearningDisplay.from_predictions(table)
    record = curves.learning(table)
    np.testing.assert_array_equal(shown.line_.get_ydata(), record.value)
    assert shown.ax_.get_xlabel() == "training rows"


def test_forest_and_contingency():
    found = hl.assess(TABLE, ["error", "recall"])
    shown = displays.ForestDisplay.from_estimates(
        {"error": found["m", "error"], "recall": found["m", "recall"]}
    )
    shown_at = [float(x) for x in shown.line_.get_xdata()]
    assert shown_at == [found["m", "error"].value, found["m", "recall"].value]
    shown = displays.ContingencyDisplay.from_predictions(TABLE)
    written = [text.get_text() for text in shown.ax_.texts]
    assert [float(text) for text in written] == found.tables["m"].counts.ravel().tolist()


def test_regions():
    data = hl.Dataset.of(RNG.normal(size=(200, 2)) + 2 * TRUTH[:, None], TRUTH, names=["u", "v"])
    (record,) = hl.regions({"tree": hl.Tree()}, data, hl.Holdout(), grid=40)
    shown = displays.RegionsDisplay(record).plot()
    x, y = record.borders[0]
    np.testing.assert_array_equal(shown.line_.get_xdata(), x)
    np.testing.assert_array_equal(shown.line_.get_ydata(), y)
    dots = sum(len(part.get_offsets()) for part in shown.ax_.collections[-6:])
    assert dots == 200
    plain = displays.RegionsDisplay(record).plot(shown.ax_, areas=False, points=False, color="red")
    assert plain.line_.get_color() == "red"


def test_a_mean_over_splits_has_its_splits_and_a_band():
    table = hl.Predictions.of(TRUTH, score=SCORE, positive=1, model="m", split=np.arange(200) % 5)
    for by in ("fpr", "threshold"):
        record = curves.averaged_roc(table, by=by)
        shown = displays.AveragedRocDisplay.from_predictions(table, curve={"by": by})
        np.testing.assert_array_equal(shown.line_.get_ydata(), record.tpr)
        assert len(shown.ax_.lines) == 1 + 5 + 1
        edge = shown.ax_.patches[0].get_xy()
        assert edge[:, 1].max() == pytest.approx(record.edges[1].max())


def test_theory_and_sample_on_the_same_axes():
    theory = curves.normal_roc(2.0)
    shown = displays.NormalRocDisplay(theory).plot()
    np.testing.assert_array_equal(shown.line_.get_ydata(), theory.tpr)
    displays.RocDisplay(curves.roc(theory.sample(30, 30))).plot(shown.ax_)
    labels = [text.get_text().split(" (")[0] for text in shown.ax_.get_legend().get_texts()]
    assert labels == ["two normals", "sampled"]
