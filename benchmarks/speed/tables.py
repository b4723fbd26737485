"""What must take no loop over rows: a table of predictions, joining two of them, freezing a plan.

The bars are some three times what was measured when they were set (0.02, 4 and 3): a loop in Python
or a square of the rows is far above them.
"""

from collections.abc import Iterator

import numpy as np
from sklearn.model_selection import LeaveOneOut

import heliast as hl
from benchmarks.speed._measure import Result, seconds


def made() -> Iterator[Result]:
    """A million rows: what is given is kept, not copied; the peer finds its classes by sorting."""
    rng = np.random.default_rng(0)
    score = rng.random(1_000_000)
    for dtype in (np.bool_, np.uint8, np.int64):
        truth = (rng.random(score.size) < 0.3).astype(dtype)
        yield Result(
            f"a table of a million rows, {np.dtype(dtype).name}",
            seconds(lambda truth=truth: hl.Predictions.of(truth, y_score=score)),
            seconds(lambda: np.sort(score)),
            "np.sort of the scores",
            0.1,
            at_most=True,
        )


def joined() -> Iterator[Result]:
    """Two tables whose rows stand in another order; the peer finds that order."""
    n = 500_000
    truth, order = np.arange(n) % 2, np.random.default_rng(0).permutation(n)
    one = hl.Predictions.of(truth, truth, model="m", row=np.arange(n) * 1000)
    other = hl.Predictions.of(truth[order], truth[order], model="k", row=order * 1000)
    yield Result(
        "join of half a million rows",
        seconds(lambda: one.join(other)),
        seconds(lambda: np.argsort(order)),
        "np.argsort of the rows",
        12,
        at_most=True,
    )


def frozen() -> Iterator[Result]:
    """Ten thousand splits; the peer lists them."""
    X = np.random.default_rng(0).normal(size=(10_000, 3))
    data = hl.Dataset.of(X, np.arange(len(X)) % 2)
    yield Result(
        "freezing leave-one-out of 10,000 rows",
        seconds(lambda: hl.LeaveOneOut().on(data).fingerprint, 3),
        seconds(lambda: [None for _ in LeaveOneOut().split(X)], 3),
        "scikit-learn's LeaveOneOut",
        10,
        at_most=True,
    )


def run() -> Iterator[Result]:
    yield from made()
    yield from joined()
    yield from frozen()
