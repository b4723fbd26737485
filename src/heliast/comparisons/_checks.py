"""What the comparisons ask of their arguments."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError, NotEnoughData

Floats = npt.NDArray[np.float64]
Better = Literal["high", "low"]
ROUNDING = 16 * float(np.finfo(np.float64).eps)
"""Differences smaller than this share of the values are rounding, not differences."""


def numbers(values: object, name: str) -> Floats:
    """The values as floats, all finite."""
    try:
        found = np.asarray(values, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}: expected numbers, got {_shown(values)}") from error
    bad = np.argwhere(~np.isfinite(found))
    if bad.size:
        place = ", ".join(str(i) for i in bad[0])
        at = f"{name}[{place}]" if place else name
        raise InputError(
            f"{at} is {found[tuple(bad[0])]}: a comparison needs a finite number at every place; "
            "leave out that fold, row or data set in both models"
        )
    return found


def differences(a: object, b: object, least: int = 2, what: str = "value") -> tuple[Floats, float]:
    """(a minus b, the size of the values), one difference a pair, rounding set to 0."""
    first, second = numbers(a, "a"), numbers(b, "b")
    many = f"{what}es" if what.endswith("s") else f"{what}s"
    for name, found in (("a", first), ("b", second)):
        if found.ndim != 1:
            raise InputError(f"{name}: expected a list of {many}, got shape {found.shape}")
    if first.size != second.size:
        raise InputError(
            f"a has {first.size} {many}, b has {second.size}: pairs need one of each, "
            "in the same order"
        )
    if first.size < least:
        raise NotEnoughData(
            f"{first.size} pair{'' if first.size == 1 else 's'} of {many}: "
            f"this comparison needs at least {least}"
        )
    size = float(max(np.abs(first).max(), np.abs(second).max()))
    return snapped(first - second, size), size


def snapped(difference: Floats, size: float) -> Floats:
    """The differences, with those that are only rounding of values of this size set to 0."""
    return np.where(np.abs(difference) <= ROUNDING * size, 0.0, difference)


def unvarying(difference: Floats, size: float) -> bool:
    """Whether the differences are all the same, up to rounding."""
    return bool(np.ptp(difference) <= ROUNDING * size)


def check_better(better: str) -> None:
    """Refuse directions other than high and low."""
    if better not in ("high", "low"):
        raise InputError(f"better={better!r}: choose 'high' (accuracy) or 'low' (error)")


def check_margin(margin: float) -> None:
    """Refuse margins that are no size of a difference."""
    if not 0 <= margin < float("inf"):
        raise InputError(f"margin={margin}: the largest difference that does not matter, 0 or more")


def share_of_tests(n_train: object, n_test: object, splits: int) -> float:
    """n_test / n_train, averaged over the splits if they are given for each."""
    train, test = numbers(n_train, "n_train"), numbers(n_test, "n_test")
    for name, found in (("n_train", train), ("n_test", test)):
        if found.ndim > 1 or (found.ndim == 1 and found.size != splits):
            raise InputError(f"{name}: give one number, or one for each of the {splits} splits")
        if not (found > 0).all():
            raise InputError(f"{name}={_shown(found.tolist())}: need at least one row")
    return float(np.mean(test / train))


def table_of(table: object, name: str = "table") -> Floats:
    """Rows are data sets (or test rows), columns models."""
    found = numbers(table, name)
    if found.ndim != 2 or found.shape[1] < 2:
        raise InputError(
            f"{name}: expected rows (data sets) by columns (models, at least two), "
            f"got shape {found.shape}"
        )
    if found.shape[0] < 2:
        raise NotEnoughData(f"{name}: {found.shape[0]} row; ranks need at least two data sets")
    return found


def too_few(effective: int) -> tuple[str, ...]:
    """What to say when so few pairs differ that even if all pointed one way p would be large."""
    if not effective or 2.0 ** (1 - effective) < 0.05:
        return ()
    return (f"only {effective} pairs differ: no p below {2.0 ** (1 - effective):g} is possible",)


def _shown(value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str) and len(value) > 4:
        return f"[{', '.join(repr(v) for v in value[:3])}, ...]"
    return repr(value)
