"""Other measures than the error over several splits: what `auto` covers, asked of the library."""

import sys
import time
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.coverage.resampled import _tables as tables
from benchmarks.coverage.resampled._covered import Covered, counted
from benchmarks.coverage.resampled._learners import LEARNERS, Job
from benchmarks.coverage.resampled._store import Found, kept
from benchmarks.coverage.resampled._tasks import TASKS, Population
from benchmarks.coverage.resampled._truth import SETS
from heliast.estimates.resampled import Case, Parts, over_splits
from heliast.measures import get
from heliast.measures.summaries import Counted
from heliast.predictions import Rows

Array = npt.NDArray[Any]
N = 200
MEASURES = ("error", "recall", "precision", "f1", "balanced_accuracy", "kappa", "mcc")
CELLS = (
    ("Gaussian", "LDA"),
    ("rare class", "LDA"),
    ("rare class", "tree"),
    ("interaction", "tree"),
)
PLANS = ("KFold(10)", "KFold(10, repeats=5)")
TEST = 4000


def cells(repetitions: int, seed: int, sets: int = SETS) -> list[Covered]:
    """Cells of the measures; the method's name says which."""
    found = []
    for task_name, learner in CELLS:
        start = time.perf_counter()
        task = next(one for one in TASKS if one.name == task_name)
        truth = kept(
            f"measures-truth-{sets}/{task_name}-{learner}",
            lambda a=task, b=learner: _truths(a, b, sets),  # type: ignore[misc]
        )
        limits = kept(
            f"measures-{seed}-{repetitions}/{task_name}-{learner}",
            lambda a=task, b=learner: _limits(a, b, seed, repetitions),  # type: ignore[misc]
        )
        for name in MEASURES:
            value, se = truth[name].tolist()
            for plan in PLANS:
                low, high = limits[f"{plan}/{name}"].T
                found.append(
                    Covered(
                        task_name, learner, plan, name, False, f"recipe with {round(0.9 * N)} rows",
                        N, len(low), value, se, **counted(low, high, value),
                    )
                )  # fmt: skip
        took = time.perf_counter() - start
        if took > 1:
            print(f"measures: {task_name}, {learner}, {took:.0f} s", file=sys.stderr, flush=True)
    return found


def _truths(task: Population, learner: str, sets: int) -> Found:
    """Mean of each measure over training sets; undefined ones are left out."""
    rng = np.random.default_rng([100, sum(map(ord, task.name + learner))])
    n = round(0.9 * N)
    weight = np.concatenate([np.ones((1, n)), np.zeros((1, TEST))], axis=1)
    found: dict[str, list[float]] = {name: [] for name in MEASURES}
    for _ in range(sets):
        X, y, _ = task.draw(n + TEST, rng)
        job = Job(X, y, task.k, weight, np.zeros(TEST, int), np.arange(n, n + TEST))
        label = LEARNERS[learner](job).astype(np.uint8)
        rows = Rows("classification", y[n:].astype(np.uint8), label, classes=(0, 1), positive=1)
        counted_rows = Counted(rows)
        for name in MEASURES:
            found[name].append(float(get(name).form(counted_rows).value))
    return {
        name: np.array([np.nanmean(one), np.nanstd(one) / np.sqrt(len(one))])
        for name, one in found.items()
    }


def _limits(task: Population, learner: str, seed: int, times: int) -> Found:
    rng = np.random.default_rng([seed, sum(map(ord, task.name + learner)), 9])
    found: dict[str, list[tuple[float, float]]] = {}
    for _ in range(times):
        X, y, group = task.draw(N, rng)
        data = tables.dataset(X, y, task.k, group)
        for plan in PLANS:
            cut = tables.Cut.of(tables.PLANS[plan], data, X, rng)
            job = cut.job()
            table = cut.table(job, LEARNERS[learner](job))
            parts = Parts(table.only(role="test", in_train=0), "model")
            for name in MEASURES:
                said = over_splits(Case(parts, table, get(name)))
                found.setdefault(f"{plan}/{name}", []).append((said.low, said.high))
    return {key: np.array(rows) for key, rows in found.items()}
