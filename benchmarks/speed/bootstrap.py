"""A thousand replicates of four measures on a million rows."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import stats
from sklearn import metrics

from benchmarks.speed._measure import Result, seconds
from benchmarks.speed.report import data
from heliast._kernels import bootstrap, losses
from heliast._kernels.counting import contingency

ROWS = 1_000_000
REPLICATES = 1_000
PEER_REPLICATES = 3


def ours(truth: Any, score: Any) -> Any:
    """(4, replicates): AUC, accuracy, F, log loss, from the rows as they come."""
    loss, _ = losses.row_losses_binary(truth, score)
    found = bootstrap.ranked_replicates(bootstrap.rank_rows(truth, score, loss), REPLICATES, seed=1)
    accuracy, f1, _ = tables(contingency(truth, score >= 0.5, 2))
    auc = found.wins / (found.positive * found.negative)
    return np.stack([auc, accuracy, f1, found.loss / (found.positive + found.negative)])


def tables(counts: Any) -> Any:
    """(3, replicates): accuracy, F, kappa from the contingency table alone."""
    tn, fp, fn, tp = bootstrap.table_replicates(counts, REPLICATES, seed=1).T
    n = counts.sum()
    chance = ((tp + fn) * (tp + fp) + (tn + fp) * (tn + fn)) / n**2
    agreed = (tp + tn) / n
    return np.stack([agreed, 2 * tp / (2 * tp + fp + fn), (agreed - chance) / (1 - chance)])


def four_measures(truth: Any, score: Any) -> Any:
    label = score >= 0.5
    return (
        metrics.roc_auc_score(truth, score),
        metrics.accuracy_score(truth, label),
        metrics.f1_score(truth, label),
        metrics.log_loss(truth, score),
    )


def scikit_learn_loop(truth: Any, score: Any) -> Any:
    rng = np.random.default_rng(1)
    found = []
    for _ in range(PEER_REPLICATES):
        drawn = rng.integers(0, truth.size, truth.size)
        found.append(four_measures(truth[drawn], score[drawn]))
    return found


def scipy_bootstrap(truth: Any, score: Any) -> Any:
    return stats.bootstrap(
        (truth, score),
        four_measures,
        n_resamples=PEER_REPLICATES,
        batch=1,
        paired=True,
        vectorized=False,
        method="percentile",
        rng=np.random.default_rng(1),
    )


def check(found: Any, truth: Any, score: Any) -> None:
    """Replicates surround the value on all rows."""
    value = np.array(four_measures(truth, score))
    assert (abs(found.mean(axis=1) - value) < 0.2 * found.std(axis=1)).all()


def run() -> Iterator[Result]:
    truth, score = data(ROWS)
    time = seconds(lambda: ours(truth, score))
    check(ours(truth, score), truth, score)
    scale = REPLICATES / PEER_REPLICATES
    what = "1,000 replicates of 4 measures, 1 million rows"
    loop = scale * seconds(lambda: scikit_learn_loop(truth, score), repeats=1, warm=False)
    yield Result(what, time, loop, "scikit-learn loop (scaled)", floor=300, aim=700)
    scipy_time = scale * seconds(lambda: scipy_bootstrap(truth, score), repeats=1, warm=False)
    yield Result(what, time, scipy_time, "scipy.stats.bootstrap (scaled)", floor=300, aim=700)
    counts = np.array([540_000, 160_000, 60_000, 240_000])
    time = seconds(lambda: tables(counts))
    what = "1,000 replicates of contingency measures"
    yield Result(what, time, 0.005, "5 ms", floor=1, at_most=True)
