"""Student's t of row differences that may be skewed, come in groups, or be sampled by class."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import fsum, sqrt
from typing import Any

import numpy as np

from heliast._core.clusters import adjusted, equal_groups
from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike
from heliast._core.level import check_level, quantile
from heliast.comparisons._checks import Floats, differences, unvarying
from heliast.comparisons._paired import Paired
from heliast.comparisons._record import SAME, UNVARYING, TestResult
from heliast.comparisons._registry import ONE, Answer, Asked, comparison
from heliast.estimates import Misses, acceleration, dominated, misses_of, untwisted
from heliast.measures.forms import Mean

ALONE = "a class that counts has one row, which does not show how much it varies"


def skewed_t(
    a: ArrayLike,
    b: ArrayLike,
    level: float = 0.95,
    *,
    group: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    shares: Mapping[Any, float] | None = None,
) -> TestResult:
    """Whether the mean of per-row differences is 0, whatever their shape: any row loss, one set.

    With T = (mean - m) / se and c = skewness / sqrt(n), both T (Student) and
    T + c T^2/3 + c^2 T^3/27 + c/6 (Hall) are taken as Student's; p is the larger of the two,
    the interval has the outer ends of both. Student's alone rejects too much if differences are
    skewed, Hall's alone if tails are long on both sides. With groups, their sums take the place of
    rows (`_core.clusters.adjusted`), with one degree of freedom less than there are equal groups.
    Any measure can be tested by its value plus the influence of each row.

    Where each class was sampled on its own, with n_k rows of class k fixed beforehand, the mean
    difference in a population with shares pi_k is d = sum_k pi_k d_k, d_k the mean in class k.
    These are independent of each other, so that Var(d) = sum_k pi_k^2 s_k^2 / n_k, with s_k^2 the
    variance of the differences in class k (n_k - 1 in the denominator), and its degrees of freedom
    are Satterthwaite's: Var^2 / sum_k ((pi_k^2 s_k^2 / n_k)^2 / (n_k - 1)). How often each class
    turned up adds nothing, as nobody drew that.

    Parameters
    ----------
    a, b : array of float
        The losses of two models on the same rows, or any values whose means are compared.
    level : float
        The level of the interval.
    group : array, optional
        The group of each row, if rows of a group vary together.
    strata : array, optional
        The class of each row, if the number of rows per class was fixed.
    shares : mapping, optional
        The share of each class in the population; as in the rows if not given.

    Returns
    -------
    TestResult
        The mean difference a - b, its interval and p. All differences 0: p = 1; all the same
        otherwise: no p, with a reason.

    Raises
    ------
    InputError
        If values do not pair or are not finite, or groups, strata or shares do not fit them.

    Examples
    --------
    >>> skewed_t([0.9, 0.4, 0.7, 0.3, 0.8, 0.6], [0.5, 0.3, 0.6, 0.4, 0.2, 0.1])
    TestResult(0.2667 [-0.02788, 0.5534], p = 0.067, skewness-corrected t)
    >>> found = skewed_t([1, 3, 5, 9], [0, 0, 0, 0], strata="xxyy", shares={"x": 0.9, "y": 0.1})
    >>> found.value, round(found.value / found.statistic, 4)
    (2.5, 0.922)

    References
    ----------
    P. Hall (1992), On the removal of skewness by transformation, Journal of the Royal Statistical
    Society B 54; W. G. Cochran (1977), Sampling techniques, Wiley, sections 5.3 to 5.4.
    """
    check_level(level)
    return Skewed.of(a, b, group, strata, shares).at(level)


@dataclass(frozen=True)
class Skewed:
    """What the test needs of two models, whatever the level: worked out once a pair.

    `lean` is the skewness of the mean difference, worked where it is positive; `nothing` says that
    there is no interval, and what there is.
    """

    said: Mapping[str, Any]
    value: float = 0.0
    se: float = 0.0
    df: float = 1.0
    lean: float = 0.0
    differ: float = 0.0
    nothing: TestResult | None = None

    @classmethod
    def of(
        cls,
        a: ArrayLike,
        b: ArrayLike,
        group: ArrayLike | None = None,
        strata: ArrayLike | None = None,
        shares: Mapping[Any, float] | None = None,
    ) -> "Skewed":
        """From the losses of two models on the same rows; see `skewed_t`."""
        difference, size = differences(a, b, what="row loss")
        place, scale = _strata(strata, shares, difference.size)
        difference, size = scale * difference, size * float(np.max(scale))
        n, value = float(difference.size), fsum(difference) / difference.size
        said = {
            "method": "skewness-corrected t" + ("" if group is None else " by group"),
            "n": n, "test": "skewed_t",
        }  # fmt: skip
        if not difference.any():
            same = TestResult(1.0, 0.0, statistic=0.0, n_effective=0.0, flags=(SAME,))
            return cls(said, nothing=replace(same, reason=UNVARYING))
        # Worked where the mean is positive, rows in order: swaps and shuffles change nothing.
        sign = -1.0 if value < 0 else 1.0
        if place is None or group is not None:
            units, df = _units(_centred(sign * difference, abs(value), place), group)
        else:
            if (np.bincount(place)[scale[np.unique(place, return_index=True)[1]] > 0] < 2).any():
                return cls(said, nothing=TestResult(value=value, reason=ALONE))
            units, df = _in_strata(sign * difference, place)
        total = float((units**2).sum())
        if (place is None and unvarying(difference, size)) or total <= 1e-24 * size**2:
            swap = "test='permutation' asks how often swapping models row by row gives as much"
            return cls(said, nothing=TestResult(value=value, reason=f"{UNVARYING}; {swap}"))
        differ = float(np.count_nonzero(difference))
        return cls(said, value, sqrt(total) / n, df, 6 * acceleration(units), differ)

    def at(self, level: float) -> TestResult:
        """The test, with its interval at a level."""
        if self.nothing is not None:
            return replace(self.nothing, level=level, **self.said)
        size, lean = abs(self.value), self.lean
        p = max(_p(size / self.se, self.df, tilt) for tilt in (0.0, lean))
        q = quantile(level, self.df)
        low = size - self.se * max(q, untwisted(q, lean))
        high = size + self.se * max(q, -untwisted(-q, lean))
        low, high = (low, high) if self.value >= 0 else (-high, -low)
        return TestResult(
            p, self.value, low, high, self.value / self.se, self.df, n_effective=self.differ,
            notes=dominated(lean), level=level, **self.said,
        )  # fmt: skip


def _strata(
    strata: ArrayLike | None, shares: Mapping[Any, float] | None, n: int
) -> tuple[Array | None, Array]:
    """The place of each row's class, and what it counts so that a plain mean is the right one."""
    if strata is None:
        if shares is not None:
            raise InputError("shares: give strata=, the class of each row, too")
        return None, np.ones(1)
    names = np.array(list(strata)) if isinstance(strata, str) else np.asarray(strata)
    if names.shape != (n,):
        raise InputError(f"strata: shape {names.shape}, but there are {n} rows")
    known, place, size = np.unique(names, return_inverse=True, return_counts=True)
    if shares is None:
        return place, np.ones(n)
    listed = known.tolist()
    if set(listed) != set(shares) or abs(sum(shares.values()) - 1) > 1e-9:
        raise InputError(f"shares: give one for each of {listed}, together 1, got {dict(shares)}")
    return place, (np.array([float(shares[one]) for one in listed]) * n / size)[place]


