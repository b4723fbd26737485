"""A report of 26 classes on a million rows, and every interval of a thousand classes."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn import metrics

import heliast as hl
from benchmarks.speed._measure import Result, peak_bytes, seconds

ROWS = 1_000_000
CLASSES = 26
MANY, GROWTH = 1000, 100


def data(n: int, k: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, k, n).astype(np.uint8)
    scores = rng.exponential(size=(n, k))
    scores[np.arange(n), truth] *= 6
    return truth, scores / scores.sum(axis=1, keepdims=True)


def ours(truth: Any, scores: Any) -> Any:
    """Checked table, contingency, log loss, Brier, AUC of every class against the rest."""
    table = hl.Predictions.of(truth, y_score=scores, classes=range(scores.shape[1]))
    return hl.assess(table, ["log_loss", "brier", "auc"], interval=None)


def scikit_learn(truth: Any, scores: Any) -> Any:
    return (
        metrics.confusion_matrix(truth, scores.argmax(axis=1)),
        metrics.log_loss(truth, scores),
        metrics.brier_score_loss(truth, scores),
        metrics.roc_auc_score(truth, scores, multi_class="ovr", average=None),
    )


def check(found: Any, peer: Any) -> None:
    assert np.array_equal(found.tables["model"].counts, peer[0])
    assert np.isclose(found["model", "log_loss"].value, peer[1], rtol=1e-9)
    assert np.isclose(found["model", "brier"].value, peer[2], rtol=1e-9)
    areas = [found["model", "auc", class_].value for class_ in found.classes]
    assert np.allclose(areas, peer[3], rtol=1e-9)


def run() -> Iterator[Result]:
    truth, scores = data(ROWS, CLASSES)
    time = seconds(lambda: ours(truth, scores))
    found: list[Any] = []
    peer = seconds(lambda: found.append(scikit_learn(truth, scores)), repeats=1, warm=False)
    check(ours(truth, scores), found.pop())
    what = "26-class report, 1 million rows"
    yield Result(what, time, peer, "scikit-learn, 4 calls", floor=25, aim=50)
    yield from _many()


def _many() -> Iterator[Result]:
    """Time and memory may grow with the cells of the table, not with k tables of them."""
    many, few = (_labels(50_000, k) for k in (MANY, MANY // 10))
    time, less = (seconds(lambda table=table: hl.assess(table), 3) for table in (many, few))
    what = f"intervals of {MANY:,} classes against {MANY // 10}"
    yield Result(what, time, less, f"k^2: {GROWTH} times", floor=GROWTH, at_most=True)
    room = peak_bytes(lambda: hl.assess(many))
    cells = 8.0 * MANY**2
    yield Result(
        f"the same, memory in tables of {MANY:,} x {MANY:,}", room, cells, "one table",
        floor=60, at_most=True, unit="B",
    )  # fmt: skip


def _labels(n: int, k: int) -> hl.Predictions:
    rng = np.random.default_rng(2)
    truth = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    label = np.where(rng.random(n) < 0.8, truth, rng.integers(0, k, n))
    return hl.Predictions.of(truth, label, task="classification")
