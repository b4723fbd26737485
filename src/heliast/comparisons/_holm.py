"""Holm's correction for several tests."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.level import check_level
from heliast._core.records import Shown, as_dict
from heliast.comparisons._checks import Floats


@dataclass(frozen=True)
class Adjusted(Shown):
    """Adjusted p values in the order given; it can be used as a list or an array of them.

    `levels` are interval levels that agree with the decisions: at that level an interval leaves
    0 out exactly where the adjusted p is below 1 - `level`. All intervals at `joint_level`
    (Bonferroni) hold all their values at once with at least `level`.
    """

    p: tuple[float, ...]
    levels: tuple[float, ...]
    joint_level: float
    level: float = 0.95
    method: str = "Holm"

    def to_dict(self) -> dict[str, object]:
        """The fields as plain values; what is undefined is None."""
        return as_dict(self)

    def __len__(self) -> int:
        return len(self.p)

    def __iter__(self) -> Iterator[float]:
        return iter(self.p)

    def __getitem__(self, place: int) -> float:
        return self.p[place]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return np.array(self.p, dtype=dtype)


def holm(p_values: object, level: float = 0.95) -> Adjusted:
    """p values adjusted so that any false finding among them is as rare as one (Holm 1979).

    The i-th smallest of m is multiplied by m - i + 1, made no smaller than those before it and at
    most 1. NaN (a test that could not be made) stays NaN and is not counted.

    >>> [round(p, 4) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    check_level(level)
    given = _checked(p_values)
    known = np.flatnonzero(~np.isnan(given))
    order = known[np.argsort(given[known], kind="stable")]
    m = order.size
    factors = np.arange(m, 0, -1)
    adjusted, levels = np.full(given.size, np.nan), np.full(given.size, np.nan)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(factors * given[order]))
    # After the first that is kept, the others are judged at its step.
    rejected = int((adjusted[order] < 1 - level).sum())
    levels[order] = 1 - (1 - level) / np.maximum(factors, m - rejected)
    joint = 1 - (1 - level) / m if m else level
    return Adjusted(tuple(adjusted.tolist()), tuple(levels.tolist()), joint, level)


def _checked(p_values: object) -> Floats:
    try:
        found = np.asarray(p_values, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError("p_values: expected numbers between 0 and 1") from error
    if found.ndim != 1:
        raise InputError(f"p_values: expected a list, got shape {found.shape}")
    outside = np.flatnonzero((found < 0) | (found > 1))
    if outside.size:
        first = int(outside[0])
        raise InputError(f"p_values[{first}]={found[first]:g}: a p value lies between 0 and 1")
    return found