def _centred(difference: Floats, mean: float, place: Array | None) -> Floats:
    if place is None:
        return difference - mean
    means = np.bincount(place, difference) / np.bincount(place)
    return difference - means[place]


def _in_strata(difference: Floats, place: Array) -> tuple[Array, float]:
    """Rows about the mean of their class, times sqrt(n_k / (n_k - 1)); Satterthwaite's df."""
    size = np.bincount(place)
    grown = _centred(difference, 0.0, place) * np.sqrt(size / np.maximum(size - 1, 1))[place]
    parts = np.bincount(place, grown**2)
    below = float((parts**2 / np.maximum(size - 1, 1)).sum())
    return np.sort(grown), float(parts.sum()) ** 2 / below if below > 0 else 1.0


def _units(centred: Floats, group: ArrayLike | None) -> tuple[Array, float]:
    """What varies on its own, so that the sum of squares over n^2 is the variance; its df."""
    if group is None:
        n = centred.size
        return np.sort(centred) * sqrt(n / (n - 1)), n - 1.0
    names = np.asarray(group)
    if names.shape != centred.shape:
        raise InputError(f"group: shape {names.shape}, but there are {centred.size} rows")
    place = np.unique(names, return_inverse=True)[1]
    rows = np.bincount(place)
    if rows.size < 2:
        raise InputError("group: all rows are in one group, so nothing varies on its own")
    return adjusted(np.bincount(place, weights=centred), rows), equal_groups(rows) - 1.0


