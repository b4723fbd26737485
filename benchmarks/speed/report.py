"""All measures of a two-class report on ten million rows."""

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn import metrics

from benchmarks.speed._measure import Result, peak_bytes, seconds
from heliast._kernels import counting, losses, ranking

ROWS = 10_000_000


def data(n: int) -> tuple[Any, Any]:
    """True classes, and probabilities that know something of them."""
    rng = np.random.default_rng(1)
    truth = (rng.random(n) < 0.3).astype(np.uint8)
    return truth, 1 / (1 + np.exp(1.2 - 1.5 * rng.normal(size=n) - 1.5 * truth))


def ours(truth: Any, score: Any) -> Any:
    """Contingency, log loss, Brier, AUC, average precision, the ROC curve."""
    streams = ranking.split_sorted(truth, score)
    return (
        counting.contingency(truth, score >= 0.5, 2),
        losses.binary_losses(truth, score),
        ranking.merge(*streams),
        ranking.outline(*streams),
    )


def scikit_learn(truth: Any, score: Any) -> Any:
    label = score >= 0.5
    return (
        metrics.confusion_matrix(truth, label),
        metrics.accuracy_score(truth, label),
        metrics.roc_curve(truth, score),
        metrics.roc_auc_score(truth, score),
        metrics.average_precision_score(truth, score),
        metrics.log_loss(truth, score),
        metrics.brier_score_loss(truth, score),
    )


def check(found: Any, peer: Any) -> None:
    """The same numbers, or the times mean nothing."""
    table, loss, sums, _ = found
    assert np.array_equal(table, peer[0])
    auc = sums.wins / (sums.positive * sums.negative)
    ours_ = [auc, sums.average_precision, loss.log1 / loss.weight, loss.brier1 / loss.weight]
    assert np.allclose(ours_, peer[3:], rtol=1e-9)


def run() -> Iterator[Result]:
    truth, score = data(ROWS)
    time = seconds(lambda: ours(truth, score))
    sort = seconds(lambda: np.sort(score))
    found: list[Any] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = seconds(lambda: found.append(scikit_learn(truth, score)), repeats=1, warm=False)
    check(ours(truth, score), found.pop())
    what = "two-class report, 10 million rows"
    yield Result(what, time, peer, "scikit-learn, 7 calls", floor=90, aim=150)
    yield Result(what, time, sort, "one np.sort of the scores", floor=2, at_most=True)
    extra = peak_bytes(lambda: ours(truth, score))
    given = truth.nbytes + score.nbytes
    yield Result(f"{what}: memory", extra, given, "its input", floor=3, at_most=True, unit="B")
