"""Continuous inputs, on which trees and votes are timed."""

import os
from functools import cache
from typing import Any

import numpy as np
from sklearn.datasets import make_classification

MEMBERS = int(os.environ.get("HELIAST_MEMBERS", "100"))
"""Members of votes on continuous inputs; fewer where time or the machine is short."""
PEERS = int(os.environ.get("HELIAST_PEERS", MEMBERS))
"""Members of peers on more than FEW rows: time is per member, and that of all is told."""
FEW, TEST = 10_000, 4_000
SHAPES = {
    "5,000 x 20, 10 classes": (5_000, 20, 10),
    "50,000 x 20, 2 classes": (50_000, 20, 2),
    "50,000 x 50, 10 classes": (50_000, 50, 10),
    "200,000 x 54, 7 classes": (200_000, 54, 7),
}
"""The last is like the forest cover types: 10 numbers, and 44 flags of two groups."""


@cache
def task(name: str) -> tuple[Any, Any, Any, Any]:
    """Training rows and classes, test rows and classes."""
    n, d, k = SHAPES[name]
    flags = 44 if d == 54 else 0
    X, y = make_classification(
        n + TEST, d - flags, n_informative=min(d - flags, 12 if d < 50 else 20), n_redundant=0,
        n_classes=k, n_clusters_per_class=2 if k > 2 else 4, random_state=0,
    )  # fmt: skip
    if flags:
        X = np.column_stack([np.rint(400 * X), _flags(X)])
    return X[:n], y[:n], X[n:], y[n:]


def _flags(X: Any) -> Any:
    """Which of four areas, and which of forty soils, the latter by the first input."""
    rng = np.random.default_rng(0)
    area = rng.choice(4, len(X), p=[0.45, 0.4, 0.1, 0.05])
    soil = np.clip(20 + 4 * X[:, 0] + rng.normal(0, 2, len(X)), 0, 39).astype(int)
    return np.column_stack([np.eye(4)[area], np.eye(40)[soil]])
