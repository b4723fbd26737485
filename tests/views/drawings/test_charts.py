"""What each chart shows beyond its axes."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from tests.views.drawings.conftest import estimates, make, table

from heliast import InputError, Predictions, curves
from heliast.measures.summaries import Contingency
from heliast.views import drawings

SVG = "{http://www.w3.org/2000/svg}"


def texts(picture):
    return [element.text for element in ET.fromstring(picture).iter(f"{SVG}text")]


def corners(element):
    return np.array([pair.split(",") for pair in element.get("points").split()], float)


def test_roc_passes_through_its_points():
    truth = ["c1", "c2", "c1", "c1", "c2"]
    found = curves.roc(Predictions.of(truth, score=[0.9, 0.8, 0.8, 0.8, 0.1], positive="c1"))
    root = ET.fromstring(found.svg(band=False))
    line = next(e for e in root.iter(f"{SVG}polyline") if e.get("stroke-width") == "2")
    side = 420
    assert corners(line) == pytest.approx(
        np.array([[0, side], [0, side * 2 / 3], [side / 2, 0], [side, 0]]), abs=0.1
    )
    assert "model: AUC 0.833" in texts(found.svg())


def test_roc_says_its_band_and_rule():
    picture = make("roc", table()).svg(level=0.9)
    said = " ".join(texts(picture))
    assert "90% confidence for the whole true curve" in said
    assert "score ≥ threshold" in said
    assert "Band" not in " ".join(texts(make("roc", table()).svg(band=False)))
    grouped = Predictions.of([1, 0, 1, 0], score=[0.9, 0.8, 0.4, 0.1], group=[0, 0, 1, 1])
    assert "Band" not in " ".join(texts(curves.roc(grouped).svg()))


@pytest.mark.parametrize(
    "cost", [[[0, 1], [1, 0]], [[0, 1], [0, 0]], [[0, 0], [1, 0]], [[0, 9], [1, 0]]]
)
def test_roc_marks_the_best_point(cost):
    found = make("roc", table())
    picture = found.svg(mark=[found.best(cost)], hull=True)
    assert re.search(r"threshold \S+: \S+ found, \S+ false alarms, cost", " ".join(texts(picture)))
    for line in ET.fromstring(picture).iter(f"{SVG}polyline"):
        assert corners(line).min() >= -0.1
        assert corners(line).max() <= 420.1


def test_precision_recall_has_no_invented_start():
    found = curves.precision_recall(Predictions.of([0, 1], score=[0.9, 0.1]))
    way = next(ET.fromstring(found.svg()).iter(f"{SVG}path")).get("d")
    assert way == "M0 420V210H420"


def test_lift_refuses_different_rows():
    one, two = make("lift", table(300)), make("lift", table(400))
    with pytest.raises(InputError, match=r"curves\.gain"):
        drawings.lift([one, two])
    assert drawings.gain([make("gain", table(300)), make("gain", table(400))]).startswith("<svg")


def test_calibration_shows_limits_and_rows():
    found = make("calibration", table())
    root = ET.fromstring(found.svg())
    assert len(list(root.iter(f"{SVG}circle"))) == found.forecast.size
    bars = [e for e in root.iter(f"{SVG}rect") if e.get("fill-opacity") == "0.45"]
    assert len(bars) == found.forecast.size
    assert "Clopper-Pearson" in " ".join(texts(found.svg()))
    assert "isotonic fit" in texts(found.svg())
    one = curves.calibration(Predictions.of([0, 1], score=[0.5, 0.5]), by="count")
    assert "nan" not in one.svg()


def test_cost_lines_stay_in_the_plot():
    root = ET.fromstring(make("cost", table()).svg())
    lines = [e for e in root.iter(f"{SVG}line") if e.get("stroke-opacity") == "0.2"]
    assert len(lines) > 20
    for line in lines:
        assert all(-0.1 <= float(line.get(name)) <= 294.1 for name in ("y1", "y2"))


@pytest.mark.parametrize("grid", [None, np.arange(1, 100) / 100])
def test_decision_curves_stay_in_the_plot(grid):
    found = curves.decision(table(), thresholds=grid)
    root = ET.fromstring(found.svg())
    shapes = [*root.iter(f"{SVG}polyline"), *root.iter(f"{SVG}polygon")]
    assert len(shapes) >= 4
    for shape in shapes:
        x, y = np.array([pair.split(",") for pair in shape.get("points").split()], float).T
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
        drawings.decision([found, curves.decision(one)])


def test_contingency_cells():
    counts = Contingency.of_counts([[7, 3], [0, 20]], ("c1", "c2"))
    picture = drawings.contingency(counts, model="bayes")
    assert {"7", "3", "20", "c1", "c2", "label", "true class"} <= set(texts(picture))
    assert "0" not in texts(picture)
    assert "bayes: 30 rows, 90.0% labelled right" in texts(picture)
    assert "true c1, label c2: 3 (30.0% of it)" in picture
    empty = drawings.contingency(Contingency.of_counts(np.zeros((2, 2)), ("a", "b")))
    assert "no rows" in texts(empty)


def test_contingency_of_many_classes():
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 3, (90, 90)) + np.diag(np.arange(90))
    names = tuple(f"class {k}" for k in range(90))
    found = Contingency.of_counts(counts, names)
    picture = drawings.contingency(found)
    said = texts(picture)
    assert "other classes" in said
    assert "class 89" in said
    assert "class 0" not in said
    # What is said of the whole table does not take the classes put together for one.
    assert f"{counts.trace() / counts.sum():.1%} labelled right" in " ".join(said)
    assert "The 51 smallest classes are put together" in " ".join(said)


def test_forest():
    found = estimates()
    said = texts(drawings.forest(found))
    assert "0.267 [0.142, 0.444]" in said
    assert "undefined: no rows" in said
    assert any(text.startswith("0.400, only 3") for text in said)
    assert said[0] == "error"
    mixed = texts(drawings.forest([found[0], replace(found[0], measure="recall", class_="a")]))
    assert {"error", "recall, a"} <= set(mixed)
    assert drawings.draw(found[1]).startswith("<svg")
    with pytest.raises(InputError, match="5 estimates and 1 names"):
        drawings.forest(found, ["one"])
