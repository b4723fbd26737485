"""Null world of recipes: one learner on inputs u, the same on v, which are exchangeable given y.

u and v are the task's inputs plus noise of equal law. Expected errors are equal at every n while
the two fitted models of a data set differ. In the alternative v has more noise.
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

import heliast as hl
from benchmarks.coverage.resampled import _tables as tables
from benchmarks.coverage.resampled._learners import LEARNERS, Job
from benchmarks.coverage.resampled._store import Found, kept
from benchmarks.coverage.resampled._tasks import TASKS, Population
from benchmarks.coverage.sizes._size import Size, size
from heliast import FiveByTwo, KFold, Subsampling
from heliast import comparisons as tests
from heliast.plans import Plan
from heliast.predictions import Predictions

Array = npt.NDArray[Any]
WORLD = "procedure: one learner on two inputs of equal law"
PLANS: dict[str, Plan] = {
    "KFold(10, repeats=5)": KFold(10, repeats=5),
    "KFold(5, repeats=10)": KFold(5, repeats=10),
    "Subsampling()": Subsampling(),
    "Subsampling(30, train=0.9)": Subsampling(30, train=0.9),
    "FiveByTwo()": FiveByTwo(),
}
NOISE, MORE = 0.7, 1.3
CHECKED = 2
NULLS = ("Gaussian", "rare class", "interaction", "label noise", "10 classes", "clustered rows")


def sizes(repetitions: int, seed: int, rows: tuple[int, ...] = (200, 50)) -> list[Size]:
    found = []
    for n in rows:
        times = repetitions if n < 1000 else repetitions // 8
        for task in TASKS:
            if task.name in (NULLS if n < 1000 else NULLS[::2]):
                start = time.perf_counter()
                name = f"sizes-{seed}-{times}/{task.name}-{n}"
                null = kept(name, lambda t=task, n=n, m=times: simulated(t, n, seed, m))  # type: ignore[misc]
                other = kept(
                    f"{name}-other",
                    lambda t=task, n=n, m=times // 5: simulated(t, n, seed + 50, m, MORE),  # type: ignore[misc]
                )
                for learner in LEARNERS:
                    if f"{learner}/FiveByTwo()" not in null:
                        continue
                    found += list(_judged(task, learner, n, null, other))
                took = time.perf_counter() - start
                if took > 1:
                    print(f"sizes: {task.name}, n = {n}, {took:.0f} s", file=sys.stderr, flush=True)
    return found


def simulated(task: Population, n: int, seed: int, times: int, noise: float = NOISE) -> Found:
    """By learner and plan: differences of the splits' values, (times, splits); then the design."""
    rng = np.random.default_rng([seed, n, sum(map(ord, task.name)), 5])
    found: dict[str, list[Any]] = {}
    for number in range(times):
        X, y, group = task.draw(n, rng)
        views = X + NOISE * rng.normal(size=X.shape), X + noise * rng.normal(size=X.shape)
        data = tables.dataset(X, y, task.k, group)
        memory: tuple[dict[str, Array], dict[str, Array]] = ({}, {})
        for plan_name, plan in PLANS.items():
            cut = tables.Cut.of(plan, data, X, rng, named=number < CHECKED)
            job = cut.job()
            for name, learner in LEARNERS.items():
                if task.k > 2 and name == "logistic":
                    continue  # ten classes against the rest, twice: as slow as all else
                both = zip(views, memory, strict=True)
                labels = [learner(replace(job, X=view, sorted_=own)) for view, own in both]
                values = [_values(job, label) for label in labels]
                found.setdefault(f"{name}/{plan_name}", []).append(values[0] - values[1])
                table = _table(cut, job, labels)
                found.setdefault(f"auto/{name}/{plan_name}", []).append(_compared(table, "auto"))
                if number < CHECKED:
                    _check(plan_name, cut, job, table, values[0] - values[1])
            sizes = np.array([[piece.n_train, piece.test.size] for piece in cut.pieces])
            found.setdefault(f"design/{plan_name}", []).append(sizes.mean(axis=0))
            found.setdefault(f"groups/{plan_name}", []).append(_groups(cut, job))
    return {key: np.array(rows) for key, rows in found.items()}


