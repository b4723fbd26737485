"""The time left for all data sets, by sizes; and the words beside the bar of one."""

import io
import os
import sys
from pathlib import Path

import numpy as np
import pytest

import heliast as hl
from heliast.fitting.run import _progress
from heliast.verbs import sources as module
from heliast.verbs.sources import Clock, Reading, sources


class Ticking:
    """A clock that a test sets."""

    now = 0.0

    def perf_counter(self) -> float:
        return self.now


def test_the_time_left_grows_with_the_sizes_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    time = Ticking()
    monkeypatch.setattr(module, "time", time)
    clock = Clock([100.0, 100.0, 200.0, 300.0])
    assert clock.left == ""
    time.now = 50.0  # the first also loads and compiles
    assert clock.passed() == 50.0
    assert clock.left == "; about 5 min left for all"  # 600 bytes at 0.5 s each
    time.now = 60.0
    clock.passed()
    assert clock.left == "; about 2 min left for all"  # the median of 0.5 and 0.1: 150 s
    time.now = 80.0
    clock.passed()
    assert clock.left == "; about 30 s left for all"  # median 0.1, 300 bytes
    clock.passed(idle=True)
    assert clock.left == ""


def test_an_unknown_size_is_taken_as_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    time = Ticking()
    monkeypatch.setattr(module, "time", time)
    clock = Clock([10.0, float("nan"), 30.0])
    time.now = 10.0
    clock.passed()
    assert clock.left == "; about 50 s left for all"  # 20 and 30 bytes at 1 s each


def test_sizes_are_those_of_files_and_tables(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,class\n1,a\n2,b\n")
    data = hl.Dataset.of(np.zeros((10, 3)), ["a", "b"] * 5, name="b")
    found = sources([tmp_path / "a.csv", data, "sklearn:iris"], Reading())
    assert [one.size for one in found[:2]] == [os.path.getsize(tmp_path / "a.csv"), 320.0]
    assert np.isnan(found[2].size)


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_the_bar_names_what_it_is_for_and_obeys_no_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("HELIAST_QUIET", raising=False)
    with _progress(3, "[3/12] wine\x1b; 5 min left") as show:
        show("tree\x1b[2J", 1)
    assert "[3/12] wine·; 5 min left, fitting tree·[2J" in shown.getvalue()
