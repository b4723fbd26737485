"""The plots of comparisons: what they say is what the records hold, and nothing overlaps."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from tests.verbs.paired_tables import THREE, errs, sets, table
from tests.views.plots.conftest import ranked

import heliast as hl
from heliast import InputError, estimates
from heliast.comparisons import nemenyi
from heliast.views import plots
from heliast.views.plots._comparisons import LOOKS
from heliast.views.plots._text import fit, labelled, width

SVG = "{http://www.w3.org/2000/svg}"
LONG = "gradient boosting with a rather long name and parameters {}"
HEBREW = "\u05de\u05d5\u05d3\u05dc {}"


def texts(picture):
    """(text, left, right, baseline, size) of all texts that are not turned."""
    found = []
    for one in ET.fromstring(picture).iter(f"{SVG}text"):
        if one.get("transform"):
            continue
        x, y, size = (float(one.get(name)) for name in ("x", "y", "font-size"))
        long = width(one.text, size)
        left = x - {"middle": long / 2, "end": long}.get(one.get("text-anchor"), 0)
        found.append((one.text, left, left + long, y, size))
    return found


def overlaps(picture):
    """Pairs of texts whose boxes meet; widths are rather too large, so allow a little."""
    boxes = texts(picture)
    return [
        (a[0], b[0])
        for at, a in enumerate(boxes)
        for b in boxes[at + 1 :]
        if min(a[2], b[2]) - max(a[1], b[1]) > 4 and abs(a[3] - b[3]) < 0.6 * min(a[4], b[4])
    ]


def many(count, name):
    return {name.format(at): errs((at, at + 5 + 9 * at), n=400) for at in range(count)}


@pytest.mark.parametrize("name", ["m{}", LONG, HEBREW])
@pytest.mark.parametrize("count", [2, 5, 9, 30])
def test_nothing_overlaps_in_the_matrix(count, name):
    found = hl.compare(table(many(count, name)), correction="none")
    picture = found.svg()
    assert overlaps(picture) == []
    assert len(picture) < 460_000


@pytest.mark.parametrize("name", ["m{}", LONG, HEBREW])
@pytest.mark.parametrize("count", [3, 5, 30])
def test_nothing_overlaps_in_the_ranks(count, name):
    picture = str(plots.plot(ranked(count, 20), names=[name.format(at) for at in range(count)]))
    assert overlaps(picture) == []


@pytest.mark.parametrize("name", ["m{}", LONG, HEBREW])
@pytest.mark.parametrize("count", [1, 2, 5, 30])
def test_nothing_overlaps_in_the_splits(count, name):
    rng = np.random.default_rng(0)
    models = tuple(name.format(at) for at in range(count))
    values = rng.random((10, count))
    one = estimates.Estimate(0.5, 0.2, 0.8)
    record = estimates.PerSplit("error", "low", models, tuple(range(10)), values, (one,) * count)
    assert overlaps(record.svg()) == []


def test_the_matrix_tells_each_verdict_by_a_sign():
    found = hl.compare(table(THREE))
    picture = found.svg()
    words = [text for text, *_ in texts(picture)]
    for verdict, sign in {"better": "+", "worse": "−", "inconclusive": "?"}.items():
        pairs = [one for one in found if one.verdict == verdict]
        pairs += [one.reversed for one in found if one.reversed.verdict == verdict]
        assert words.count(sign) - 1 == len(pairs) > 0  # one is in the legend
    assert len({look.sign for look in LOOKS.values()}) == len(LOOKS)
    assert f"−{100 * abs(found['knn', 'tree'].value):.1f}" in words
    assert words.index("1 knn") < words.index("2 bayes") < words.index("3 tree")


def test_tooltips_have_the_intervals():
    found = hl.compare(table(many(14, "m{}")), correction="none")
    root = ET.fromstring(found.svg())
    words = [one.text for one in root.iter(f"{SVG}text")]
    assert words.count("+") - 1 == sum(one.significant and one.beyond for one in found)
    tips = [one.text for one in root.iter(f"{SVG}title")]
    assert any(re.match(r"m0 minus m13: −\d+\.\d \(95% CI .*\), .*better", tip) for tip in tips)


def test_equivalent_and_identical_are_shown():
    same = {"a": errs((0, 12)), "b": errs((0, 12))}
    assert "identical predictions" in hl.compare(table(same)).svg()
    close = {"a": errs((0, 12)), "b": errs((0, 11))}
    assert "equivalent within the margin" in hl.compare(table(close), margin=0.05).svg()


def test_bars_join_the_groups_of_nemenyi():
    record = nemenyi(np.random.default_rng(5).normal(size=(30, 6)) + np.arange(6) * 0.6)
    picture = str(plots.critical_difference(record, list("abcdef")))
    bars = [
        tuple(float(pair.split(",")[0]) for pair in line.get("points").split())
        for line in ET.fromstring(picture).iter(f"{SVG}polyline")
        if line.get("stroke-width") == "4"
    ]
    joined = [group for group in record.groups if len(group) > 1]
    assert 0 < len(joined) == len(bars)
    dots = sorted(float(one.get("cx")) for one in ET.fromstring(picture).iter(f"{SVG}circle"))
    order = sorted(range(6), key=lambda j: record.ranks[j])
    for group, (start, stop) in zip(joined, bars, strict=True):
        inside = [order[at] for at, x in enumerate(dots) if start < x < stop]
        assert sorted(inside) == sorted(group)
    gaps = np.diff(dots) / np.diff(sorted(record.ranks))
    assert gaps == pytest.approx(gaps[0], rel=0.01)  # the axis is to scale


def test_ranks_of_a_comparison_over_data_sets():
    found = hl.compare(sets(9, 3))
    words = [text for text, *_ in texts(str(plots.critical_difference(found)))]
    assert {"m0", "m1", "m2"} <= set(words)
    assert str(plots.plot(found)) == str(plots.comparison_matrix(found)) == found.svg()
    with pytest.raises(InputError, match="over several data sets"):
        plots.critical_difference(hl.compare(table(THREE)))
    with pytest.raises(InputError, match="expected 4 names, got 1"):
        plots.critical_difference(ranked(), ["a"])
    assert "model 4" in str(plots.plot(ranked()))
    rng = np.random.default_rng(0)
    near = str(plots.plot(nemenyi(rng.normal(size=(3, 12)))))
    assert "more than is shown here" in near
    assert overlaps(near) == []


def folds(missing=False):
    rng = np.random.default_rng(1)
    n = 60
    truth = ["a", "b"] * (n // 2)
    parts = [
        hl.Predictions.of(
            truth, np.where(rng.random(n) < rate, "a", truth), model=model, row=range(n),
            split=np.arange(n) % 5,
        )
        for model, rate in (("one", 0.2), ("two", 0.5))
    ]  # fmt: skip
    return parts[0].join(parts[1])


def test_values_per_split_are_those_of_the_splits():
    predictions = folds()
    found = estimates.per_split(predictions)
    error = hl.measures.get("error")
    for place, model in enumerate(found.models):
        alone = [error.of(part) for _, part in predictions.per_split(model)]
        assert found.values[:, place].tolist() == alone
        same = hl.assess(predictions, ["error"])[model, "error"]
        assert (found.estimates[place].low, found.estimates[place].high) == (same.low, same.high)
    assert repr(found) == "<PerSplit of error: 5 splits, 2 models>"
    assert found.to_dict()["splits"] == [0, 1, 2, 3, 4]
    assert estimates.per_split(predictions, models=["two"]).models == ("two",)
    root = ET.fromstring(found._repr_html_())
    lines = [one for one in root.iter(f"{SVG}polyline") if one.get("stroke-opacity")]
    assert len(lines) == 5
    # 10 values, 2 means, 2 keys
    assert len(list(root.iter(f"{SVG}circle"))) == 14
    with pytest.raises(InputError, match="need several"):
        estimates.per_split(table(THREE))
    with pytest.raises(InputError, match="needs scores"):
        estimates.per_split(predictions, "auc")


def test_missing_values_break_the_lines():
    values = np.array([[0.1, 0.2, 0.3], [0.1, np.nan, 0.3], [0.2, 0.1, np.nan]])
    bare = estimates.Estimate(0.2, reason="incomplete")
    record = estimates.PerSplit("error", "low", ("a", "b", "c"), (0, 1, 2), values, (bare,) * 3)
    root = ET.fromstring(record.svg())
    lines = [one for one in root.iter(f"{SVG}polyline") if one.get("stroke-opacity")]
    sizes = [one.get("points").count(",") for one in lines]
    assert sorted(sizes) == [2, 3]
    assert "No interval: incomplete." in record.svg()


def test_names_are_cut_where_they_do_not_differ():
    shown = [fit(LONG.format(at), 12, 150) for at in (3, 14)]
    assert shown[0] != shown[1]
    assert all("…" in one and width(one, 12) <= 150 for one in shown)
    assert fit("short", 12, 150) == "short"
    assert fit("\u0301" * 5000 + "x" * 500, 12, 50).count("x") < 10


def test_names_from_right_to_left_keep_to_themselves():
    name = HEBREW.format(1)
    shown = labelled(name, 12, 300, after=": 0.5")
    assert shown == f"\u2068{name}\u2069: 0.5"
    assert labelled("tree", 12, 300, after=": 0.5") == "tree: 0.5"
    # What a name brings along is left out, so that it cannot close what we opened.
    assert labelled(f"\u2069{name}", 12, 300) == f"\u2068{name}\u2069"
