"""A process that runs inputs for another."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any


class Server:
    """A warm process of `python -m tests.fuzz --serve`, told what to run line by line."""

    def __init__(self, seed: int, root: Path | None = None) -> None:
        words = [sys.executable, "-m", "tests.fuzz", "--serve", "--seed", str(seed)]
        self._process = subprocess.Popen(
            words, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, name: str, numbers: range) -> dict[str, Any]:
        """What came of some inputs: the counts of exit codes, the failures, the slowest."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{name} {numbers.start} {len(numbers)}\n")
        self._process.stdin.flush()
        found: dict[str, Any] = json.loads(self._process.stdout.readline())
        return found

    def end(self) -> None:
        self._process.communicate()