def _groups(cut: tables.Cut, job: Job) -> float:
    """How many groups were tested; infinity where rows stand alone."""
    group = cut.data.group
    return np.inf if group is None else float(np.unique(np.asarray(group)[job.row]).size)


def _values(job: Job, label: Array) -> Array:
    """The error of each split."""
    errors = np.bincount(job.split, weights=label != job.y[job.row])
    return np.asarray(errors / np.bincount(job.split))


def freedom(plan: str) -> float:
    """The degrees of freedom that `compare` takes for the corrected t."""
    folds = {"KFold(10)": 9.0, "KFold(10, repeats=5)": 9.0, "KFold(5, repeats=10)": 4.0}
    return {**folds, "FiveByTwo()": 9.0}.get(plan, 5.0)


def _p(d: Array, n_train: float, n_test: float, df: float, groups: Any = np.inf) -> Array:
    """Corrected t for all repetitions at once."""
    from scipy.special import stdtr

    variance = d.var(axis=1, ddof=1) * (1 / np.minimum(d.shape[1], groups) + n_test / n_train)
    mean, flat = d.mean(axis=1), np.ptp(d, axis=1) < 1e-12
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stdtr(df, -np.abs(mean / np.sqrt(variance)))
    return np.where(flat, np.where(np.abs(mean) < 1e-12, 1.0, np.nan), p)


def _judged(task: Population, learner: str, n: int, null: Found, other: Found) -> Iterator[Size]:
    for plan in ("KFold(10)", *PLANS):
        source = "KFold(10, repeats=5)" if plan == "KFold(10)" else plan
        size_of = null[f"design/{source}"].mean(axis=0)
        both = [found[f"{learner}/{source}"] for found in (null, other)]
        if plan == "KFold(10)":
            both = [d[:, :10] for d in both]
        asked = {"corrected_t": freedom(plan), "corrected_t, J - 1": both[0].shape[1] - 1.0}
        case = f"{task.name}, {learner}, {plan}"
        groups = [found[f"groups/{source}"] for found in (null, other)]
        if plan != "KFold(10)":
            p = [found[f"auto/{learner}/{source}"] for found in (null, other)]
            yield size(WORLD, case, "auto", True, n, *p)
        for test, df in asked.items():
            p = [_p(d, *size_of, df, tested) for d, tested in zip(both, groups, strict=True)]
            yield size(WORLD, case, test, False, n, *p)
        if plan != "FiveByTwo()":
            p = [_p(d, 1.0, 1e-12, d.shape[1] - 1.0) for d in both]
            yield size(WORLD, case, "paired_t", False, n, *p)
            continue
        for test in (tests.five_by_two_t, tests.five_by_two_f):
            p = [np.array([test(one.reshape(5, 2), np.zeros((5, 2))).p for one in d]) for d in both]
            yield size(WORLD, case, test.__name__, False, n, *p)


def _table(cut: tables.Cut, job: Job, labels: list[Array]) -> Predictions:
    """Both models' predictions as one table."""
    one, two = (cut.table(job, label) for label in labels)
    fields = ("y_true", "y_pred", "split_code", "row", "in_train", "group")
    joined = {
        name: None if getattr(one, name) is None
        else np.concatenate([getattr(one, name), getattr(two, name)])
        for name in fields
    }  # fmt: skip
    code = np.repeat([0, 1], len(one)).astype(np.int32)
    return Predictions(
        meta=one.meta, models=("u", "v"), splits=one.splits, model_code=code, **joined
    )


def _compared(table: Predictions, test: str) -> float:
    """The p value of `compare`; NaN where fewer than 5 of the groups were tested."""
    try:
        return float(hl.compare(table, test=test)["u", "v"].p)
    except hl.NotEnoughData:
        return float("nan")


def _check(plan: str, cut: tables.Cut, job: Job, table: Predictions, gap: Array) -> None:
    """`compare` by the corrected t must say the same."""
    n_train, n_test = np.mean([[p.n_train, p.test.size] for p in cut.pieces], axis=0)
    mine = _p(gap[None, :], n_train, n_test, freedom(plan), _groups(cut, job))[0]
    other = _compared(table, "corrected_t")
    if not (np.isnan(other) or np.isclose(mine, other, atol=1e-9)):
        raise AssertionError(f"{plan}: study p = {mine}, library p = {other}")
