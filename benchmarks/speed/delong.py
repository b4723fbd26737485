"""DeLong's variance of AUC, one model and two, on a million rows."""

import importlib.util
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.stats import rankdata

import heliast as hl
from benchmarks.speed._measure import Result, seconds
from benchmarks.speed.report import data

ROWS = 1_000_000


def ours(truth: Any, score: Any) -> hl.Estimate:
    """The area with its interval."""
    return hl.estimates.delong(truth, score)


def ours_paired(truth: Any, a: Any, b: Any) -> Any:
    """The difference of two areas with its interval."""
    return hl.comparisons.delong_paired(truth, a, b)


def midranks(truth: Any, *scores: Any) -> Any:
    """AUCs and covariance matrix by SciPy's midranks: what one would write by hand."""
    positive = truth == 1
    p, n = positive.sum(), (~positive).sum()
    above, below = [], []
    for score in scores:
        joint = rankdata(score)
        above.append((joint[positive] - rankdata(score[positive])) / n)
        below.append(1 - (joint[~positive] - rankdata(score[~positive])) / p)
    return np.mean(above, axis=1), np.cov(above) / p + np.cov(below) / n


def run() -> Iterator[Result]:
    truth, a = data(ROWS)
    b = a + np.random.default_rng(2).normal(size=ROWS) * 0.2
    b = (b - b.min()) / np.ptp(b)
    one = seconds(lambda: ours(truth, a))
    two = seconds(lambda: ours_paired(truth, a, b))
    auc, cov = midranks(truth, a, b)
    found, pair = ours(truth, a), ours_paired(truth, a, b)
    assert np.allclose([found.value, found.se**2], [auc[0], cov[0, 0]], rtol=1e-9)
    se = np.sqrt(cov[0, 0] + cov[1, 1] - 2 * cov[0, 1])
    assert np.allclose([pair.value, pair.value / pair.statistic], [auc[0] - auc[1], se], rtol=1e-9)

    sort = seconds(lambda: np.sort(a))
    yield Result("DeLong, 1 million", one, sort, "one np.sort of the scores", floor=4, at_most=True)
    hand = seconds(lambda: midranks(truth, a), repeats=2)
    yield Result("DeLong, 1 million", one, hand, "SciPy midranks by hand", floor=5)
    if importlib.util.find_spec("confidenceinterval"):
        from confidenceinterval.delong import delong_roc_variance

        public = seconds(lambda: delong_roc_variance(truth, a), repeats=1)
        yield Result("DeLong, 1 million", one, public, "confidenceinterval", floor=30)
    hand = seconds(lambda: midranks(truth, a, b), repeats=2)
    yield Result("paired DeLong, 1 million", two, hand, "SciPy midranks by hand", floor=5)
    if importlib.util.find_spec("MLstatkit"):
        from MLstatkit import Delong_test

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            public = seconds(lambda: Delong_test(truth, a, b), repeats=1)
        yield Result("paired DeLong, 1 million", two, public, "MLstatkit", floor=20)
