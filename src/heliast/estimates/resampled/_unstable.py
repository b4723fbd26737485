"""Models that depend much on their training rows: splits then vary more than their rows explain."""

from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from heliast._core.level import quantile

Array = npt.NDArray[Any]
NOTE = (
    "the value changes more from split to split than its rows explain: the model depends much on "
    "its training rows, and the interval may be too narrow; five times two folds cover better"
)
PRIOR = 10.0
"""What rows say of the spread over splits counts as so many splits."""
DOUBT, SURE = 0.90, 0.999
"""Between these probabilities that chance alone varies less, the spread over splits takes over."""
SAID = 0.95


@dataclass(frozen=True)
class Instability:
    """By which factor the variance grows, and whether the spread is more than chance (5%)."""

    factor: float = 1.0
    seen: bool = False


STABLE = Instability()


def instability(
    values: Array,
    *,
    plain: float,
    by_rows: float,
    ratio: float,
    level: float,
    kurtosis: float = 0.0,
) -> Instability:
    """How much more the splits' values vary than rows drawn at random would make them.

    `plain` is the variance of a split's value that its rows explain, `by_rows` the variance of the
    mean of all that is to be widened, `ratio` is n_test / n_train, `kurtosis` the excess of a
    split's value. With s^2 the variance over J splits, d = 2 / (2/(J-1) + kurtosis/J) are its
    degrees of freedom, and chi^2_d / d the law of s^2 / plain if rows explain it. Where that is
    doubtful, the variance moves from the rows' to that of the corrected t, s^2 (1/J + ratio), with
    s^2 shrunk towards `plain`, which counts as ten splits: three values alone tell hardly anything
    of a spread (as in G. K. Smyth 2004, Linear models and empirical Bayes methods, Statistical
    Applications in Genetics and Molecular Biology 3). The way is smooth, so that another seed of
    the splits gives much the same interval.

    >>> import numpy as np
    >>> steady = instability(np.array([0.2, 0.22, 0.18]), plain=4e-4, by_rows=2e-4, ratio=0.5,
    ...     level=0.95)
    >>> steady.factor
    1.0
    """
    from scipy.special import chdtr

    splits = values.size
    if splits < 2 or not (plain > 0 and by_rows > 0):
        return STABLE
    df = 2 / (2 / (splits - 1) + kurtosis / splits)
    excess = float(values.var(ddof=1)) / plain
    chance = float(chdtr(df, excess * df))
    weight = min(1.0, max(0.0, (chance - DOUBT) / (SURE - DOUBT)))
    if weight == 0:
        return STABLE
    shrunk = plain * (PRIOR + df * excess) / (PRIOR + df)
    longer = quantile(level, PRIOR + df) / quantile(level)
    wide = shrunk * (1 / splits + ratio) * longer**2
    return Instability(max(1.0, wide / by_rows) ** weight, chance > SAID)
