"""One tree of continuous inputs: how time and memory grow. Votes of trees: coded.py, votes.py."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.speed._measure import Result, peak_bytes, seconds
from heliast.learners.tree import Tree


def continuous(n: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(n, 20))
    return X, (X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(0, 0.5, n) > 0).astype(int)


def growth() -> Iterator[Result]:
    """A single tree of continuous inputs: seconds per n log n, and memory beside the inputs."""
    settings = Tree(min_cut=5, min_size=10, min_deviance=0)
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


def run() -> Iterator[Result]:
    yield from growth()
