"""The words beside the bar of a run."""

import io
import sys

import pytest

from heliast.fitting.run import _progress


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
    with _progress(3, "[3/12] wine\x1b") as show:
        show("tree\x1b[2J", 1)
    assert "[3/12] wine·, fitting tree·[2J" in shown.getvalue()
