"""`heliast warm`: compile now what the verbs need, instead of when they first need it."""

import os
import tempfile
import warnings
from collections.abc import Callable, Sequence
from compileall import compile_dir
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from heliast.cli._app import app, remark, say
from heliast.cli._narrow import Command

if TYPE_CHECKING:
    from heliast.predictions import Predictions

ROWS, MANY = 20_000, 70_000
"""Rows for which kernels are compiled, and for which resampling runs in lanes."""


@app.command(cls=Command)
def warm(
    tables: Annotated[
        bool, typer.Option("--tables", help="Only what judges predictions, not trees and votes.")
    ] = False,
) -> None:
    """Compile what the verbs need, once; wheels for common processors bring it along."""
    from heliast._kernels.kept import compiling

    began = monotonic()
    if os.access(package := Path(__file__).parents[1], os.W_OK):
        compile_dir(package, quiet=2)  # pip does so in site-packages, but not in a tree of sources
    steps = STEPS[:-1] if tables else STEPS
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for at, step in enumerate(steps):
            left = _left(steps, at, monotonic() - began)
            remark(f"compiling for {step.words} ({at + 1} of {len(steps)}); {left}")
            step.work()
    kernels, seconds = len(compiling.kernels), f"{monotonic() - began:.0f} s"
    say(f"{kernels} kernels were compiled in {seconds}; the others were there already")


def _left(steps: Sequence["Step"], done: int, spent: float) -> str:
    """How long the steps from that one on take if nothing is compiled yet, on this machine."""
    past, coming = (sum(step.seconds for step in part) for part in (steps[:done], steps[done:]))
    slower = max(1.0, spent / past) if past else 1.0
    return f"about {coming * slower:.0f} s left"


def _two_classes() -> None:
    import heliast as hl

    rng, n = _rng(), ROWS
    truth, rows = rng.random(n) < 0.4, [*range(n)]
    score = [(truth + rng.normal(size=n)) / 4 + 0.5 for _ in "ab"]
    score = [one.clip(0.01, 0.99) for one in score]
    sure: dict[str, Any] = {"scores": "probability"}
    both = hl.Predictions.of(truth, score=score[0], model="a", row=rows, **sure)
    both = both.join(hl.Predictions.of(truth, score=score[1], model="b", row=rows, **sure))
    _judged(both, "auc", "log_loss")
    _judged(hl.Predictions.of(truth, score[0] > 0.5, weight=rng.random(n)))
    weighed: dict[str, Any] = {"weight": rng.random(n), "weights": "sampling"}
    _judged(hl.Predictions.of(truth, score=score[0], **sure, **weighed))
    _judged(hl.Predictions.of(truth, score=score[0], group=rng.integers(0, 900, n), **sure))
    truth = rng.random(MANY) < 0.4
    score = (truth + rng.normal(size=MANY)) / 4 + 0.5
    many = hl.Predictions.of(truth, score=score.clip(0.01, 0.99), **sure)
    hl.assess(many)
    hl.assess(many, ["error", "auc"], interval="bootstrap")


def _more_classes() -> None:
    import heliast as hl

    rng, n = _rng(), ROWS
    for k in (3, 70):
        truth, score = rng.integers(0, k, n), rng.dirichlet([1.0] * k, n)
        _judged(hl.Predictions.of(truth, score=score, classes=[*range(k)], scores="probability"))
        _judged(hl.Predictions.of(truth, score.argmax(1)))


def _numbers() -> None:
    import heliast as hl

    rng, n = _rng(), ROWS
    truth = rng.normal(size=n)
    _judged(hl.Predictions.of(truth, truth + rng.normal(size=n)))


def _scanned() -> None:
    import heliast as hl

    rng, n = _rng(), ROWS
    with tempfile.TemporaryDirectory() as folder:
        for k in (2, 3):
            truth, score = rng.integers(0, k, n), rng.dirichlet([1.0] * k, n)
            table = hl.Predictions.of(truth, score=score, classes=[*range(k)], scores="probability")
            path = Path(folder, f"{k}.parquet")
            table.write(path)
            hl.assess(hl.Predictions.scan(path))


def _splits() -> None:
    import heliast as hl
    from heliast.data import simulate

    for data in (
        simulate.two_gaussians(0.2).sample(300, seed=1),
        simulate.gaussian_classes(k=3, spread=2, seed=1).sample(300, seed=2),
    ):
        for plan in (hl.KFold(5), hl.Bootstrap(5), hl.LeaveOneOut()):
            models = {"bayes": hl.FullBayes(), "majority": hl.Majority()}
            table = hl.run(models, data, plan, progress=False)
            str(hl.assess(table, ["error"]))


def _votes() -> None:
    """Trees of every kind, alone and in ensembles."""
    import numpy as np

    import heliast as hl

    rng = _rng()
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
    found = hl.combine(hl.Dataset.of(X, y), members=3, plan=hl.KFold(2), progress=False)
    str(found)


class Step(NamedTuple):
    """Something that is done so that what it needs is compiled."""

    words: str
    work: Callable[[], None]
    seconds: float
    """That it takes on a processor of its own, if nothing is compiled."""


STEPS = (
    Step("two classes", _two_classes, 11.0),
    Step("more classes", _more_classes, 4.0),
    Step("numbers", _numbers, 2.0),
    Step("scans", _scanned, 1.5),
    Step("splits", _splits, 1.5),
    Step("trees and votes", _votes, 24.0),
)


def _rng() -> Any:
    import numpy as np

    return np.random.default_rng(0)


def _judged(table: "Predictions", *more: str) -> None:
    """Put a table through the verbs that judge."""
    import heliast as hl

    str(hl.assess(table))
    for measure in more:
        str(hl.compare(table, measure))
    with tempfile.TemporaryDirectory() as folder:
        hl.report(table, Path(folder, "report.html"))
