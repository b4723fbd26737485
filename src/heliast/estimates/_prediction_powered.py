"""Prediction-powered inference: an imperfect judge grades all items and people some."""

from dataclasses import dataclass, replace
from math import inf, nan, sqrt

import numpy as np

from heliast._core.clusters import equal_groups, few, sizes, too_few
from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike
from heliast._core.level import check_level
from heliast._core.proportions import wilson_limits
from heliast._core.records import Shown
from heliast.estimates._scales import Bounds, clipped, mean_limits
from heliast.estimates._spread import acceleration

FEWEST = 30
"""Below this many human grades no interval is given."""
ALONE = "the human grades alone are surer"


@dataclass(frozen=True)
class PredictionPowered(Shown):
    """The mean that people would give all items, from their grades of some and a judge's of all.

    Parameters
    ----------
    value, low, high, se : float
        The corrected mean, its interval and its standard error.
    level : float
        The confidence level.
    method : str
        How the interval was found.
    n, n_judge : float
        The items graded by people, and those graded by the judge alone.
    weight_of_judge : float
        How much the judge counts (lambda): 0 is not at all, 1 fully.
    judge, bias : float
        The mean of the judge's grades, and by how much it is above that of people on their items.
    human, human_low, human_high : float
        What the human grades say alone.
    agreement : float
        The share of items with both grades on which these are equal.
    notes : tuple of str
        Caveats.
    reason : str
        Why there is no interval.

    Examples
    --------
    >>> PredictionPowered(0.8, 0.75, 0.85, n=100, n_judge=900).n
    100
    """

    value: float
    low: float = nan
    high: float = nan
    se: float = nan
    level: float = 0.95
    method: str = ""
    n: float = nan
    n_judge: float = nan
    weight_of_judge: float = nan
    judge: float = nan
    bias: float = nan
    human: float = nan
    human_low: float = nan
    human_high: float = nan
    agreement: float = nan
    notes: tuple[str, ...] = ()
    reason: str = ""


def prediction_powered(
    judge: ArrayLike,
    human: ArrayLike,
    level: float = 0.95,
    *,
    group: ArrayLike | None = None,
    bounds: tuple[float, float] | None = None,
    interval: str = "auto",
) -> PredictionPowered:
    """Prediction-powered mean of human grades: people graded some items, an imperfect judge all.

    With y the human and f the judge's grades, theta = mean over the items of people of (y - l f)
    plus l times the mean of f over the others: whatever the judge's errors are, theta is right on
    average, if the items of people were drawn at random. l = cov(y, f) / ((1 + n/N) var f), between
    0 and 1, makes it vary least (PPI++). The variance is var(y - l f)/n + l^2 var(f)/N; with
    groups, that of their sums. `auto` has Student's quantile, allows for the fitted l and, by
    Hall's transformation, for skewness, and for grades of 0 and 1 gives Wilson's limits with as
    many rows as that variance is worth. A judge of no use has l = 0, and the interval is that of
    the human grades alone.

    For the difference of two models give the differences of their grades, item by item.

    Parameters
    ----------
    judge : array of float
        The judge's grade of every item.
    human : array of float
        The human grade of some items; NaN (or None) elsewhere.
    level : float
        The confidence level.
    group : array-like, optional
        Which items belong together, such as those of one document.
    bounds : pair of float, optional
        Between which values grades lie; limits are cut there. 0 and 1, if no grade is outside.
    interval : {"auto", "normal"}
        `normal` is the interval as published, theta -+ z se.

    Returns
    -------
    PredictionPowered
        The corrected mean with its interval, beside what the human grades say alone.

    Raises
    ------
    InputError
        If grades are no numbers, not aligned, or no item has a human grade.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> truth = (rng.random(2000) < 0.7).astype(float)
    >>> judge = np.where(rng.random(2000) < 0.1, 1 - truth, truth)
    >>> human = np.where(np.arange(2000) < 200, truth, np.nan)
    >>> found = prediction_powered(judge, human)
    >>> found.human_high - found.human_low > found.high - found.low
    True

    References
    ----------
    A. N. Angelopoulos, S. Bates, C. Fannjiang, M. I. Jordan and T. Zrnic (2023), Prediction-powered
    inference, Science 382. A. N. Angelopoulos, J. C. Duchi and T. Zrnic (2023), PPI++: efficient
    prediction-powered inference, arXiv:2311.01453.
    """
    check_level(level)
    if interval not in ("auto", "normal"):
        raise InputError(f"interval={interval!r}: choose 'auto' or 'normal'")
    f, y = _grades(judge, "judge"), _grades(human, "human", missing=True)
    codes = None if group is None else np.unique(np.asarray(group), return_inverse=True)[1]
    if f.size != y.size or (codes is not None and codes.size != f.size):
        raise InputError(f"judge has {f.size} grades, human {y.size}; they must be aligned")
    if np.isnan(y).all():
        raise InputError("human: no item has a human grade; give some, drawn at random")
    grades = _Grades(f, y, codes)
    share = grades.tuned()
    both, own = ~np.isnan(y), y[~np.isnan(y)]
    answer = PredictionPowered(
        grades.mean(share), level=level, n=float(own.size), n_judge=float(y.size - own.size),
        weight_of_judge=share, judge=float(f.mean()), human=float(own.mean()),
        bias=float((f - y)[both].mean()), agreement=float((f == y)[both].mean()),
    )  # fmt: skip
    why = f"{own.size} human grades: an interval needs at least {FEWEST}"
    why = "" if own.size >= FEWEST else why
    notes: tuple[str, ...] = ()
    if codes is not None:
        size = sizes(codes[both])
        why = why or too_few(size, "an interval")
        notes = few(size, "the interval may be too narrow")
    if why:
        return replace(answer, reason=why)
    if interval == "normal":
        se = sqrt(grades.published_variance(share))
        low, high = mean_limits(answer.value, se, level)
        method = "prediction-powered, normal"
        return replace(answer, low=low, high=high, se=se, method=method, notes=notes)
    in_unit = min(f.min(), own.min()) >= 0 and max(f.max(), own.max()) <= 1
    bounds = bounds or ((0.0, 1.0) if in_unit else (-inf, inf))
    low, high, se, method = grades.limits(share, level, bounds)
    alone = grades.limits(0.0, level, bounds)
    return replace(
        answer, low=low, high=high, se=se, method=method, human_low=alone[0], human_high=alone[1],
        notes=notes if share else (*notes, ALONE),
    )  # fmt: skip


