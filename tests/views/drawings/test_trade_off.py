"""What models are worth against what they take: the front by hand and by a slow twin."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest

from heliast import InputError
from heliast.estimates import Estimate, wilson
from heliast.views import drawings
from heliast.views.fronts import pareto

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
    picture = drawings.trade_off(spent, worth, ["a", "b", "c"])
    groups = [
        one for one in ET.fromstring(picture).iter(f"{SVG}g")
        if len(one) and one[0].tag == f"{SVG}title" and " for " in one[0].text
    ]  # fmt: skip
    said = [one[0].text for one in groups]
    assert said[0].startswith("b: 0.400 [0.350")  # off the front, drawn first
    lines = [[float(line.get(k)) for k in ("x1", "y1", "x2", "y2")] for one in groups
             for line in one.iter(f"{SVG}line")]  # fmt: skip
    across, upright = lines[::2], lines[1::2]
    assert all(one[1] == one[3] for one in across)
    assert all(one[0] == one[2] for one in upright)
    middle = {text[0]: (one[0] + one[2]) / 2 for text, one in zip(said, across, strict=True)}
    assert middle["b"] - middle["a"] == pytest.approx(middle["c"] - middle["b"], abs=0.2)


def test_of_many_the_front_is_named():
    spent = estimates(np.linspace(1, 2, 40), "tokens_per_attempt")
    worth = estimates([0.5 + 0.01 * (at % 10) for at in range(40)], "grade")
    names = [f"m{at}" for at in range(40)]
    picture = drawings.trade_off(spent, worth, names)
    texts = [one.text for one in ET.fromstring(picture).iter(f"{SVG}text")]
    assert [text.split(":")[0] for text in texts if " for " in text and text[0] == "m"] == [
        f"m{at}" for at in range(9, -1, -1)
    ]
    assert any("30 more models" in text for text in texts)


def test_names_attack_in_vain_and_what_lacks_is_said():
    spent = [*estimates([1.0, 2.0], "cost"), Estimate(float("nan"), reason="none")]
    worth = [replace(wilson(k, 30), measure="grade") for k in (3, 20, 29)]
    picture = drawings.trade_off(spent, worth, ["</title><script>", "x" * 5000, "lacking"])
    ET.fromstring(picture)
    assert "<script" not in picture
    assert "1 models" not in picture
    assert "one model without both values is left out" in picture


def test_refused():
    with pytest.raises(InputError, match="need one each"):
        drawings.trade_off(estimates([1.0], "cost"), estimates([1.0], "grade"), [])
    with pytest.raises(InputError, match="no model has both"):
        drawings.trade_off([Estimate(float("nan"))], estimates([1.0], "grade"), ["a"])
