"""What holds for all plots: standalone, safe, named, inside its own borders; and by matplotlib."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from matplotlib.figure import Figure
from tests.views.plots.conftest import KINDS, make, table

from heliast import InputError, Predictions
from heliast.measures.summaries import Contingency
from heliast.views import plots
from heliast.views.plots._text import width

SVG = "{http://www.w3.org/2000/svg}"
NASTY = ("</title><script>alert(1)</script>", "\"quotes\" & 'more' \x00\x1b \u202egnirts")


def draw(kind, predictions=None):
    return str(plots.plot(make(kind, predictions or table())))


def test_every_kind_is_tested():
    alone = {"Plot", "plot", "data_sets", "trade_off"}  # of no record; tested beside benchmarks
    assert set(KINDS) == set(plots.__all__) - alone


def test_standalone_and_named(kind):
    root = ET.fromstring(draw(kind))
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    assert [child.tag for child in root[:2]] == [f"{SVG}title", f"{SVG}desc"]
    assert all(len(child.text) > 4 for child in root[:2])


def test_nothing_active_or_outside(kind):
    picture = draw(kind)
    for element in ET.fromstring(picture).iter():
        assert element.tag.removeprefix(SVG) in {
            *("svg", "title", "desc", "style", "g", "rect", "polyline", "polygon"),
            *("path", "circle", "text"),
        }
        for name in element.attrib:
            assert not name.startswith("on")
            # Several plots in one page share no names.
            assert "href" not in name
            assert name not in ("id", "style")
    assert "url(" not in picture
    assert picture.count("http") == 1  # the name space


def test_numbers_are_finite(kind):
    for element in ET.fromstring(draw(kind)).iter():
        for name, value in element.attrib.items():
            if name not in ("class", "font-family", "role", "fill", "stroke"):
                assert not re.search(r"nan|inf|None|e[+-]?\d", value, re.I), (name, value)


def test_deterministic(kind):
    assert draw(kind) == draw(kind)


def test_text_stays_inside(kind):
    root = ET.fromstring(draw(kind, table(model="a rather long name of a model " * 5)))
    wide, high = float(root.get("width")), float(root.get("height"))
    for element in root.iter(f"{SVG}text"):
        if element.get("transform") is None:
            x, y, size = (float(element.get(name)) for name in ("x", "y", "font-size"))
            long = width(element.text, size)
            left = x - {"middle": long / 2, "end": long}.get(element.get("text-anchor"), 0)
            assert left >= -1
            assert left + long <= wide + 1
            assert 0 < y <= high - 2


@pytest.mark.parametrize("long", [False, True])
def test_names_are_escaped_and_shortened(kind, long):
    classes = tuple(name + "x" * 5000 for name in NASTY) if long else NASTY
    picture = draw(kind, table(model=NASTY[0], classes=classes))
    root = ET.fromstring(picture)
    assert "<script" not in picture
    assert picture.count("<title>") == picture.count("</title>")
    for element in root.iter(f"{SVG}text"):
        assert len(element.text) < 120
        assert "\u202e" not in element.text
    assert len(picture) < 200_000


def test_the_whole_name_is_in_a_tooltip():
    name = "y" * 5000
    picture = draw("confusion_matrix", table(classes=("x", name)))
    labels = [e for e in ET.fromstring(picture).iter(f"{SVG}text") if e.text.startswith("yyy")]
    assert len(labels) == 2
    assert all("…" in label.text and label[0].text == name for label in labels)


def test_several_in_one_picture(kind):
    if kind in (
        "confusion_matrix",
        "forest",
        "comparison_matrix",
        "critical_difference",
        "per_split",
    ):
        return
    records = [make(kind, table(model=name, shift=s)) for name, s in (("one", 1), ("two", 2))]
    picture = str(plots.plot(records))
    texts = [element.text for element in ET.fromstring(picture).iter(f"{SVG}text")]
    for name in ("one", "two"):
        assert any(text.startswith(f"{name}:") for text in texts)
    named = str(plots.plot(records, names=["first", "second"]))
    assert "second:" in named
    with pytest.raises(InputError, match="expected 2 names, got 1"):
        plots.plot(records, names=["first"])
    with pytest.raises(InputError, match="expected records of kind"):
        plots.plot([records[0], "no record"])
    same = str(plots.plot([records[0], records[0]]))
    assert "one (2)" in same


def test_records_plot_themselves():
    record = make("roc", table())
    assert record.svg() == record._repr_html_() == str(record.plot()) == str(plots.roc(record))
    assert record.svg(band=False) != record.svg()
    with pytest.raises(InputError, match="no plot of dict"):
        plots.plot({})


def test_curves_do_not_load_the_plots():
    code = (
        "import sys; from heliast import Predictions, curves;"
        "r = curves.roc(Predictions.of([0, 1], y_score=[0.2, 0.9]));"
        "assert 'heliast.views.plots' not in sys.modules; assert r.svg().startswith('<svg')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_picture_of_a_million_rows_is_small():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 1_000_000)
    big = Predictions.of(truth, y_score=rng.normal(size=truth.size) + truth)
    for kind in ("roc", "precision_recall", "lift", "gain", "cost"):
        assert len(draw(kind, big)) < 45_000
    letters = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    counts = rng.integers(0, 5, (26, 26)) + 500 * np.eye(26)
    assert len(str(plots.plot(Contingency.of_counts(counts, letters)))) < 250_000


# --- matplotlib ----------------------------------------------------------------------------------


def test_every_kind_is_drawn_on_axes_and_saved(kind, tmp_path):
    plot = plots.plot(make(kind, table(model="naive_Bayes $50%$")))
    figure = Figure()
    ax = figure.subplots()
    assert plot.to_axes(ax) is ax
    assert ax.get_xlim() == (plot.x.low, plot.x.high)
    assert sorted(ax.get_ylim()) == [plot.y.low, plot.y.high]
    assert ax.lines or ax.patches
    figure.canvas.draw()
    for suffix, start in ((".svg", b"<svg"), (".pdf", b"%PDF-"), (".png", b"\x89PNG")):
        file = plot.save(tmp_path / f"plot{suffix}")
        assert file.read_bytes().startswith(start)
    with pytest.raises(InputError, match=r"must end in \.svg, \.pdf, \.png"):
        plot.save(tmp_path / "plot.gif")


@pytest.mark.parametrize("long", [False, True])
def test_names_are_safe_in_matplotlib(kind, long, tmp_path):
    classes = tuple(name + "$x^" * 2000 * long for name in NASTY)
    plot = plots.plot(make(kind, table(model="_$\\frac" + NASTY[0], classes=classes)))
    assert plot.save(tmp_path / "plot.png").exists()
    plot.to_axes().figure.canvas.draw()


def test_axes_hold_the_data_and_take_more():
    first, second = make("roc", table(model="_one")), make("roc", table(model="two", shift=2))
    ax = plots.roc([first, second]).to_axes()
    lines = {line.get_label(): line for line in ax.lines}
    for record, name in ((first, " _one: AUC"), (second, "two: AUC")):
        line = next(line for label, line in lines.items() if label.startswith(name))
        np.testing.assert_array_equal(line.get_xdata(), record.fpr)
        np.testing.assert_array_equal(line.get_ydata(), record.tpr)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("false positive rate", "true positive rate")
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert [text.split(":")[0].strip() for text in texts] == ["_one", "two", "random choice"]
    ax.plot([0, 1], [0.5, 0.5], label="added")
    assert "added" in [text.get_text() for text in ax.legend().get_texts()]


def test_a_single_roc_has_its_band_and_several_have_none():
    records = [make("roc", table(model=name)) for name in ("one", "two")]
    band = records[0].band()
    ax = plots.roc(records[0]).to_axes()
    (patch,) = ax.patches
    low, high = band.limits(np.linspace(0, 1, 201))
    assert patch.get_xy()[:, 1].max() == pytest.approx(high.max())
    assert patch.get_xy()[:, 1].min() == pytest.approx(low.min())
    assert not plots.roc(records).to_axes().patches


def test_cells_hold_the_shares_of_the_confusion_matrix():
    ax = plots.plot(Contingency.of_counts([[7, 3], [0, 20]], ("c1", "c2"))).to_axes()
    assert [text.get_text() for text in ax.texts] == ["7", "3", "20"]
    assert [patch.get_facecolor()[3] for patch in ax.patches] == pytest.approx(
        [0.72, 0.36, 1.0], abs=0.01
    )
    assert [label.get_text() for label in ax.get_yticklabels()] == ["c1", "c2"]
    assert ax.get_ylim() == (1.5, -0.5)


def test_without_matplotlib_the_message_names_the_command(tmp_path):
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from heliast import InputError, estimates, plots\n"
        "plot = plots.plot(estimates.wilson(3, 30))\n"
        "plot.save('x.svg')\n"
        "for act in (lambda: plot.save('x.pdf'), plot.to_axes):\n"
        "    try:\n"
        "        act()\n"
        "    except InputError as error:\n"
        "        print(error)\n"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert done.stdout.count("pip install 'heliast[plot]'") == 2
    assert [file.name for file in tmp_path.iterdir()] == ["x.svg"]
