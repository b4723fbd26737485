"""What the comparisons require of their arguments."""

from typing import Literal

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError, NotEnoughData

Floats = npt.NDArray[np.float64]
Better = Literal["high", "low"]
# Differences smaller than this share of the values are rounding, not differences.
ROUNDING = 16 * float(np.finfo(np.float64).eps)


def numbers(values: object, name: str) -> Floats:
    """The values as floats, all finite."""
    try:
        array = np.asarray(values, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}: expected numbers, got {values!r:.60}") from error
    bad = np.argwhere(~np.isfinite(array))
    if bad.size:
        place = f"[{', '.join(map(str, bad[0]))}]" if array.ndim else ""
        raise InputError(
            f"{name}{place} is {array[tuple(bad[0])]}: a comparison needs finite numbers; leave "
            "out that fold, row or data set in both models"
        )
    return array


def differences(a: object, b: object, least: int = 2, what: str = "value") -> tuple[Floats, float]:
    """The differences a - b, rounding set to 0, and the size of the values."""
    first, second = numbers(a, "a"), numbers(b, "b")
    plural = f"{what}es" if what.endswith("s") else f"{what}s"
    for name, values in (("a", first), ("b", second)):
        if values.ndim != 1:
            raise InputError(f"{name}: expected a list of {plural}, got shape {values.shape}")
    if first.size != second.size:
        raise InputError(
            f"a has {first.size} {plural}, b has {second.size}: pairs need one of each, "
            "in the same order"
        )
    if first.size < least:
        raise NotEnoughData(f"{first.size} pairs of {plural}: at least {least} are needed")
    size = float(max(np.abs(first).max(), np.abs(second).max()))
    return without_rounding(first - second, size), size


def without_rounding(difference: Floats, size: float) -> Floats:
    """The differences, with those that are only rounding of values of this size set to 0."""
    return np.where(np.abs(difference) <= ROUNDING * size, 0.0, difference)


def is_constant(difference: Floats, size: float) -> bool:
    """Whether the differences are all the same, up to rounding."""
    return bool(np.ptp(difference) <= ROUNDING * size)


def check_better(better: str) -> None:
    """Refuse directions other than high and low."""
    if better not in ("high", "low"):
        raise InputError(f"better={better!r}: choose 'high' (accuracy) or 'low' (error)")


def check_margin(margin: float) -> None:
    """Refuse equivalence margins below 0."""
    if not 0 <= margin < float("inf"):
        raise InputError(f"margin must be >= 0 and finite, got margin={margin}")


def test_ratio(n_train: object, n_test: object, splits: int) -> float:
    """n_test / n_train, averaged over the splits if they are given for each."""
    sizes = {"n_train": numbers(n_train, "n_train"), "n_test": numbers(n_test, "n_test")}
    for name, size in sizes.items():
        if size.ndim and size.shape != (splits,):
            raise InputError(f"{name}: give one number, or one for each of the {splits} splits")
        if not (size > 0).all():
            raise InputError(f"{name}={size.tolist()}: at least one row is needed")
    return float(np.mean(sizes["n_test"] / sizes["n_train"]))


def check_table(table: object) -> Floats:
    """The values of models (columns) on data sets (rows)."""
    values = numbers(table, "table")
    if values.ndim != 2 or values.shape[1] < 2:
        raise InputError(
            "table: expected rows (data sets) by columns (models, at least two), "
            f"got shape {values.shape}"
        )
    if values.shape[0] < 2:
        raise NotEnoughData("table: ranks need at least two data sets")
    return values


def few_pairs(effective: int) -> tuple[str, ...]:
    """A note where so few pairs differ that p is large even if all point the same way."""
    if not effective or 2.0 ** (1 - effective) < 0.05:
        return ()
    return (f"only {effective} pairs differ: no p below {2.0 ** (1 - effective):g} is possible",)
