"""Cross-validation by shortcut against scikit-learn's refitting, as ratios of times.

Ours are full predictions with probabilities. The peer is `cross_val_score`; it is timed on a part
of the splits and scaled up, as leave-one-out takes minutes. Run: `python -m
benchmarks.speed.shortcuts`.
"""

import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from heliast.shortcuts import Shortcut, find

ROWS, INPUTS, CLASSES = 10_000, 20, 5
BARS = {
    "10 x 10-fold": {"linear": 40.0, "naive Bayes": 5.0, "quadratic": 5.0, "neighbours": 5.0},
    "leave-one-out": {
        "linear": 2000.0, "naive Bayes": 2000.0, "quadratic": 2000.0, "neighbours": 100.0,
    },
}  # fmt: skip


class Split(NamedTuple):
    train: Any
    test: Any
    truth: None = None
    data: None = None


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


def ours_folds(model: Any, X: Any, truth: Any, splits: list[Split]) -> None:
    shortcut = find(model, X, truth, tuple(range(CLASSES)))
    assert shortcut is not None
    assert all(guess is not None for guess in shortcut.predict_many(splits))


def ours_left_out(model: Any, X: Any, truth: Any) -> None:
    shortcut: Shortcut | None = find(model, X, truth, tuple(range(CLASSES)))
    assert shortcut is not None
    assert shortcut.leave_one_out().sure.all()


def peer(model: Any, X: Any, truth: Any, splits: list[Split]) -> None:
    from sklearn.model_selection import cross_val_score

    cross_val_score(model, X, truth, cv=[(split.train, split.test) for split in splits])


def folds(truth: Any) -> list[Split]:
    from sklearn.model_selection import RepeatedStratifiedKFold

    cut = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    return [Split(train, test) for train, test in cut.split(truth, truth)]


def left_out(rows: int) -> list[Split]:
    whole = np.arange(ROWS)
    return [Split(np.delete(whole, i), whole[i : i + 1]) for i in range(rows)]


def run() -> list[tuple[str, float, float, float]]:
    """(what, our seconds, the peer's, the bar) of every comparison."""
    X, truth = task()
    table = []
    for name, model in models().items():
        splits, singles = folds(truth), left_out(20)
        mine = best(lambda m=model, s=splits: ours_folds(m, X, truth, s), 5)  # type: ignore[misc]
        other = 10 * best(lambda m=model, s=splits[:10]: peer(m, X, truth, s), 3)  # type: ignore[misc]
        table.append((f"{name}, 10 x 10-fold", mine, other, BARS["10 x 10-fold"][name]))
        mine = best(lambda m=model: ours_left_out(m, X, truth), 5)  # type: ignore[misc]
        other = best(lambda m=model, s=singles: peer(m, X, truth, s), 3)  # type: ignore[misc]
        other *= ROWS / len(singles)
        table.append((f"{name}, leave-one-out", mine, other, BARS["leave-one-out"][name]))
    return table


def main() -> int:
    """Print the table; the exit code is 1 if a bar is missed."""
    missed = 0
    print(f"{'what':28}{'ours s':>10}{'peer s':>10}{'ratio':>10}{'bar':>8}")
    for what, mine, other, bar in run():
        passed = other / mine >= bar
        missed += not passed
        verdict = "PASS" if passed else "MISS"
        print(f"{what:28}{mine:10.4f}{other:10.2f}{other / mine:10.1f}{bar:8.0f}  {verdict}")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
