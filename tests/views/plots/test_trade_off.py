"""What models are worth against what they take: the front by hand and by a slow twin."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest

from heliast import InputError
from heliast.estimates import Estimate, wilson
from heliast.views import plots
from heliast.views.fronts import pareto
from heliast.views.plots.marks import Line, Points

SVG = "{http://www.w3.org/2000/svg}"


def estimates(values, measure):
    return [
        Estimate(value, value - 0.05, value + 0.05, measure=measure, level=0.95) for value in values
    ]


def slow(spent, worth, better):
    """Whom nobody beats: as good for less, or better for as much."""
    sign = 1 if better == "high" else -1
    found = []
    for one, (cost, value) in enumerate(zip(spent, worth, strict=True)):
        beaten = any(
            spent[at] <= cost and sign * worth[at] >= sign * value
            and (spent[at] < cost or worth[at] != value)
            for at in range(len(spent))
        )  # fmt: skip
        if not beaten:
            found.append(one)
    return set(found)


@pytest.mark.parametrize("better", ["high", "low"])
def test_the_front_is_that_of_the_slow_twin(better):
    rng = np.random.default_rng(3)
    for _ in range(200):
        n = int(rng.integers(1, 9))
        spent, worth = rng.integers(0, 5, n).tolist(), rng.integers(0, 5, n).tolist()
        assert set(pareto(spent, worth, better)) == slow(spent, worth, better)


def test_who_has_no_value_is_not_on_it():
    assert pareto([1.0, float("nan"), 2.0], [0.5, 0.9, float("nan")]) == (0,)


def test_points_lie_where_their_values_are():
    spent, worth = estimates([1, 2, 3], "cost_per_attempt"), estimates([0.5, 0.4, 0.8], "grade")
    plot = plots.trade_off(spent, worth, ["a", "b", "c"])
    dots = [mark for mark in plot.marks if isinstance(mark, Points)]
    assert dots[0].tips[0].startswith("b: 0.400 [0.350")  # off the front, drawn first
    assert {dot.tips[0][0]: (dot.x, dot.y) for dot in dots} == {
        "a": ([1], [0.5]), "b": ([2], [0.4]), "c": ([3], [0.8])
    }  # fmt: skip
    arms = [mark for mark in plot.marks if isinstance(mark, Line) and not mark.dash]
    across = {(tuple(arm.x), arm.y[0]) for arm in arms if arm.y[0] == arm.y[1]}
    upright = {(arm.x[0], tuple(arm.y)) for arm in arms if arm.x[0] == arm.x[1]}
    assert across == {((v.low, v.high), w.value) for v, w in zip(spent, worth, strict=True)}
    assert upright == {(v.value, (w.low, w.high)) for v, w in zip(spent, worth, strict=True)}
    tips = [title.text for title in ET.fromstring(str(plot)).iter(f"{SVG}title")]
    assert any(tip.startswith("a: 0.500 [0.450, 0.550] for 1.000") for tip in tips)


def test_names_attack_in_vain_and_what_lacks_is_said():
    spent = [*estimates([1.0, 2.0], "cost"), Estimate(float("nan"), reason="none")]
    worth = [replace(wilson(k, 30), measure="grade") for k in (3, 20, 29)]
    picture = str(plots.trade_off(spent, worth, ["</title><script>", "x" * 5000, "lacking"]))
    ET.fromstring(picture)
    assert "<script" not in picture
    assert "1 models" not in picture
    assert "Left out without both values: 1 of 3 models." in picture


def test_refused():
    with pytest.raises(InputError, match="need one each"):
        plots.trade_off(estimates([1.0], "cost"), estimates([1.0], "grade"), [])
    with pytest.raises(InputError, match="no model has both"):
        plots.trade_off([Estimate(float("nan"))], estimates([1.0], "grade"), ["a"])
