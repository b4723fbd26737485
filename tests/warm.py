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

import numpy as np


def votes() -> None:
    """Trees of every kind, alone and in ensembles."""
    import heliast as hl

    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    y, number = np.arange(90) % 3, X[:, 0] + rng.normal(size=90)
    holes = np.where(rng.random(X.shape) < 0.1, np.nan, X)
    words = np.array(["a", "b", "c"])[y].astype(object)
    alone = hl.Tree(), hl.Tree("gini", class_weight="balanced"), hl.CodedVote()
    votes = (
        hl.BaggedVote(hl.Tree(), 3), hl.BoostedVote(hl.Tree(max_depth=2), 3),
        hl.BoostedVote(hl.Tree(max_depth=2), 3, draw="reweight"), hl.PairwiseVote(hl.Tree()),
        hl.CodedVote(code="trained"),
    )  # fmt: skip
    mixed = np.column_stack([words, X[:, 0]])
    for inputs, models in ((X, (*alone, *votes)), (holes, (*alone, *votes)), (mixed, alone)):
        for model in models:
            model.fit(inputs, y).predict_proba(inputs)
    for model in (hl.BaggedMean(members=3), hl.BoostedMedian(rounds=3)):
        model.fit(X, number).predict(X)


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


if __name__ == "__main__":
    spawn = get_context("spawn")
    workers = [spawn.Process(target=quietly, args=(work,)) for work in (votes, tables)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    sys.exit(any(worker.exitcode for worker in workers))
