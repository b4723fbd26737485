"""Cross-validation by shortcut against scikit-learn's refitting, on one thread each.

Ours are full predictions with probabilities; the peer is `cross_val_score`, timed on a part of the
splits and scaled up, as leave-one-out takes minutes. Times are the least of several runs.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from benchmarks.speed._measure import Result
from heliast.fitting.shortcuts import predict_splits

ROWS, INPUTS, CLASSES = 10_000, 20, 5
BARS = {
    "10 x 10-fold": {"linear": 20.0, "naive Bayes": 5.0, "quadratic": 3.0, "neighbours": 5.0},
    "leave-one-out": {
        "linear": 1000.0, "naive Bayes": 1000.0, "quadratic": 800.0, "neighbours": 50.0,
    },
}  # fmt: skip


def models() -> dict[str, Any]:
    from sklearn.discriminant_analysis import (
        LinearDiscriminantAnalysis,
        QuadraticDiscriminantAnalysis,
    )
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier

    return {
        "naive Bayes": GaussianNB(),
        "linear": LinearDiscriminantAnalysis(),
        "quadratic": QuadraticDiscriminantAnalysis(),
        "neighbours": KNeighborsClassifier(),
    }


def task() -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, CLASSES, ROWS)
    middle = rng.normal(size=(CLASSES, INPUTS))
    mix = rng.normal(size=(CLASSES, INPUTS, INPUTS)) / 4 + np.eye(INPUTS)
    noise = rng.normal(size=(ROWS, INPUTS))
    X = middle[truth] + np.einsum("nd,nde->ne", noise, mix[truth])
    return np.ascontiguousarray(X), truth


def best(work: Callable[[], object], times: int) -> float:
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


@contextmanager
def one_thread() -> Iterator[None]:
    """Neither side gains from a second core, nor loses by sharing it."""
    from threadpoolctl import threadpool_limits

    before = os.environ.get("HELIAST_THREADS")
    os.environ["HELIAST_THREADS"] = "1"
    with threadpool_limits(1):
        yield
    del os.environ["HELIAST_THREADS"]
    if before is not None:
        os.environ["HELIAST_THREADS"] = before


def ours(model: Any, X: Any, truth: Any, splits: list[Any]) -> None:
    answers = predict_splits(model, X, truth, CLASSES, [(rows, rows) for rows in splits])
    assert all(answer is not None for answer in answers)


def peer(model: Any, X: Any, truth: Any, splits: list[Any]) -> None:
    from sklearn.model_selection import cross_val_score

    every = np.arange(ROWS)
    cross_val_score(model, X, truth, cv=[(np.delete(every, rows), rows) for rows in splits])


def folds(truth: Any) -> list[Any]:
    from sklearn.model_selection import RepeatedStratifiedKFold

    cut = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    return [rows for _, rows in cut.split(truth, truth)]


def left_out() -> list[Any]:
    return [np.array([row]) for row in range(ROWS)]


def compare(name: str, model: Any, X: Any, truth: Any) -> Iterator[Result]:
    for plan, splits, part in (
        ("10 x 10-fold", folds(truth), 10),
        ("leave-one-out", left_out(), 20),
    ):
        mine = best(lambda: ours(model, X, truth, splits), 5)  # noqa: B023
        other = best(lambda: peer(model, X, truth, splits[:part]), 3)  # noqa: B023
        other *= len(splits) / part
        yield Result(f"{name}, {plan}", mine, other, "cross_val_score", floor=BARS[plan][name])


def run() -> Iterator[Result]:
    """Every model, folds and leave-one-out."""
    X, truth = task()
    for name, model in models().items():
        with one_thread():
            results = list(compare(name, model, X, truth))
        yield from results


def main() -> int:
    """Print the table; the exit code is 1 if a bar is missed."""
    missed = 0
    print(f"{'what':28}{'ours s':>10}{'peer s':>10}{'ratio':>10}{'bar':>8}")
    for one in run():
        missed += not one.passed
        verdict = "PASS" if one.passed else "MISS"
        figures = f"{one.ours:10.4f}{one.peer:10.2f}{one.ratio:10.1f}{one.floor:8.0f}"
        print(f"{one.what:28}{figures}  {verdict}", flush=True)
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
