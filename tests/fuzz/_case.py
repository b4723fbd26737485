"""One bad input: the files it needs, the words of the command line, what may come of it."""

import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

SEED = 20260711


@dataclass
class Case:
    """Files of a scratch folder and a command line that reads them."""

    argv: list[str]
    files: dict[str, bytes] = field(default_factory=dict)
    odd: dict[str, str] = field(default_factory=dict)
    """Names that are no plain files: `folder`, `fifo`, or `link:TARGET`."""
    main: str = ""
    """The input whose name a refusal must hold."""
    reader: str = ""
    """`predictions` or `data`: whoever reads `main` in Python with no option must agree."""
    outputs: tuple[str, ...] = ()
    """What the command may write, and must write if it exits with 0."""
    keeps: str = ""
    """A folder in which the command may leave files of its own."""
    anywhere: bool = False
    """Whether the words name outputs that nobody foresees."""

    def lay_out(self, folder: Path) -> None:
        """Put the files where they belong."""
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        for name, what in self.odd.items():
            path = folder / name
            if what == "folder":
                path.mkdir()
            elif what == "fifo":
                os.mkfifo(path)
            else:
                path.symlink_to(what.removeprefix("link:"))


Generator = Callable[[random.Random], Case]
KINDS: dict[str, Generator] = {}
SHARES: dict[str, int] = {}
"""How many inputs of each kind `make fuzz` makes."""


def kind(name: str, share: int) -> Callable[[Generator], Generator]:
    """Register a generator of cases."""

    def register(generator: Generator) -> Generator:
        KINDS[name] = generator
        SHARES[name] = share
        return generator

    return register


def case(name: str, number: int, seed: int = SEED) -> Case:
    """Input `number` of a kind: a function of these three alone."""
    return KINDS[name](random.Random(f"{seed}/{name}/{number}"))
