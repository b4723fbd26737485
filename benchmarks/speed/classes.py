"""A report of 26 classes on a million rows."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn import metrics

import heliast as hl
from benchmarks.speed._measure import Result, seconds

ROWS = 1_000_000
CLASSES = 26


def data(n: int, k: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, k, n).astype(np.uint8)
    scores = rng.exponential(size=(n, k))
    scores[np.arange(n), truth] *= 6
    return truth, scores / scores.sum(axis=1, keepdims=True)


def ours(truth: Any, scores: Any) -> Any:
    """Checked table, contingency, log loss, Brier, AUC of every class against the rest."""
    table = hl.Predictions.of(truth, score=scores, classes=range(scores.shape[1]))
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
