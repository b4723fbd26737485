"""The loop: draw a data set, cut it by every plan, fit every learner, keep the summaries."""

import sys
import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.coverage.resampled import _tables as tables
from benchmarks.coverage.resampled._learners import Learner
from benchmarks.coverage.resampled._store import Found, kept
from benchmarks.coverage.resampled._tasks import Population
from benchmarks.coverage.resampled._truth import SETS, risk_of_models, risks
from heliast.plans import Plan

Array = npt.NDArray[Any]
SIZES = (50, 200, 1000)
ALONE = {1000: 300}
"""Data sets for leave-one-out, which takes n fits each, where they are fewer than others."""
CHECKED = 2
"""Data sets a cell on which every method is also asked for through the library."""


def trained(n: int) -> dict[str, int]:
    """The training rows of each plan's models."""
    return {
        "KFold(10)": round(0.9 * n),
        "KFold(10, repeats=5)": round(0.9 * n),
        "Subsampling()": round(2 / 3 * n),
        "Subsampling(15, train=0.9)": round(0.9 * n),
        "FiveByTwo()": n // 2,
        "Bootstrap(50)": n,
        "LeaveOneOut()": n,  # one row less changes nothing that shows
        "NestedFolds": n,
        "PairedSubsampling": round(0.9 * n),
    }


def truths(
    task: Population, learners: Mapping[str, Learner], n: int, seed: int, sets: int
) -> Found:
    """By learner and number of training rows: (risk, standard error)."""
    found: Found = {}
    for size in sorted(set(trained(n).values())):
        for name, one in risks(task, learners, size, seed, sets).items():
            found[f"{name}/{size}"] = np.array(one)
    return found


def simulated(
    task: Population,
    learners: Mapping[str, Learner],
    n: int,
    seed: int,
    repetitions: int,
    alone: int,
    own: int,
    plans: Mapping[str, Plan] = tables.PLANS,
) -> Found:
    """Summaries by learner and plan: (repetitions, NAMES); only `alone` of leave-one-out.

    `own` data sets give the bootstrap, and the risk of the very models of KFold(10) too.
    """
    from benchmarks.coverage.resampled._intervals import check

    rng = np.random.default_rng([seed, n, sum(map(ord, task.name))])
    most = {"LeaveOneOut()": alone, "Bootstrap(50)": max(own, 1)}
    found: dict[str, list[Any]] = {}
    for number in range(repetitions):
        X, y, group = task.draw(n, rng)
        data = tables.dataset(X, y, task.k, group)
        memory: dict[str, Array] = {}
        for plan_name, plan in plans.items():
            if plan_name == "KFold(10)" or number >= most.get(plan_name, repetitions):
                continue
            cut = tables.Cut.of(plan, data, X, rng, named=number < CHECKED)
            job = cut.job(memory)
            for name, learner in learners.items():
                label = learner(job)
                for part, one in _summaries(plan_name, cut, job, label):
                    found.setdefault(f"{name}/{part}", []).append(one)
                if number < CHECKED:
                    check(plan_name, cut, job, label)
                if plan_name == "KFold(10, repeats=5)" and number < own and task.posteriors:
                    once = cut.first(10).job()
                    value = risk_of_models(task, learner, once, rng)
                    found.setdefault(f"{name}/own", []).append(value)
    return {key: np.array(rows) for key, rows in found.items()}


def _summaries(plan: str, cut: tables.Cut, job: Any, label: Array) -> list[tuple[str, Array]]:
    if plan == "Bootstrap(50)":
        return [(plan, tables.left_out_summary(cut, job, label))]
    folds = plan in tables.FOLDS
    found = [(plan, tables.summary(cut, job, label, folds))]
    if plan == "KFold(10, repeats=5)":  # its first repeat is KFold(10)
        once = cut.first(10)
        mine = job.split < 10
        part = tables.Job(job.X, job.y, job.k, job.weight[:10], job.split[mine], job.row[mine])
        found.append(("KFold(10)", tables.summary(once, part, label[mine], True)))
    return found


def run(
    tasks: tuple[Population, ...],
    learners: Mapping[str, Learner],
    seed: int,
    repetitions: int = 1000,
    sizes: tuple[int, ...] = SIZES,
    name: str = "resampled",
    own: int = 100,
    slower: int = 1,
) -> dict[tuple[str, int], tuple[Found, Found]]:
    """By task and n: what was simulated, and the truths."""
    done = {}
    for n in sizes:
        alone = min(repetitions, ALONE.get(n, repetitions)) // slower
        for task in tasks:
            start = time.perf_counter()
            place = f"{name}-{seed}-{repetitions}/{task.name}-{n}"
            truth = kept(
                f"{name}-truth-{SETS}/{task.name}-{n}",
                lambda task=task, n=n: truths(task, learners, n, 100, SETS),  # type: ignore[misc]
            )
            found = kept(
                place,
                lambda task=task, n=n, alone=alone: simulated(  # type: ignore[misc]
                    task, learners, n, seed, repetitions, alone, min(own, repetitions)
                ),
            )
            done[task.name, n] = found, truth
            took = time.perf_counter() - start
            if took > 1:
                print(f"{name}: {task.name}, n = {n}, {took:.0f} s", file=sys.stderr, flush=True)
    return done
