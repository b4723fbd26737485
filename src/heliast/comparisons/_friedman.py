"""Friedman's test: several models over several data sets."""

from typing import NamedTuple

import numpy as np

from heliast.comparisons._checks import ROUNDING, Better, Floats, check_better, table_of
from heliast.comparisons._record import IDENTICAL, RankResult


class Ranked(NamedTuple):
    """Mean ranks and Friedman's statistic of a table."""

    rows: int
    models: int
    ranks: tuple[float, ...]
    chi_square: float
    effective: int


def friedman(table: object, better: Better = "high") -> RankResult:
    """Whether the models rank alike over the data sets (Friedman 1937).

    `table` has a row for each data set and a column for each model. Within a row the models are
    ranked, 1 the best, ties at their mean rank; chi-square = (k - 1) sum (R_j - N(k+1)/2)^2 /
    (sum r^2 - N k (k+1)^2 / 4) with k - 1 degrees of freedom, R_j the rank sums. That is
    Friedman's statistic corrected for ties. It rejects too rarely for few data sets; see
    `iman_davenport`. Rows of ties throughout: p = 1.

    >>> found = friedman([[0.9, 0.8, 0.7], [0.8, 0.85, 0.6], [0.95, 0.9, 0.9], [0.7, 0.6, 0.5]])
    >>> found.ranks, round(found.p, 4)
    ((1.25, 1.875, 2.875), 0.0569)
    """
    from scipy.special import chdtrc

    found = ranked(table, better)
    df = found.models - 1.0
    notes = () if found.effective else (IDENTICAL,)
    return RankResult(
        float(chdtrc(df, found.chi_square)), statistic=found.chi_square, df=df, method="Friedman",
        n=float(found.rows), n_effective=float(found.effective), notes=notes, ranks=found.ranks,
    )  # fmt: skip


def ranked(table: object, better: Better) -> Ranked:
    """The mean ranks, the statistic, and how many rows are not ties throughout."""
    check_better(better)
    values = table_of(table)
    n, k = values.shape
    ranks = row_ranks(values, better)
    within = float(((ranks - (k + 1) / 2) ** 2).sum())
    between = float(((ranks.sum(axis=0) - n * (k + 1) / 2) ** 2).sum())
    statistic = (k - 1) * between / within if within > 0 else 0.0
    effective = int((np.ptp(ranks, axis=1) > 0).sum())
    return Ranked(n, k, tuple(ranks.mean(axis=0).tolist()), statistic, effective)


def row_ranks(values: Floats, better: str) -> Floats:
    """The rank of each value in its row, 1 the best; what differs by rounding alone is tied.

    >>> row_ranks(np.array([[0.1 + 0.2, 0.3, 0.5]]), "low")
    array([[1.5, 1.5, 3. ]])
    """
    from scipy.stats import rankdata

    signed = values if better == "low" else -values
    order = np.argsort(signed, axis=1, kind="stable")
    rising = np.take_along_axis(signed, order, axis=1)
    size = np.abs(values).max(axis=1, keepdims=True)
    step = np.diff(rising, axis=1, prepend=rising[:, :1]) > ROUNDING * size
    places = np.empty(values.shape, np.int64)
    np.put_along_axis(places, order, np.cumsum(step, axis=1), axis=1)
    found: Floats = rankdata(places, axis=1)
    return found
