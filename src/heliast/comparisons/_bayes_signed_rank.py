"""The Bayesian signed-rank test."""

import numpy as np

from heliast._core.errors import InputError
from heliast.comparisons._checks import (
    ROUNDING,
    Better,
    Floats,
    check_better,
    check_margin,
    differences,
)
from heliast.comparisons._record import IDENTICAL, BayesResult
from heliast.comparisons._signed_ranks import hodges_lehmann

PRIOR = 0.5
"""Weight of the one made-up data set on which the models do not differ."""
_BATCH = 5000


def bayes_signed_rank(
    a: object,
    b: object,
    margin: float = 0.01,
    seed: int = 0,
    *,
    better: Better = "high",
    samples: int = 50_000,
) -> BayesResult:
    """Three probabilities for two models over several data sets (Benavoli and others 2014, 2017).

    The law of the differences gets a Dirichlet process prior of weight 0.5 at no difference. Draw
    weights w of the data sets from Dirichlet(0.5, 1, ..., 1); the average of two differences lies
    above `margin` with probability sum w_i w_j [z_i + z_j > 2 margin], likewise within and below.
    The three probabilities are the shares of `samples` draws in which each is the largest.
    `value` is the Hodges-Lehmann estimate. For errors say `better="low"`.

    >>> a = [0.81, 0.74, 0.92, 0.66, 0.88, 0.79, 0.95]
    >>> b = [0.78, 0.70, 0.91, 0.67, 0.82, 0.77, 0.90]
    >>> found = bayes_signed_rank(a, b)
    >>> round(found.a_better, 2), round(found.b_better, 2)
    (0.94, 0.0)
    """
    check_better(better)
    check_margin(margin)
    if samples < 1 or samples != int(samples):
        raise InputError(f"samples={samples}: draw a whole number, at least one")
    difference, size = differences(a, b, what="data set value")
    slack = ROUNDING * max(size, margin)
    above, below = _shares(difference, margin, slack, seed, int(samples))
    first, second = (above, below) if better == "high" else (below, above)
    n = float(difference.size)
    return BayesResult(
        value=hodges_lehmann(difference, 0.95).value, method="Bayesian signed rank", n=n,
        n_effective=n, notes=() if difference.any() else (IDENTICAL,), a_better=first,
        equivalent=max(0.0, 1 - above - below), b_better=second, margin=margin,
        reason="three probabilities, no interval",
    )  # fmt: skip


def _shares(
    difference: Floats, margin: float, slack: float, seed: int, samples: int
) -> tuple[float, float]:
    """The shares of draws in which above, and below, is the largest of the three."""
    rng = np.random.default_rng(seed)
    # Sorted, so that the partners of a data set are a stretch: sums of weights instead of pairs.
    place = int(np.searchsorted(np.sort(difference), 0.0))
    z = np.insert(np.sort(difference), place, 0.0)
    prior = np.insert(np.ones(difference.size), place, PRIOR)
    upward = np.searchsorted(z, 2 * margin + slack - z, side="right")
    downward = np.searchsorted(z, -2 * margin - slack - z, side="left")
    counts = np.zeros(2)
    for start in range(0, samples, _BATCH):
        weight = rng.dirichlet(prior, min(_BATCH, samples - start))
        before = np.zeros((weight.shape[0], z.size + 1))
        np.cumsum(weight, axis=1, out=before[:, 1:])
        above = (weight * (before[:, -1:] - before[:, upward])).sum(axis=1)
        below = (weight * before[:, downward]).sum(axis=1)
        within = 1 - above - below
        counts += (
            np.count_nonzero(above > np.maximum(below, within)),
            np.count_nonzero(below > np.maximum(above, within)),
        )
    return float(counts[0] / samples), float(counts[1] / samples)
