"""Nemenyi's test of all pairs of models by their mean ranks."""

from math import inf, sqrt

import numpy as np

from heliast._core.level import check_level
from heliast.comparisons._checks import Better
from heliast.comparisons._friedman import ranked
from heliast.comparisons._record import IDENTICAL, NemenyiResult


def nemenyi(table: object, better: Better = "high", level: float = 0.95) -> NemenyiResult:
    """All pairs of models over several data sets (Nemenyi 1963; Demsar 2006).

    Mean ranks differ if they are at least CD = q sqrt(k (k + 1) / 12 N) apart, q the quantile of
    the studentized range of k normals. `.critical_difference`, `.ranks` (1 is best), `.pairs`
    (p values) and `.groups` are for the critical-difference drawing; `p` is that of the pair
    furthest apart. Whether two models differ depends here on which others are in the table: for
    a verdict on a pair use `wilcoxon` with `holm`.

    >>> table = [[0.9, 0.8, 0.7], [0.8, 0.85, 0.6], [0.95, 0.9, 0.9], [0.7, 0.6, 0.5]]
    >>> found = nemenyi(table)
    >>> round(found.critical_difference, 4), found.groups
    (1.6572, ((0, 1, 2),))
    """
    from scipy.stats import studentized_range

    check_level(level)
    found = ranked(table, better)
    n, k = found.rows, found.models
    se = sqrt(k * (k + 1) / (12 * n))
    ranks = np.array(found.ranks)
    gaps = np.abs(ranks[:, None] - ranks)
    upper = np.triu_indices(k, 1)
    pairs = np.ones((k, k))
    pairs[upper] = np.clip(studentized_range.sf(gaps[upper] / se, k, inf), 0.0, 1.0)
    pairs = np.minimum(pairs, pairs.T)
    return NemenyiResult(
        float(pairs.min()), statistic=float(gaps.max() / se), level=level, method="Nemenyi",
        n=float(n), n_effective=float(found.effective),
        notes=() if found.effective else (IDENTICAL,), ranks=found.ranks,
        critical_difference=float(studentized_range.ppf(level, k, inf)) * se,
        pairs=tuple(tuple(row) for row in pairs.tolist()),
    )  # fmt: skip
