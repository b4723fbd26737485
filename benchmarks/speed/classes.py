"""A report of 26 classes on a million rows."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn import metrics

from benchmarks.speed._measure import Result, seconds
from heliast._kernels import counting, losses, ranking

ROWS = 1_000_000
CLASSES = 26


def data(n: int, k: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, k, n).astype(np.uint8)
    scores = rng.exponential(size=(n, k))
    scores[np.arange(n), truth] *= 6
    return truth, scores / scores.sum(axis=1, keepdims=True)


def ours(truth: Any, scores: Any) -> Any:
    """Contingency, log loss, Brier, AUC of every class against the rest."""
    found = losses.class_losses(truth, scores)
    table = counting.contingency(truth, found.label, scores.shape[1])
    return table, found.sums, ranking.class_merges(truth, scores)


def scikit_learn(truth: Any, scores: Any) -> Any:
    return (
        metrics.confusion_matrix(truth, scores.argmax(axis=1)),
        metrics.log_loss(truth, scores),
        metrics.brier_score_loss(truth, scores),
        metrics.roc_auc_score(truth, scores, multi_class="ovr", average=None),
    )


def check(found: Any, peer: Any) -> None:
    table, sums, merges = found
    assert np.array_equal(table, peer[0])
    assert np.isclose(sums.log1 / sums.weight, peer[1], rtol=1e-9)
    assert np.isclose(sums.brier1 / sums.weight, peer[2], rtol=1e-9)
    assert np.allclose([m.wins / (m.positive * m.negative) for m in merges], peer[3], rtol=1e-9)


def run() -> Iterator[Result]:
    truth, scores = data(ROWS, CLASSES)
    time = seconds(lambda: ours(truth, scores))
    found: list[Any] = []
    peer = seconds(lambda: found.append(scikit_learn(truth, scores)), repeats=1, warm=False)
    check(ours(truth, scores), found.pop())
    what = "26-class report, 1 million rows"
    yield Result(what, time, peer, "scikit-learn, 4 calls", floor=25, aim=50)
