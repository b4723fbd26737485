"""The command line in this process."""

import sys
from pathlib import Path

import pytest

from heliast.cli import main

Answer = tuple[int, str, str]


@pytest.fixture
def heliast(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> "Caller":
    monkeypatch.chdir(tmp_path)
    return Caller(monkeypatch, capsys)


class Caller:
    """Runs the command line in this process; gives the exit code, what it printed, what it said."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def __call__(self, *words: object) -> Answer:
        code, out, err = self.raw(*words)
        return code, " ".join(out.split()), " ".join(err.split())

    def raw(self, *words: object) -> Answer:
        """The same, line by line."""
        self.monkeypatch.setattr(sys, "argv", ["heliast", *map(str, words)])
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        out, err = self.capsys.readouterr()
        return code, out, err
