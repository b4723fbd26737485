"""The methods that need plans of their own and many fits: fewer data sets, six cells each."""

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.coverage.resampled import _tables as tables
from benchmarks.coverage.resampled._covered import Covered, counted
from benchmarks.coverage.resampled._learners import LEARNERS, Job
from benchmarks.coverage.resampled._store import Found, kept
from benchmarks.coverage.resampled._tasks import TASKS, Population
from benchmarks.coverage.resampled._truth import SETS, risks
from heliast import Bootstrap, FiveByTwo, NestedFolds, PairedSubsampling, ReplaceOne
from heliast.estimates.resampled import Case, Parts, over_splits
from heliast.measures import get
from heliast.plans import Plan

Array = npt.NDArray[Any]
N = 200
CELLS = (
    ("Gaussian", "LDA"), ("Gaussian", "1-NN"), ("interaction", "tree"), ("label noise", "tree"),
    ("rare class", "logistic"), ("near separable", "LDA"),
)  # fmt: skip


@dataclass(frozen=True)
class Costly:
    """A method, the plan that it needs, the training rows it speaks of, whether training rows are
    predicted too."""

    method: str
    plan: Plan
    size: int = N
    in_sample: bool = False


METHODS = (
    Costly("five_by_two", FiveByTwo(), N // 2),
    Costly("replace_one", ReplaceOne(5), round(0.8 * N)),
    Costly("nested_cv", NestedFolds(10, repeats=10)),
    Costly("conservative_z", PairedSubsampling(15, pairs=10), round(0.9 * N)),
    Costly("location_shifted", Bootstrap(200), in_sample=True),
)


def cells(repetitions: int, seed: int, sets: int = SETS) -> list[Covered]:
    """Coverage of the costly methods, each on its declared target."""
    found = []
    for one in METHODS:
        for task_name, learner in CELLS:
            task = next(population for population in TASKS if population.name == task_name)
            start = time.perf_counter()
            name = f"costly-{seed}-{repetitions}/{one.method}-{task_name}-{learner}"
            limits = kept(
                name, lambda a=task, b=learner, c=one: _limits(a, b, c, seed, repetitions)
            )  # type: ignore[misc]
            truth = kept(
                f"costly-truth-{sets}/{task_name}-{learner}-{one.size}",
                lambda a=task, b=learner, c=one: _truth(a, b, c.size, sets),  # type: ignore[misc]
            )["risk"]
            low, high = limits["limits"].T
            hits = counted(low, high, float(truth[0]))
            found.append(
                Covered(
                    task_name, learner, repr(one.plan), one.method, False,
                    f"recipe with {one.size} rows", N, len(low), float(truth[0]), float(truth[1]),
                    **hits,
                )
            )  # fmt: skip
            took = time.perf_counter() - start
            if took > 1:
                print(f"costly: {name}, {took:.0f} s", file=sys.stderr, flush=True)
    return found


def _truth(task: Population, learner: str, size: int, sets: int) -> Found:
    return {"risk": np.array(risks(task, {learner: LEARNERS[learner]}, size, 100, sets)[learner])}


def _limits(task: Population, learner: str, one: Costly, seed: int, times: int) -> Found:
    rng = np.random.default_rng([seed, sum(map(ord, task.name + learner + one.method))])
    return {"limits": np.array(list(_drawn(task, learner, one, rng, times)))}


def _drawn(
    task: Population, learner: str, one: Costly, rng: np.random.Generator, times: int
) -> Iterator[tuple[float, float]]:
    for _ in range(times):
        X, y, group = task.draw(N, rng)
        cut = tables.Cut.of(one.plan, tables.dataset(X, y, task.k, group), X, rng)
        job = cut.job()
        job = _own_rows(cut, job) if one.in_sample else job
        table = cut.table(job, LEARNERS[learner](job))
        case = Case(Parts(table.only(role="test", in_train=0), "model"), table, get("error"))
        said = over_splits(case, one.method)
        yield (said.low, said.high) if said.low < said.high else (nan, nan)


def _own_rows(cut: tables.Cut, job: Job) -> Job:
    """The job with the training rows of the resamples to be predicted too."""
    test = np.array([piece.record.role == "test" for piece in cut.pieces])
    wanted = np.zeros(job.weight.shape, bool)
    wanted[job.split, job.row] = True
    wanted |= test[:, None] & (job.weight > 0)
    split, row = np.nonzero(wanted)
    return Job(job.X, job.y, job.k, job.weight, split, row)
