"""Row losses and influences on one test set: t corrected for skewness, permutation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import fsum, isnan, nan, sqrt
from typing import Any

import numpy as np

from heliast._core.clusters import adjusted, equal_groups
from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike
from heliast._core.level import check_level, quantile
from heliast._kernels.bootstrap import mean_replicates
from heliast.comparisons._checks import ROUNDING, Floats, differences, few_pairs, is_constant
from heliast.comparisons._paired import Paired
from heliast.comparisons._record import UNVARYING, TestResult, no_difference
from heliast.comparisons._registry import ONE, Answer, Asked, comparison
from heliast.estimates import Misses, acceleration, dominated, ends, misses_of, untwisted
from heliast.measures.forms import Mean

# Most pairs that differ for which all 2^m sign flips are taken.
EXACT = 16
REPLICATES, FEW_ROWS = 2000, 20
_TABLES = 1024


def independent_units(
    influence: Array, group: Array | None = None, strata: Array | None = None
) -> tuple[Array, float]:
    """Units that vary independently, so that their sum of squares is n^2 times a variance; its df.

    `influence` (n,) or (m, n) has mean 0, in each stratum where there are strata. Rows count
    sqrt(n/(n-1)) times, rows of a stratum likewise by their number, groups as their adjusted sums.
    """
    n = influence.shape[-1]
    if group is not None:
        place = np.unique(group, return_inverse=True)[1]
        size = np.bincount(place)
        sums = [np.bincount(place, weights=psi) for psi in np.atleast_2d(influence)]
        units = adjusted(np.stack(sums), size).reshape(*influence.shape[:-1], -1)
        return units, equal_groups(size) - 1.0
    if strata is None:
        return influence * sqrt(n / (n - 1)), n - 1.0
    place = np.unique(strata, return_inverse=True)[1]
    size = np.bincount(place)
    units = influence * np.sqrt(size / np.maximum(size - 1, 1))[place]
    # Satterthwaite's degrees of freedom.
    parts = np.bincount(place, np.atleast_2d(units)[0] ** 2)
    below = float((parts**2 / np.maximum(size - 1, 1)).sum())
    return units, float(parts.sum()) ** 2 / below if below > 0 else 1.0


def skewed_t(
    a: ArrayLike,
    b: ArrayLike,
    level: float = 0.95,
    *,
    group: ArrayLike | None = None,
    strata: ArrayLike | None = None,
) -> TestResult:
    """t test of the mean difference of row losses, corrected for skewness.

    With T = (mean - m) / se and c = skewness / sqrt(n), both T (Student) and
    T + c T^2/3 + c^2 T^3/27 + c/6 (Hall) are taken as Student's; p is the larger of the two,
    the interval has the outer limits of both. Student's alone rejects too much if differences are
    skewed, Hall's alone if tails are long on both sides. With groups, their sums take the place of
    rows, with one degree of freedom less than there are equal groups. Any measure can be tested by
    its value plus the influence of each row.

    Where each class was sampled on its own (`strata`), with n_k rows of class k fixed beforehand,
    the variance of the mean is sum_k n_k s_k^2 / n^2, s_k^2 the variance within class k, and its
    degrees of freedom are Satterthwaite's.

    Parameters
    ----------
    a, b : array of float
        The losses of two models on the same rows, or any values whose means are compared.
    level : float
        Confidence level of the interval.
    group : array, optional
        The group of each row, if rows of a group vary together.
    strata : array, optional
        The class of each row, if the number of rows per class was fixed.

    Returns
    -------
    TestResult
        The mean difference a - b, its interval and p. All differences 0: p = 1; all the same
        otherwise: no p, with a reason.

    Raises
    ------
    InputError
        If values do not pair or are not finite, or groups or strata do not fit them.

    Examples
    --------
    >>> skewed_t([0.9, 0.4, 0.7, 0.3, 0.8, 0.6], [0.5, 0.3, 0.6, 0.4, 0.2, 0.1])
    TestResult(0.2667 [-0.02788, 0.5534], p = 0.067, skewness-corrected t)
    >>> skewed_t([1, 3, 5, 9], [0, 0, 0, 0], strata=["x", "x", "y", "y"]).value
    4.5

    References
    ----------
    P. Hall (1992), On the removal of skewness by transformation, Journal of the Royal Statistical
    Society B 54; W. G. Cochran (1977), Sampling techniques, Wiley, sections 5.3 to 5.4.
    """
    check_level(level)
    return SkewedT.of(a, b, group, strata).at(level)


@dataclass(frozen=True)
class SkewedT:
    """The test of two models at any level. `result` has what does not depend on the level.

    `skewness` is that of the mean difference, taken where it is positive.
    """

    result: TestResult
    se: float = 0.0
    skewness: float = 0.0

    @classmethod
    def of(
        cls,
        a: ArrayLike,
        b: ArrayLike,
        group: ArrayLike | None = None,
        strata: ArrayLike | None = None,
    ) -> "SkewedT":
        """From the losses of two models on the same rows; see `skewed_t`."""
        difference, size = differences(a, b, what="row loss")
        n, value = difference.size, fsum(difference) / difference.size
        classes, groups = _names(strata, "strata", n), _names(group, "group", n)
        if groups is not None and np.unique(groups).size < 2:
            raise InputError("group: all rows are in one group, so nothing varies independently")
        words = "skewness-corrected t" + ("" if groups is None else " by group")
        fields: dict[str, Any] = {"method": words, "n": float(n), "test": "skewed_t"}
        if not difference.any():
            return cls(no_difference(n_effective=0.0, **fields))
        # With the mean positive and rows sorted, swaps and shuffles change nothing.
        sign = -1.0 if value < 0 else 1.0
        centred = sign * difference - abs(value)
        if classes is not None:
            place = np.unique(classes, return_inverse=True)[1]
            counts = np.bincount(place)
            if groups is None and (counts < 2).any():
                why = "a class has one row, which does not show how much it varies"
                return cls(TestResult(value=value, reason=why, **fields))
            centred = sign * difference - (np.bincount(place, sign * difference) / counts)[place]
        units, df = independent_units(centred, groups, classes)
        units = np.sort(units) if groups is None else units
        total = float((units**2).sum())
        if (classes is None and is_constant(difference, size)) or total <= 1e-24 * size**2:
            why = f"{UNVARYING}; test='permutation' swaps models row by row"
            return cls(TestResult(value=value, reason=why, **fields))
        se, skewness = sqrt(total) / n, 6 * acceleration(units)
        differing = float(np.count_nonzero(difference))
        result = TestResult(
            value=value, statistic=value / se, df=df, n_effective=differing,
            notes=dominated(skewness), **fields,
        )  # fmt: skip
        return cls(result, se, skewness)

    def at(self, level: float) -> TestResult:
        """The test, with its interval at a level."""
        from scipy.special import stdtr

        result = replace(self.result, level=level)
        if not self.se:
            return result
        assert isinstance(result.df, float)
        size, df, c = abs(result.value), result.df, self.skewness
        t = size / self.se
        hall = t + c * t**2 / 3 + c**2 * t**3 / 27 + c / 6
        q = quantile(level, df)
        low = size - self.se * max(q, untwisted(q, c))
        high = size + self.se * max(q, -untwisted(-q, c))
        low, high = (low, high) if result.value >= 0 else (-high, -low)
        p = float(2 * stdtr(df, -min(t, abs(hall))))
        return replace(result, p=p, low=low, high=high)


def _names(names: ArrayLike | None, what: str, n: int) -> Array | None:
    if names is None:
        return None
    array = np.asarray(names)
    if array.shape != (n,):
        raise InputError(f"{what}: shape {array.shape}, but there are {n} rows")
    return array


def permutation(
    a: ArrayLike, b: ArrayLike, seed: int = 0, permutations: int = 10_000, level: float = 0.95
) -> TestResult:
    """Permutation test that the mean of per-row differences is 0, by sign flips.

    If the models are exchangeable at each row, the signs of the differences are fair coins. p is
    the share of flips whose mean is at least as far from 0: of all 2^m if m <= 16 pairs differ,
    else of random ones and the one observed, (1 + hits) / (1 + permutations). The interval is the
    BCa bootstrap of the mean difference (2,000 replicates). The order of the rows changes nothing,
    and swapping a and b only the sign.

    Parameters
    ----------
    a, b : array of float
        The losses of two models on the same rows.
    seed : int
        Seed of the flips and of the bootstrap.
    permutations : int
        How many random flips.
    level : float
        Confidence level of the interval.

    Returns
    -------
    TestResult
        The mean difference a - b, its interval and p.

    Raises
    ------
    InputError
        If values do not pair or are not finite, or there is no flip.

    Examples
    --------
    >>> permutation([0.9, 0.4, 0.7, 0.3, 0.8, 0.6], [0.5, 0.3, 0.6, 0.4, 0.2, 0.1]).p
    0.125

    References
    ----------
    R. A. Fisher (1935), The design of experiments, Oliver and Boyd; P. Good (2005), Permutation,
    parametric and bootstrap tests of hypotheses, Springer.
    """
    check_level(level)
    if permutations < 1 or permutations != int(permutations):
        raise InputError(f"permutations={permutations}: draw a whole number, at least one")
    difference, size = differences(a, b, what="row loss")
    total = fsum(difference)  # whatever the order of the rows
    value, n = total / difference.size, float(difference.size)
    sizes = np.sort(np.abs(difference[difference != 0]))[::-1]
    fields: dict[str, Any] = {
        "level": level, "n": n, "n_effective": float(sizes.size), "test": "permutation",
    }  # fmt: skip
    if not sizes.size:
        return no_difference(method="permutation", **fields)
    exact = sizes.size <= EXACT
    sums = _all_flips(sizes) if exact else _random_flips(sizes, seed, int(permutations))
    hits = int(np.count_nonzero(np.abs(sums) >= abs(total) - ROUNDING * sizes.size * sizes.max()))
    p = hits / sums.size if exact else (1 + hits) / (1 + sums.size)
    words = "all flips" if exact else f"{permutations} flips"
    low, high, reason, notes = nan, nan, UNVARYING, few_pairs(sizes.size)
    if not is_constant(difference, size):
        low, high, reason, more = _bca(difference, value, level, seed)
        notes += more
    return TestResult(
        p, value, low, high, value, method=f"permutation, {words}; BCa interval", notes=notes,
        reason=reason, **fields,
    )  # fmt: skip


def _random_flips(sizes: Floats, seed: int, permutations: int) -> Floats:
    """Sums under random signs; eight rows at a time, a random byte picks one of 256 sums."""
    rng = np.random.default_rng(seed)
    signs = 1.0 - 2 * np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)
    eights = np.pad(sizes, (0, -sizes.size % 8)).reshape(-1, 8)
    sums = np.zeros(permutations)
    for start in range(0, len(eights), _TABLES):
        for table in eights[start : start + _TABLES] @ signs.T:
            sums += table[np.frombuffer(rng.bytes(permutations), np.uint8)]
    return sums


def _all_flips(sizes: Floats) -> Floats:
    """The sums under all 2^m choices of signs."""
    sums = np.zeros(1)
    for size in sizes:
        sums = np.concatenate([sums + size, sums - size])
    return sums


def _bca(
    difference: Floats, value: float, level: float, seed: int
) -> tuple[float, float, str, tuple[str, ...]]:
    """BCa of the mean, taken where the mean is positive so that a swap mirrors it exactly."""
    sign = -1.0 if value < 0 else 1.0
    ordered = np.sort(sign * difference)
    means = mean_replicates(ordered, REPLICATES, seed)
    skew = acceleration(ordered - ordered.mean())
    low, high = ends(means, float(ordered.mean()), level, "bca", skew)
    if isnan(low):
        return nan, nan, "all bootstrap replicates lie on one side of the value", ()
    if sign < 0:
        low, high = -high, -low
    few = (f"{difference.size} rows: the bootstrap may cover too little",)
    return low, high, "", (few if difference.size < FEW_ROWS else ()) + dominated(6 * skew)


# --- for compare -------------------------------------------------------------------------------


def no_influences(field: Paired) -> str:
    """Why a measure cannot be tested by the influences of rows; empty if it can."""
    if field.influences is not None:
        return ""
    return (
        f"needs the influence of each row, which is not known for {field.measure.title}; "
        "test='bootstrap' takes any measure"
    )


def skewed_t_of(field: Paired) -> Callable[[str, str], SkewedT]:
    """The test of any two models, each pair computed once for all levels."""
    values = field.influences or {}
    return cache(lambda a, b: SkewedT.of(values[a], values[b], field.group, field.strata))


@comparison("skewed_t", (ONE,), auto=4, refuses=no_influences)
def _skewed_t(field: Paired, asked: Asked) -> Answer:
    tests, errors, missed = skewed_t_of(field), _errors(field), _few_misses(field)

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        result = tests(a, b).at(level)
        if missed.get(a) or missed.get(b):
            return _with_misses(result, field, (a, b), missed)
        if errors is None:
            return result
        p = skewed_t(errors[a], errors[b], level, group=field.group).p
        if not p > result.p:
            return result
        if p < 1 - level:
            return replace(result, p=p)
        return replace(result, p=p, low=min(result.low, 0.0), high=max(result.high, 0.0))

    what = "row losses" if field.losses is not None else "the influences of rows"
    by = "rows" if field.group is None else "groups"
    within = "" if field.strata is None else ", within classes"
    return Answer(pair, f"{what}: t of their differences by {by}{within}, corrected for skewness")


def _errors(field: Paired) -> dict[str, Array] | None:
    """Of RMSE, R2 and their kin: the errors whose means are equal just where the measure is.

    Such a function of a mean is misled by one large error, which moves its slope too.
    """
    if field.table.task != "regression" or field.losses is not None:
        return None
    power = 1 if field.measure.name == "rae" else 2
    return {m: np.abs(rows.y_pred - rows.y_true) ** power for m, rows in field.rows.items()}


def _few_misses(field: Paired) -> dict[str, Misses]:
    """Of losses of probabilities: the models that missed too rarely to show what a miss costs."""
    if field.measure.needs != "probability":
        return {}
    forms = {model: form for model, form in field.forms.items() if isinstance(form, Mean)}
    misses = {model: misses_of(form, field.rows[model]) for model, form in forms.items()}
    return {model: few for model, few in misses.items() if few is not None}


def _with_misses(
    result: TestResult, field: Paired, models: tuple[str, str], missed: Mapping[str, Misses]
) -> TestResult:
    """At least what unseen misses could make of each model's loss, as `assess` allows for.

    Two models of equal risk look different where one errs rarely but at a high cost and none of
    its errors was observed. A difference is significant only if the better model does not miss so
    often that it loses as much as the other, by the score test.
    """
    up = dict.fromkeys(models, 0.0)
    for model in missed.keys() & up.keys():
        few = missed[model]
        up[model] = max(0.0, few.loss(few.rates(result.level, few.n)[1]) - field.values[model])
    a, b = models
    better = missed.get(a if result.value < 0 else b)
    p = better.p(max(field.values[a], field.values[b])) if better else 0.0
    return replace(
        result, p=float(np.fmax(result.p, p)),
        low=float(np.fmin(result.low, result.value - up[b])),
        high=float(np.fmax(result.high, result.value + up[a])),
    )  # fmt: skip


def _no_losses(field: Paired) -> str:
    if field.strata is not None:
        return "flips rows drawn at random, but their numbers per class were fixed by design"
    if field.losses is not None:
        return ""
    return (
        f"needs a mean of row losses, which {field.measure.title} is not; "
        "test='bootstrap' takes any measure"
    )


@comparison("permutation", (ONE,), refuses=_no_losses)
def _permutation(field: Paired, asked: Asked) -> Answer:
    losses, group, n = field.losses or {}, field.group, float(field.shared.n)
    if group is not None:
        place = np.unique(group, return_inverse=True)[1]
        scale = (int(place.max()) + 1) / n  # the mean of these sums is that of the rows
        losses = {m: np.bincount(place, weights=loss) * scale for m, loss in losses.items()}

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        flips = 1 if again else 10_000
        return replace(permutation(losses[a], losses[b], asked.seed, flips, level), n=n)

    by = "rows" if group is None else "groups"
    return Answer(pair, f"a mean of row losses: sign flips of the differences of {by}")
