import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from heliast.views.plots._svg import tag
from heliast.views.plots._text import count, escape, fit, width, wrap
from heliast.views.plots.axes import tick_labels, ticks
from heliast.views.plots.palette import DARK, LIGHT, SERIES, STYLE, dash, series

calm = settings(deadline=None, derandomize=True)


def luminance(colour):
    parts = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_contrast(colours):
    for name in ("ink", "soft"):
        assert contrast(colours[name], colours["paper"]) >= 4.5
    for name in ("axis", "good", "bad", *(series(k) for k in range(len(SERIES)))):
        assert contrast(colours[name], colours["paper"]) >= 3


def test_lines_differ_in_colour_or_dashes():
    looks = [(series(place), dash(place)) for place in range(24)]
    assert len(set(looks)) == 24


def test_style_knows_light_and_dark():
    assert LIGHT.keys() == DARK.keys()
    assert STYLE.count("prefers-color-scheme:dark") == 1
    assert "var(--heliast-paper,#ffffff)" in STYLE
    assert not set(STYLE) & set('<&"')


@calm
@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e9), st.integers(2, 8))
def test_ticks(low, span, most):
    high = low + span
    assume(high > low + abs(low) * 1e-6)
    found = ticks(low, high, most)
    slack = (high - low) * 1e-6
    assert 1 <= len(found) <= most
    assert low - slack <= found[0]
    assert found[-1] <= high + slack
    gaps = np.diff(found)
    assert gaps.size == 0 or np.ptp(gaps) <= 1e-6 * gaps.max() + 1e-9 * abs(low)


def test_tick_labels():
    assert tick_labels(ticks(0, 1)) == ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
    assert tick_labels(ticks(0, 1), percent=True) == ["0%", "20%", "40%", "60%", "80%", "100%"]
    assert tick_labels(ticks(0, 2000)) == ["0", "500", "1,000", "1,500", "2,000"]
    assert tick_labels(ticks(0, 1_000_000)) == ["0", "0.2M", "0.4M", "0.6M", "0.8M", "1.0M"]
    assert ticks(3, 3) == [3]


@calm
@given(st.text(), st.floats(20, 300))
def test_fit(text, room):
    shown = fit(text, 12, room)
    assert width(shown, 12) <= room
    assert "\n" not in shown
    escape(text).encode()


def test_escape():
    assert (
        escape("<a href='x'>\x00\x0b\ud800\ufffe") == "&lt;a href=&#x27;x&#x27;&gt;" + "\ufffd" * 4
    )
    assert tag("a", title='"<>') == '<a title="&quot;&lt;&gt;"/>'


def test_wrap():
    lines = wrap("one two three four five six " * 5, 11, 120)
    assert " ".join(lines).split() == ["one", "two", "three", "four", "five", "six"] * 5
    assert all(width(line, 11) <= 120 for line in lines)


def test_figures_for_people():
    assert [count(v) for v in (7, 1e6, 0.25)] == ["7", "1,000,000", "0.25"]
