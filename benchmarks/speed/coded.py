"""CodedVote with 200 columns against scikit-learn's OutputCodeClassifier, equal trees.

Letter, if HELIAST_DATA names the folder with letter.csv; otherwise 26 made-up classes of the same
shape. The peer runs with one job and with all, and the faster counts. The best other peer,
OutputCodeClassifier on single trees of XGBoost, is printed beside, if it is installed.
"""

import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.multiclass import OutputCodeClassifier
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from benchmarks.speed import _tasks
from benchmarks.speed._measure import Result, by_both_clocks, clocks, seconds

COLUMNS, CLASSES, TEST = 200, 26, 4_000
SAME = {"gini": "gini", "deviance": "entropy"}
"""Our names of the criteria and scikit-learn's."""
SMALL = (
    "import time; start = time.perf_counter()\n"
    "import numpy as np, heliast as hl\n"
    "rng = np.random.default_rng(0)\n"
    "X, y = rng.normal(size=(200, 4)), rng.integers(0, 5, 200)\n"
    "hl.CodedVote(code_length=10, random_state=0).fit(X, y).predict(X)\n"
    "print(time.perf_counter() - start)"
)


@cache
def letters() -> tuple[Any, Any]:
    """20,000 rows of 16 whole numbers and 26 classes, shuffled."""
    file = Path(os.environ.get("HELIAST_DATA", "")) / "letter.csv"
    rng = np.random.default_rng(0)
    if file.is_file():
        data = hl.read(str(file), target="class")
        X, y = data.matrix, np.asarray(data.y)
    else:
        centres = rng.normal(7.5, 2.2, (CLASSES * 3, 16))
        part = rng.integers(0, len(centres), 20_000)
        X = np.clip(np.rint(centres[part] + rng.normal(0, 1.6, (20_000, 16))), 0, 15)
        y = part % CLASSES
    order = rng.permutation(len(y))
    return np.ascontiguousarray(X[order], np.float64), y[order]


def ours(X: Any, y: Any, criterion: str = "deviance") -> Any:
    base = hl.Tree(criterion, min_samples_leaf=5, min_samples_split=10, min_deviance=0)
    return hl.CodedVote(base, code_length=COLUMNS, random_state=1).fit(X, y)


def tree(criterion: str) -> Any:
    """The same tree of scikit-learn."""
    return DecisionTreeClassifier(
        criterion=SAME[criterion], min_samples_leaf=5, min_samples_split=10
    )


def peer(X: Any, y: Any, base: Any, jobs: int = 1) -> Any:
    size = COLUMNS / CLASSES
    return OutputCodeClassifier(base, code_size=size, random_state=1, n_jobs=jobs).fit(X, y)


def fastest(X: Any, y: Any, base: Any) -> tuple[float, Any]:
    """(seconds, fitted) of the peer with its best number of jobs."""
    found = []
    for jobs in (1, os.cpu_count() or 1):
        start = time.perf_counter()
        fitted = peer(X, y, base, jobs)
        found.append((time.perf_counter() - start, fitted))
    return min(found, key=lambda pair: pair[0])


def xgboost_trees() -> Any:
    """Single trees of XGBoost, as deep as ours."""
    from xgboost import XGBClassifier

    return XGBClassifier(
        n_estimators=1, learning_rate=1.0, max_depth=0, grow_policy="lossguide", max_leaves=0,
        tree_method="hist", reg_lambda=0.0, min_child_weight=1.0, n_jobs=1,
    )  # fmt: skip


def in_a_fresh_python(**variables: str) -> float:
    """Seconds from import to the first prediction of a small vote."""
    found = subprocess.run(
        [sys.executable, "-c", SMALL],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **variables},
    )
    return float(found.stdout)


def check(vote: Any, other: Any, X: Any, y: Any) -> None:
    """Equal errors within noise, or the times mean nothing."""
    errors = [float(np.mean(one.predict(X) != y)) for one in (vote, other)]
    noise = (sum(e * (1 - e) for e in errors) / len(y)) ** 0.5
    print(f"  errors: ours {errors[0]:.4f}, peer {errors[1]:.4f}", flush=True)
    assert errors[0] - errors[1] < 3 * noise, errors


def sized(n: int, criterion: str, floor: float, aim: float | None) -> Iterator[Result]:
    """Fitting on n rows, and predicting the test rows."""
    X, y = letters()
    train, test = (X[:n], y[:n]), (X[-TEST:], y[-TEST:])
    time_ = seconds(lambda: ours(*train, criterion))
    scikit, other = fastest(*train, tree(criterion))
    vote = ours(*train, criterion)
    check(vote, other, *test)
    what = f"CodedVote, {COLUMNS} columns, {n:,} rows, {criterion}"
    yield Result(what, time_, scikit, "OutputCodeClassifier", floor=floor, aim=aim)
    if importlib.util.find_spec("xgboost"):
        boost, _ = fastest(*train, xgboost_trees())
        yield Result(what, time_, boost, "OutputCode + XGBoost trees", floor=1)
    predict = seconds(lambda: vote.predict(test[0]))
    alone = peer(*train, tree(criterion))  # fitted with one job, it predicts with one
    peer_predict = min(
        seconds(lambda: other.predict(test[0]), repeats=3),
        seconds(lambda: alone.predict(test[0]), repeats=3),
    )
    what = f"its prediction of {TEST:,} rows"
    yield Result(what, predict, peer_predict, "OutputCodeClassifier", floor=2)


def continuous() -> Iterator[Result]:
    """Continuous inputs, half as many columns; peers of fewer if HELIAST_PEERS says so (votes)."""
    columns = _tasks.MEMBERS
    for name in ("5,000 x 20, 10 classes", "50,000 x 50, 10 classes"):
        X, y, test, truth = _tasks.task(name)
        few = columns if len(y) <= _tasks.FEW else min(_tasks.PEERS, columns)
        base = hl.Tree("gini", min_samples_leaf=5, min_samples_split=10, min_deviance=0)
        vote = hl.CodedVote(base, code_length=columns, random_state=1).fit(X[:500], y[:500])
        other = OutputCodeClassifier(tree("gini"), code_size=few / 10, random_state=1)
        time_ = clocks(lambda: vote.fit(X, y))  # noqa: B023
        peer_time = clocks(lambda: other.fit(X, y), 1, warm=False)  # noqa: B023
        check(vote, other, test, truth)
        if few < columns:
            print(f"  the peer's error is that of {few} columns", flush=True)
        all_ = peer_time[0] * columns / few, peer_time[1] * columns / few
        what = f"CodedVote, {columns} columns, {name}"
        yield by_both_clocks(what, time_, all_, "OutputCodeClassifier", 12, 40)


def run() -> Iterator[Result]:
    yield from continuous()
    for criterion in SAME:
        yield from sized(16_000, criterion, floor=40, aim=100)
        yield from sized(1_300, criterion, floor=25, aim=None)
    with tempfile.TemporaryDirectory() as folder:
        first = in_a_fresh_python(NUMBA_CACHE_DIR=folder)
        again = in_a_fresh_python(NUMBA_CACHE_DIR=folder)
    what = "import to first fit of a small CodedVote"
    yield Result(f"{what}, cached", again, 2.0, "2 s", floor=1, at_most=True)
    yield Result(f"{what}, compiled", first, again, "cached", floor=float("inf"), at_most=True)


if __name__ == "__main__":
    from benchmarks.speed.__main__ import line

    for result in run():
        print(line(result), flush=True)
