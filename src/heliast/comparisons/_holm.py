"""Holm's correction for several tests."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.kinds import ArrayLike
from heliast._core.level import check_level
from heliast._core.records import Shown
from heliast.comparisons._checks import Floats


@dataclass(frozen=True)
class Adjusted(Shown):
    """Adjusted p values in the order given; it can be used as a list or an array of them.

    Parameters
    ----------
    p : tuple of float
        The adjusted p values.
    levels : tuple of float
        Interval levels that agree with the decisions: at that level an interval leaves 0 out
        exactly where the adjusted p is below 1 - `level`.
    joint_level : float
        All intervals at this level (Bonferroni) hold all their values at once with at least
        `level`.
    level : float
        1 minus the level of the tests together.
    method : str
        The correction in words.

    Examples
    --------
    >>> len(holm([0.01, 0.04])), holm([0.01, 0.04])[0]
    (2, 0.02)
    """

    p: tuple[float, ...]
    levels: tuple[float, ...]
    joint_level: float
    level: float = 0.95
    method: str = "Holm"

    def __len__(self) -> int:
        return len(self.p)

    def __iter__(self) -> Iterator[float]:
        return iter(self.p)

    def __getitem__(self, place: int) -> float:
        return self.p[place]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return np.array(self.p, dtype=dtype)


def holm(p_values: ArrayLike, level: float = 0.95, untested: int = 0) -> Adjusted:
    """p values adjusted so that any false finding among them is as rare as one.

    The i-th smallest of m is multiplied by m - i + 1, made no smaller than those before it and at
    most 1.

    Parameters
    ----------
    p_values : array of float
        One a test; NaN (a test that could not be made) stays NaN and is not counted.
    level : float
        1 minus the level of the tests together.
    untested : int
        Tests that belong to them but were not made, as if their p were 1: where those to make were
        chosen by the data.

    Returns
    -------
    Adjusted
        The adjusted p values, and levels of intervals that go with them.

    Raises
    ------
    InputError
        If these are no p values.

    Examples
    --------
    >>> [round(p, 4) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    >>> [round(p, 4) for p in holm([0.01, 0.04], untested=8)]
    [0.1, 0.36]

    References
    ----------
    S. Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal
    of Statistics 6.
    """
    check_level(level)
    given = _checked(p_values)
    known = np.flatnonzero(~np.isnan(given))
    order = known[np.argsort(given[known], kind="stable")]
    m = order.size + untested
    factors = np.arange(m, untested, -1)
    adjusted, levels = np.full(given.size, np.nan), np.full(given.size, np.nan)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(factors * given[order]))
    # After the first that is kept, the others are judged at its step.
    rejected = int((adjusted[order] < 1 - level).sum())
    levels[order] = 1 - (1 - level) / np.maximum(factors, m - rejected)
    joint = 1 - (1 - level) / m if m else level
    return Adjusted(tuple(adjusted.tolist()), tuple(levels.tolist()), joint, level)


def _checked(p_values: ArrayLike) -> Floats:
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