def _p(t: float, df: float, lean: float) -> float:
    """Of Student's t, or of the transform that takes out its lean."""
    from scipy.special import stdtr

    twisted = t + lean * t**2 / 3 + lean**2 * t**3 / 27 + lean / 6
    return float(2 * stdtr(df, -abs(twisted)))


# --- as compare asks for it --------------------------------------------------------------------


def _no_influences(field: Paired) -> str:
    if field.influences is not None:
        return ""
    return (
        f"needs the influence of each row, which is not known for {field.measure.title}; "
        "test='bootstrap' takes any measure"
    )


def pairwise(field: Paired) -> Callable[[str, str], Skewed]:
    """What the test needs of any two models, each pair worked out once for all levels."""
    values, group, strata = field.influences or {}, field.group, field.strata

    @cache
    def found(a: str, b: str) -> Skewed:
        return Skewed.of(values[a], values[b], group, strata)

    return found


@comparison("skewed_t", (ONE,), auto=4, refuses=_no_influences)
def _skewed_t(field: Paired, asked: Asked) -> Answer:
    group, strata = field.group, field.strata
    plain, found, missed = _plain_losses(field), pairwise(field), _few_misses(field)

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        result = found(a, b).at(level)
        if missed.get(a) or missed.get(b):
            return _with_misses(result, field, (a, b), missed)
        if plain is None:
            return result
        alike = skewed_t(plain[a], plain[b], level, group=group)
        if not alike.p > result.p:
            return result
        if alike.p < 1 - level:
            return replace(result, p=alike.p)
        return replace(result, p=alike.p, low=min(result.low, 0.0), high=max(result.high, 0.0))

    what = "row losses" if field.losses is not None else "the influences of rows"
    by = "rows" if group is None else "groups"
    within = "" if strata is None else ", within classes"
    return Answer(pair, f"{what}: t of their differences by {by}{within}, corrected for skewness")


def _few_misses(field: Paired) -> dict[str, Misses]:
    """Of losses of forecasts: the models that missed too rarely to show what a miss costs."""
    if field.measure.needs != "probability":
        return {}
    forms = {model: one for model, one in field.forms.items() if isinstance(one, Mean)}
    found = {model: misses_of(form, field.rows[model]) for model, form in forms.items()}
    return {model: one for model, one in found.items() if one is not None}


def _with_misses(
    result: TestResult, field: Paired, models: tuple[str, str], missed: Mapping[str, Misses]
) -> TestResult:
    """At least what the misses not seen could make of each model's loss, as `assess` allows for.

    Two models of equal risk look different for sure where one errs rarely but dearly and none of
    its errors was seen. A difference is shown only if the better model does not miss so often that
    it loses as much as the other, by the score test.
    """
    a, b = models
    losses, level = (field.values[a], field.values[b]), result.level
    up, down = (
        one.loss(one.rates(level, one.n)[1]) - loss if (one := missed.get(model)) else 0.0
        for model, loss in zip(models, losses, strict=True)
    )
    low, high = result.value - max(0.0, down), result.value + max(0.0, up)
    better = missed.get(a if result.value < 0 else b)
    p = better.p(max(losses)) if better else 0.0
    return replace(
        result, p=float(np.fmax(result.p, p)),
        low=float(np.fmin(result.low, low)), high=float(np.fmax(result.high, high)),
    )  # fmt: skip


def _plain_losses(field: Paired) -> dict[str, Array] | None:
    """Of numbers: the errors whose means are equal just where the measure is, for RMSE and R2.

    Such a function of a mean is led astray by one large error, which moves its slope too.
    """
    if field.table.task != "regression" or field.losses is not None:
        return None
    power = 1 if field.measure.name == "rae" else 2
    return {m: np.abs(rows.y_pred - rows.y_true) ** power for m, rows in field.rows.items()}
