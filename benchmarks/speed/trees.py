"""One tree of continuous inputs: how time and memory grow. Votes of trees: coded.py, votes.py.

Against scikit-learn with equal settings. Rows of float32 in a file: what fitting a vote needs
beside a byte a value.
"""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from benchmarks.speed._measure import Result, by_both_clocks, clocks, peak_bytes, seconds
from heliast.learners.tree import Tree


def continuous(n: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(n, 20))
    return X, (X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(0, 0.5, n) > 0).astype(int)


def growth() -> Iterator[Result]:
    """A single tree of continuous inputs: seconds per n log n, and memory beside the inputs."""
    settings = Tree(min_samples_leaf=5, min_samples_split=10, min_deviance=0)
    each = {}
    for n in (10_000, 100_000, 1_000_000):
        X, y = continuous(n)
        each[n] = seconds(lambda: settings.fit(X, y), repeats=1, warm=n == 10_000)  # noqa: B023
    small = each[10_000] / (1e4 * np.log(1e4)) * (1e6 * np.log(1e6))
    yield Result("one tree of 1 million x 20 continuous", each[1_000_000], small,
                 "n log n from 10,000 rows", 1.5, at_most=True)  # fmt: skip
    peak = peak_bytes(lambda: settings.fit(X, y))
    what = "memory of fitting it"
    yield Result(what, peak, float(X.nbytes), "the inputs", 3, at_most=True, unit="B")


def against_scikit_learn(n: int = 1_000_000) -> Iterator[Result]:
    """The same tree; the peer is run once, as it takes a minute."""
    X, y = continuous(n)
    train, test = slice(0, n * 9 // 10), slice(n * 9 // 10, n)
    ours = Tree("gini", min_samples_leaf=5, min_samples_split=10, min_deviance=0)
    peer = DecisionTreeClassifier(min_samples_leaf=5, min_samples_split=10)
    time_ = clocks(lambda: ours.fit(X[train], y[train]))
    wall, processors = time.perf_counter(), time.process_time()
    peer.fit(X[train], y[train])
    peer_time = time.perf_counter() - wall, time.process_time() - processors
    errors = [float(np.mean(one.predict(X[test]) != y[test])) for one in (ours, peer)]
    print(f"  errors: ours {errors[0]:.4f}, peer {errors[1]:.4f}", flush=True)
    what = f"one tree of {n * 9 // 10:,} x 20 continuous"
    yield by_both_clocks(what, time_, peer_time, "DecisionTreeClassifier", 25, 100)


def in_a_file(n: int = 1_000_000) -> Iterator[Result]:
    X, y = continuous(n)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows"
        X.astype(np.float32).tofile(file)
        rows = np.memmap(file, np.float32, "r", shape=X.shape)
        base = Tree("gini", min_samples_leaf=20, min_samples_split=40, min_deviance=0, max_depth=12)
        vote = hl.BaggedVote(base, 4, random_state=1)
        vote.fit(rows[:1000], y[:1000])
        peak = peak_bytes(lambda: vote.fit(rows, y))
        wall, processors = clocks(lambda: vote.fit(rows, y), 1, warm=False)
        print(f"  fitted in {wall:.2f} s, {processors:.2f} s of processors", flush=True)
    what = f"BaggedVote of {n:,} x 20 float32 in a file"
    yield Result(what, peak, float(X.size), "a byte a value", 3, at_most=True, unit="B")


def run() -> Iterator[Result]:
    yield from growth()
    yield from against_scikit_learn()
    yield from in_a_file()