def _grades(values: ArrayLike, name: str, missing: bool = False) -> Array:
    try:
        grades = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name}: expected one number an item") from None
    wrong = np.isinf(grades) if missing else ~np.isfinite(grades)
    if grades.ndim != 1 or wrong.any():
        where = f" (item {int(np.flatnonzero(wrong)[0])})" if grades.ndim == 1 else ""
        raise InputError(f"{name}: expected one finite number an item{where}")
    return grades


class _Grades:
    """The grades of people and judge on the items of people, and the judge's of the others."""

    def __init__(self, judge: Array, human: Array, group: Array | None) -> None:
        both = ~np.isnan(human)
        self.y, self.f, self.others = human[both], judge[both], judge[~both]
        self.n, self.m = self.y.size, self.others.size
        self.group = None if group is None else (group[both], group[~both])

    def tuned(self) -> float:
        """PPI++: the weight of the judge with which the corrected mean varies least, 0 to 1."""
        if not self.m or self.n < 2:
            return 0.0
        spread = float(np.concatenate([self.f, self.others]).var(ddof=1))
        together = float(((self.y - self.y.mean()) * (self.f - self.f.mean())).mean())
        share = together / ((1 + self.n / self.m) * spread) if spread > 0 else 0.0
        return min(1.0, max(0.0, share))

    def mean(self, share: float) -> float:
        own = float((self.y - share * self.f).mean())
        return own + (share * float(self.others.mean()) if share else 0.0)

    def published_variance(self, share: float) -> float:
        """As PPI++ has it, with variances over n."""
        own = float((self.y - share * self.f).var()) / self.n
        return own + (share**2 * float(self.others.var()) / self.m if share else 0.0)

    def variance(self, share: float, binary: bool) -> tuple[float, float]:
        """The variance of the corrected mean, and its degrees of freedom."""
        rest, fitted = self.y - share * self.f, 2 if share else 1
        squares = float(((rest - rest.mean()) ** 2).sum())
        if binary and share:
            # A judge that errs seldom, or to one side, may err otherwise on the next items: half
            # an item more of each kind of error.
            squares += (1 + share**2) / 2
        own = squares / (self.n - fitted) / self.n
        other = share**2 * float(self.others.var(ddof=1)) / self.m if share else 0.0
        if self.group is None:
            parts = own**2 / (self.n - 1) + (other**2 / (self.m - 1) if share else 0.0)
            return own + other, (own + other) ** 2 / parts if parts > 0 else inf
        units = self.units(share)
        count = np.count_nonzero(units) or 1
        by_group = float((units**2).sum()) * count / max(1, count - 1)
        return max(by_group, own + other), equal_groups(sizes(self.group[0])) - 1

    def units(self, share: float) -> Array:
        """What varies on its own, as far as it moves the corrected mean: items, or groups."""
        rest = self.y - share * self.f
        others = self.others if share else self.others[:0]
        own = (rest - rest.mean()) / self.n
        far = share * (others - others.mean()) / self.m if share else others
        parts = np.concatenate([own, far])
        if self.group is None:
            return parts
        return np.bincount(np.concatenate([self.group[0], self.group[1][: far.size]]), parts)

    def limits(self, share: float, level: float, bounds: Bounds) -> tuple[float, float, float, str]:
        """Interval, standard error and method with this weight of the judge."""
        binary = bool(np.isin(self.y, (0.0, 1.0)).all()) and bounds == (0.0, 1.0)
        value, (variance, df) = self.mean(share), self.variance(share, binary)
        name = "prediction-powered" if share else "human grades alone"
        varies = 0 < value < 1 and variance > 0
        if binary and (varies or not share):
            n = value * (1 - value) / variance if varies else float(self.n)
            low, high = wilson_limits(value, n, level, df)
            method = f"{name}, Wilson with {n:.0f} rows"
        else:
            # Few grades of a skewed law: the outer ends of Student's and of Hall's limits.
            skewness, se = 6 * acceleration(self.units(share)), sqrt(variance)
            both = [mean_limits(value, se, level, df, tilt) for tilt in (0.0, skewness)]
            low, high = min(both[0][0], both[1][0]), max(both[0][1], both[1][1])
            method = f"{name}, skewness-corrected t"
        return *clipped(low, high, bounds), sqrt(variance), method
