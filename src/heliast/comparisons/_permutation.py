"""The sign-flip permutation test of row differences."""

from dataclasses import replace
from math import fsum, isnan, nan
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import ArrayLike
from heliast._core.level import check_level
from heliast._kernels.bootstrap import mean_replicates
from heliast.comparisons._checks import ROUNDING, Floats, differences, too_few, unvarying
from heliast.comparisons._paired import Paired
from heliast.comparisons._record import SAME, UNVARYING, TestResult
from heliast.comparisons._registry import ONE, Answer, Asked, comparison
from heliast.estimates import acceleration, dominated, ends

EXACT = 16
"""Most pairs that differ for which all 2^m flips are taken."""
REPLICATES = 2000
FEW_ROWS = 20
_TABLES = 1024
Limits = tuple[float, float, tuple[str, ...], str]
NONE: Limits = (nan, nan, (), UNVARYING)


def permutation(
    a: ArrayLike, b: ArrayLike, seed: int = 0, permutations: int = 10_000, level: float = 0.95
) -> TestResult:
    """Whether the mean of per-row differences is 0: any row loss, two models, one test set.

    If the models are exchangeable at each row, the signs of the differences are fair coins. p is
    the share of flips whose mean is at least as far from 0: of all 2^m if m <= 16 pairs differ,
    else of random ones and the one seen, (1 + hits) / (1 + permutations). The interval is the BCa
    bootstrap of the mean difference (2,000 replicates). The order of the rows changes nothing, and
    swapping a and b only the sign.

    Parameters
    ----------
    a, b : array of float
        The losses of two models on the same rows.
    seed : int
        Seed of the flips and of the bootstrap.
    permutations : int
        How many random flips.
    level : float
        The level of the interval.

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
    total, n = fsum(difference), float(difference.size)  # whatever the order of the rows
    value = total / n
    sizes = np.sort(np.abs(difference[difference != 0]))[::-1]
    said: dict[str, Any] = {
        "level": level, "n": n, "n_effective": float(sizes.size), "test": "permutation",
    }  # fmt: skip
    if not sizes.size:
        return TestResult(
            1.0, 0.0, statistic=0.0, method="permutation", flags=(SAME,), reason=UNVARYING, **said
        )
    p, words = _p_value(sizes, abs(total), seed, int(permutations))
    same = unvarying(difference, size)
    low, high, notes, reason = NONE if same else _limits(difference, value, level, seed)
    return TestResult(
        p, value, low, high, value, method=f"permutation, {words}; BCa interval",
        notes=(*too_few(sizes.size), *notes), reason=reason, **said,
    )  # fmt: skip


def _p_value(sizes: Floats, seen: float, seed: int, permutations: int) -> tuple[float, str]:
    """(p, how), from the sizes of the differences alone."""
    least = seen - ROUNDING * sizes.size * float(sizes.max())
    if sizes.size <= EXACT:
        hits = np.count_nonzero(np.abs(_flipped(sizes)) >= least)
        return int(hits) / 2**sizes.size, "all flips"
    hits = np.count_nonzero(np.abs(_random_flips(sizes, seed, permutations)) >= least)
    return (1 + int(hits)) / (1 + permutations), f"{permutations} flips"


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


def _flipped(sizes: Floats) -> Floats:
    """The sums under all 2^m choices of signs."""
    sums = np.zeros(1)
    for one in sizes:
        sums = np.concatenate([sums + one, sums - one])
    return sums


def _limits(difference: Floats, value: float, level: float, seed: int) -> Limits:
    """BCa of the mean, worked where the mean is positive so that a swap mirrors it exactly."""
    sign = -1.0 if value < 0 else 1.0
    ordered = np.sort(sign * difference)
    means = mean_replicates(ordered, REPLICATES, seed)
    lean = acceleration(ordered - ordered.mean())
    low, high = ends(means, float(ordered.mean()), level, "bca", lean)
    if isnan(low):
        return nan, nan, (), "all bootstrap replicates lie on one side of the value"
    if sign < 0:
        low, high = -high, -low
    few = (f"{difference.size} rows: the bootstrap may cover too little",)
    return low, high, (few if difference.size < FEW_ROWS else ()) + dominated(6 * lean), ""


# --- as compare asks for it --------------------------------------------------------------------


def _no_losses(field: Paired) -> str:
    if field.losses is not None:
        return ""
    if field.fixed:
        return "flips rows drawn at random, but their numbers per class were fixed by design"
    return (
        f"needs a mean of row losses, which {field.measure.title} is not; "
        "test='bootstrap' takes any measure"
    )


@comparison("permutation", (ONE,), refuses=_no_losses)
def _permutation(field: Paired, asked: Asked) -> Answer:
    losses, group = field.losses or {}, field.group
    if group is not None:
        place = np.unique(group, return_inverse=True)[1]
        scale = (int(place.max()) + 1) / place.size  # the mean of these sums is that of the rows
        losses = {m: np.bincount(place, weights=one) * scale for m, one in losses.items()}
    n = float(field.rows[field.models[0]].n)

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        flips = 1 if again else 10_000
        return replace(permutation(losses[a], losses[b], asked.seed, flips, level), n=n)

    by = "rows" if group is None else "groups"
    return Answer(pair, f"a mean of row losses: sign flips of the differences of {by}")
