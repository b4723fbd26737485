"""Compile kernels once, before several workers of pytest would each: `python -m tests.warm`.

Two processes, since each compiles on one core. What stays uncompiled is compiled by the first test
that calls it.
"""

import sys
import tempfile
import warnings
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from multiprocessing import get_context
from pathlib import Path

from joblib.externals.loky import get_reusable_executor

from heliast.cli._warm import STEPS


def votes() -> None:
    """Trees of every kind, alone and in ensembles."""
    STEPS[-1].work()


def tables() -> None:
    """The commands that the fuzzer warms itself with."""
    from typer.testing import CliRunner

    from heliast.cli import app
    from tests.fuzz import _warm

    with tempfile.TemporaryDirectory() as place, chdir(place):
        for command in _warm.commands(Path(place)):
            found = CliRunner().invoke(app, command)
            if found.exception is not None and not isinstance(found.exception, SystemExit):
                raise found.exception


def quietly(work) -> None:
    warnings.simplefilter("ignore")
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        work()
    # A process of multiprocessing waits for its children, and joblib's wait five minutes for work.
    get_reusable_executor().shutdown(wait=True)


if __name__ == "__main__":
    spawn = get_context("spawn")
    workers = [spawn.Process(target=quietly, args=(work,)) for work in (votes, tables)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    sys.exit(any(worker.exitcode for worker in workers))
