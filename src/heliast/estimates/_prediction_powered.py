"""A judge grades all items and people some: the mean that people would give, with its interval."""

from dataclasses import dataclass, replace
from math import inf, nan, sqrt
from typing import Any

import numpy as np

from heliast._core.clusters import equal_groups, few, sizes, too_few
from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike
from heliast._core.level import check_level, quantile
from heliast._core.proportions import wilson_limits
from heliast._core.records import Shown
from heliast.estimates._scales import untwisted
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
    grades_to_halve : float
        Human grades in all with which the interval would be half as long; infinite where no number
        of them would do, as what is left comes from too few items.
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
    grades_to_halve: float = nan
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
    """The mean of human grades where people graded some items and a judge, that errs, all.

    With y the human and f the judge's grades, theta = mean over the items of people of (y - l f)
    plus l times the mean of f over the others: whatever the judge's errors are, theta is right on
    average, if the items of people were drawn at random. l = cov(y, f) / ((1 + n/N) var f), between
    0 and 1, makes it vary least (PPI++). The variance is var(y - l f)/n + l^2 var(f)/N; with
    groups, that of their sums. `auto` has Student's quantile, allows for the fitted l and, by
    Hall's transformation, for skewness, and for grades of 0 and 1 gives Wilson's limits with as
    many rows as that variance is worth; where the human grades alone have the shorter interval, it
    is theirs.

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
    return _found(f, y, codes, level, bounds, interval)


def _grades(values: ArrayLike, name: str, missing: bool = False) -> Array:
    try:
        found = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name}: expected one number an item") from None
    wrong = np.isinf(found) if missing else ~np.isfinite(found)
    if found.ndim != 1 or wrong.any():
        where = f" (item {int(np.flatnonzero(wrong)[0])})" if found.ndim == 1 else ""
        raise InputError(f"{name}: expected one finite number an item{where}")
    return found


def _found(
    f: Array,
    y: Array,
    group: Array | None,
    level: float,
    bounds: tuple[float, float] | None,
    interval: str,
) -> PredictionPowered:
    graded = ~np.isnan(y)
    both = np.concatenate([f, y[graded]])
    whole = bounds or ((0.0, 1.0) if both.min() >= 0 and both.max() <= 1 else (-inf, inf))
    binary = bool(np.isin(y[graded], (0.0, 1.0)).all()) and whole == (0.0, 1.0)
    n, others = int(graded.sum()), int((~graded).sum())
    share = _tuned(y[graded], f[graded], f[~graded])
    made = PredictionPowered(
        _mean(share, f, y, graded), level=level, n=float(n), n_judge=float(others),
        weight_of_judge=share, judge=float(f.mean()), human=float(y[graded].mean()),
        bias=float((f - y)[graded].mean()), agreement=float((f == y)[graded].mean()),
    )  # fmt: skip
    why = f"{n} human grades: an interval needs at least {FEWEST}" if n < FEWEST else ""
    notes: tuple[str, ...] = ()
    if group is not None:
        size = sizes(group[graded])
        why, notes = (
            why or too_few(size, "an interval"),
            few(size, "the interval may be too narrow"),
        )
    if why:
        return replace(made, reason=why)
    part = _Part(f, y, graded, group, level, whole, binary)
    if interval == "normal":
        return replace(made, **part.published(share), notes=notes)
    alone, own = part.limits(0.0), part.limits(share)
    humans = {"human_low": alone["low"], "human_high": alone["high"]}
    if not own["high"] - own["low"] < alone["high"] - alone["low"]:
        return replace(
            made, **alone, **humans, weight_of_judge=0.0,
            grades_to_halve=part.to_halve(), notes=(*notes, ALONE),
        )  # fmt: skip
    return replace(made, **own, **humans, grades_to_halve=part.to_halve(), notes=notes)


def _tuned(y: Array, f: Array, others: Array) -> float:
    """PPI++: the weight of the judge with which the corrected mean varies least, 0 to 1."""
    if not others.size or y.size < 2:
        return 0.0
    spread = float(np.concatenate([f, others]).var(ddof=1))
    together = float(((y - y.mean()) * (f - f.mean())).mean())
    found = together / ((1 + y.size / others.size) * spread) if spread > 0 else 0.0
    return min(1.0, max(0.0, found))


def _mean(share: float, f: Array, y: Array, graded: Array) -> float:
    own = float((y - share * f)[graded].mean())
    return own + (share * float(f[~graded].mean()) if share else 0.0)


class _Part:
    """All grades, and what they say with any weight of the judge."""

    def __init__(
        self,
        f: Array,
        y: Array,
        graded: Array,
        group: Array | None,
        level: float,
        bounds: tuple[float, float],
        binary: bool,
    ) -> None:
        self.f, self.y, self.graded, self.group = f, y, graded, group
        self.level, self.bounds, self.binary = level, bounds, binary
        self.n, self.others = int(graded.sum()), int((~graded).sum())

    def rest(self, share: float) -> Array:
        """What the judge leaves to people, item by item."""
        rest: Array = (self.y - share * self.f)[self.graded]
        return rest

    def variances(self, share: float) -> tuple[float, float]:
        """That of the items of people, with a degree less for the fitted weight, and of others."""
        rest, fitted = self.rest(share), 2 if share else 1
        squares = float(((rest - rest.mean()) ** 2).sum())
        if self.binary and share:
            # A judge that errs seldom, or to one side, may err otherwise on the next items: half
            # an item more of each kind of error.
            squares += (1 + share**2) / 2
        own = squares / (self.n - fitted)
        other = share**2 * float(self.f[~self.graded].var(ddof=1)) if share else 0.0
        return own, other

    def spread(self, share: float) -> tuple[float, float]:
        """The variance of the corrected mean, and its degrees of freedom."""
        own, other = self.variances(share)
        first, second = own / self.n, other / self.others if share else 0.0
        total = first + second
        if self.group is None:
            parts = first**2 / (self.n - 1) + (second**2 / (self.others - 1) if share else 0.0)
            return total, total**2 / parts if parts > 0 else inf
        sums = self.units(share)
        there = sizes(self.group[self.graded])
        worth, count = equal_groups(there), np.count_nonzero(sums) or 1
        return max(float((sums**2).sum()) * count / max(1, count - 1), total), worth - 1

    def units(self, share: float) -> Array:
        """What varies on its own, as far as it moves the corrected mean: items, or groups."""
        rest = self.rest(share)
        own = (rest - rest.mean()) / self.n
        f = self.f[~self.graded] if share else self.f[:0]
        far = share * (f - f.mean()) / self.others if share else f
        if self.group is None:
            return np.concatenate([own, far])
        mine, theirs = self.group[self.graded], self.group[~self.graded][: f.size]
        return np.bincount(np.concatenate([mine, theirs]), np.concatenate([own, far]))

    def limits(self, share: float) -> dict[str, Any]:
        """Value, interval and method with this weight of the judge."""
        value = _mean(share, self.f, self.y, self.graded)
        variance, df = self.spread(share)
        named = "prediction-powered" if share else "human grades alone"
        low, high = self.bounds
        if self.binary and 0 < value < 1 and variance > 0:
            worth = value * (1 - value) / variance
            ends = wilson_limits(np.array([value]), np.array([worth]), self.level, df)
            found = float(ends[0][0]), float(ends[1][0])
            method = f"{named}, Wilson with {worth:.0f} rows"
        elif self.binary and not share:
            ends = wilson_limits(np.array([value]), np.array([float(self.n)]), self.level, df)
            found = float(ends[0][0]), float(ends[1][0])
            method = f"{named}, Wilson"
        else:
            # Few grades of a skewed law: the outer ends of Student's and of Hall's limits.
            q, lean, se = (
                quantile(self.level, df),
                6 * acceleration(self.units(share)),
                sqrt(variance),
            )
            found = (
                value - se * max(q, untwisted(q, lean)),
                value + se * max(q, -untwisted(-q, lean)),
            )
            method = f"{named}, skewness-corrected t"
        return {
            "value": value, "low": max(low, found[0]), "high": min(high, found[1]),
            "se": sqrt(variance), "method": method,
        }  # fmt: skip

    def published(self, share: float) -> dict[str, Any]:
        """The interval as PPI++ has it: normal, with variances over n."""
        first = float(self.rest(share).var()) / self.n
        second = share**2 * float(self.f[~self.graded].var()) / self.others if share else 0.0
        value, se = _mean(share, self.f, self.y, self.graded), sqrt(first + second)
        half = quantile(self.level) * se
        return {"value": value, "low": value - half, "high": value + half, "se": se,
                "method": "prediction-powered, normal"}  # fmt: skip

    def to_halve(self) -> float:
        """Human grades in all that halve the interval, the judge's weight tuned anew.

        With T items and r the correlation of both grades, the variance with n human grades is
        var(y) ((1 - r^2)/n + r^2/T).
        """
        y, f = self.y[self.graded], self.f[self.graded]
        total, spread = self.n + self.others, float(y.std() * f.std())
        r2 = (float(((y - y.mean()) * (f - f.mean())).mean()) / spread) ** 2 if spread > 0 else 0.0
        goal = ((1 - r2) / self.n + r2 / total) / 4 - r2 / total
        needed = (1 - r2) / goal if goal > 0 else inf
        return float(np.ceil(needed)) if needed <= total else inf
