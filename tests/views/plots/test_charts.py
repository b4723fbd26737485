"""What each chart shows beyond its axes."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from tests.views.plots.conftest import estimates, make, table

from heliast import InputError, Predictions, curves
from heliast.measures.summaries import Contingency
from heliast.views import plots

SVG = "{http://www.w3.org/2000/svg}"


def texts(plot):
    return [element.text for element in ET.fromstring(str(plot)).iter(f"{SVG}text")]


def corners(element):
    return np.array([pair.split(",") for pair in element.get("points").split()], float)


CORNER = np.array([58, 58])  # of the area between the axes, left and top


def shapes(plot, *tags):
    """Lines and areas in pixels of the area between the axes, without those of the legend."""
    for tag in tags or ("polyline", "polygon"):
        for element in ET.fromstring(str(plot)).iter(f"{SVG}{tag}"):
            points = corners(element)
            sample = len(points) == 2 and np.ptp(points, axis=0).tolist() == [24, 0]
            if not sample:
                yield points - CORNER


def test_roc_passes_through_its_points():
    truth = ["c1", "c2", "c1", "c1", "c2"]
    found = curves.roc(Predictions.of(truth, y_score=[0.9, 0.8, 0.8, 0.8, 0.1], positive="c1"))
    side = 420
    expected = np.array([[0, side], [0, side * 2 / 3], [side / 2, 0], [side, 0]])
    (line,) = (line for line in shapes(found.svg(band=False), "polyline") if len(line) == 4)
    assert line == pytest.approx(expected, abs=0.1)
    assert "model: AUC 0.833" in texts(found.svg())


def test_roc_says_its_band_and_rule():
    picture = make("roc", table()).svg(level=0.9)
    said = " ".join(texts(picture))
    assert "90% confidence for the whole true curve" in said
    assert "score ≥ threshold" in said
    assert "Band" not in " ".join(texts(make("roc", table()).svg(band=False)))
    grouped = Predictions.of([1, 0, 1, 0], y_score=[0.9, 0.8, 0.4, 0.1], group=[0, 0, 1, 1])
    assert "Band" not in " ".join(texts(curves.roc(grouped).svg()))


@pytest.mark.parametrize(
    "cost", [[[0, 1], [1, 0]], [[0, 1], [0, 0]], [[0, 0], [1, 0]], [[0, 9], [1, 0]]]
)
def test_roc_marks_the_best_point(cost):
    found = make("roc", table())
    picture = found.svg(mark=[found.best(cost)], hull=True)
    assert re.search(r"threshold \S+: TPR \S+, FPR \S+, cost", " ".join(texts(picture)))
    for line in shapes(picture, "polyline"):
        assert line.min() >= -0.1
        assert line.max() <= 420.1


def test_precision_recall_has_no_invented_start():
    found = curves.precision_recall(Predictions.of([0, 1], y_score=[0.9, 0.1]))
    (line,) = (line for line in shapes(found.svg(), "polyline") if len(line) == 3)
    assert line.tolist() == [[0, 420], [0, 210], [420, 210]]


def test_lift_refuses_different_rows():
    one, two = make("lift", table(300)), make("lift", table(400))
    with pytest.raises(InputError, match=r"curves\.gain"):
        plots.lift([one, two])
    assert plots.gain([make("gain", table(300)), make("gain", table(400))]).keys


def test_calibration_shows_limits_and_rows():
    found = make("calibration", table())
    root = ET.fromstring(found.svg())
    assert len(list(root.iter(f"{SVG}circle"))) == found.forecast.size
    tips = [one.text for one in root.iter(f"{SVG}title") if one.text.startswith("forecast")]
    assert len(tips) == found.forecast.size
    assert all(tip.endswith("rows") for tip in tips)
    assert "Clopper-Pearson" in " ".join(texts(found.svg()))
    assert "isotonic fit" in texts(found.svg())
    one = curves.calibration(Predictions.of([0, 1], y_score=[0.5, 0.5]), by="count")
    assert "nan" not in one.svg()


def test_cost_lines_stay_in_the_plot():
    root = ET.fromstring(make("cost", table()).svg())
    lines = [e for e in root.iter(f"{SVG}polyline") if e.get("stroke-opacity") == "0.2"]
    assert len(lines) > 20
    for line in lines:
        assert ((corners(line) - CORNER)[:, 1] >= -0.1).all()
        assert ((corners(line) - CORNER)[:, 1] <= 294.1).all()


@pytest.mark.parametrize("grid", [None, np.arange(1, 100) / 100])
def test_decision_curves_stay_in_the_plot(grid):
    found = curves.decision(table(), thresholds=grid)
    drawn = list(shapes(found.svg()))
    assert len(drawn) >= 4
    for shape in drawn:
        x, y = shape.T
        assert ((x >= -0.1) & (x <= 420.1)).all()
        assert ((y >= -0.1) & (y <= 315.1)).all()
    assert {"treat all", "treat none"} <= set(texts(found.svg()))
    assert "Band: 95% confidence" in " ".join(texts(found.svg()))
    assert "Band:" not in " ".join(texts(found.svg(band=False)))


def test_differences_of_decision_curves():
    name = "</title><script>" + "x" * 5000
    one = table(model="one")
    other = replace(table(model=name), scores=one.scores[::-1].copy())
    found = curves.decision(one.join(other), model="one", against=name)
    picture = found.svg()
    assert "<script" not in picture
    assert any(text.startswith("one: band") for text in texts(picture))
    assert not any(text == "treat all" for text in texts(picture))
    with pytest.raises(InputError, match="against different things"):
        plots.decision([found, curves.decision(one)])


def test_confusion_matrix_cells():
    counts = Contingency.of_counts([[7, 3], [0, 20]], ("c1", "c2"))
    picture = plots.confusion_matrix(counts, model="bayes")
    assert {"7", "3", "20", "c1", "c2", "predicted class", "true class"} <= set(texts(picture))
    assert "0" not in texts(picture)
    assert "bayes: 30 rows, 90.0% correct" in texts(picture)
    assert "true c1, predicted c2: 3 (30.0% of it)" in str(picture)
    empty = plots.confusion_matrix(Contingency.of_counts(np.zeros((2, 2)), ("a", "b")))
    assert "no rows" in texts(empty)


def test_forest():
    found = estimates()
    said = texts(plots.forest(found))
    assert "26.7% [14.2, 44.4]" in said
    assert "undefined: no rows" in said
    assert any(text.startswith("40.0%, only 3") for text in said)
    assert said[0] == "Error rate"
    mixed = texts(plots.forest([found[0], replace(found[0], measure="recall", class_="a")]))
    assert {"error", "recall, class a"} <= set(mixed)
    assert plots.plot(found[1]).y.names == ("model 8",)
    with pytest.raises(InputError, match="expected 5 names, got 1"):
        plots.forest(found, ["one"])
