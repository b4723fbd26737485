"""All measures of a two-class report on ten million rows."""

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn import metrics

import heliast as hl
from benchmarks.speed._measure import Result, peak_bytes, seconds

ROWS = 10_000_000
MEASURES = ["accuracy", "auc", "average_precision", "log_loss", "brier"]


def data(n: int) -> tuple[Any, Any]:
    """True classes, and probabilities that know something of them."""
    rng = np.random.default_rng(1)
    truth = (rng.random(n) < 0.3).astype(np.uint8)
    return truth, 1 / (1 + np.exp(1.2 - 1.5 * rng.normal(size=n) - 1.5 * truth))


def ours(truth: Any, score: Any) -> Any:
    """Checked table, contingency, log loss, Brier, AUC, average precision, the ROC curve."""
    table = hl.Predictions.of(truth, y_score=score)
    return hl.assess(table, MEASURES, interval=None), hl.curves.roc(table)


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
    values, curve = found
    assert np.array_equal(values.tables["model"].counts, peer[0])
    ours_ = [values["model", name].value for name in MEASURES]
    assert np.allclose(ours_, [peer[1], *peer[3:]], rtol=1e-9)
    assert np.isclose(curve.auc, peer[3], rtol=1e-12)


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
