"""Several models: Holm's adjustment, groups that do not differ, and what no data could show."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.kinds import ArrayLike
from heliast._core.level import check_level
from heliast._core.records import Shown

M = TypeVar("M")


@dataclass(frozen=True)
class Adjusted(Shown):
    """Adjusted p values in the order given; usable as a list or an array of them.

    Parameters
    ----------
    p : tuple of float
        The adjusted p values.
    levels : tuple of float
        Confidence levels that agree with the decisions: an interval at this level excludes 0
        exactly where the adjusted p is below 1 - `level`.
    joint_level : float
        All intervals at this level (Bonferroni) are simultaneous at `level`.
    level : float
        1 minus the family-wise level of the tests.
    method : str
        The adjustment in words.

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
    """p values adjusted by Holm's method, which controls the family-wise error rate.

    The i-th smallest of m is multiplied by m - i + 1, made no smaller than those before it and at
    most 1.

    Parameters
    ----------
    p_values : array of float
        One for each test; NaN (a test that could not be made) stays NaN and is not counted.
    level : float
        1 minus the family-wise level.
    untested : int
        Tests of the same family that were not made, as if their p were 1: where those made were
        selected by the data.

    Returns
    -------
    Adjusted
        The adjusted p values, and levels of matching intervals.

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
    try:
        raw = np.asarray(p_values, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError("p_values: expected numbers between 0 and 1") from error
    if raw.ndim != 1:
        raise InputError(f"p_values: expected a list, got shape {raw.shape}")
    outside = np.flatnonzero((raw < 0) | (raw > 1))
    if outside.size:
        place = int(outside[0])
        raise InputError(f"p_values[{place}]={raw[place]:g}: a p value lies between 0 and 1")
    known = np.flatnonzero(~np.isnan(raw))
    order = known[np.argsort(raw[known], kind="stable")]
    m = order.size + untested
    factors = np.arange(m, untested, -1)
    adjusted, levels = np.full(raw.size, np.nan), np.full(raw.size, np.nan)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(factors * raw[order]))
    # After the first that is not rejected, the others are judged at its step.
    rejected = int((adjusted[order] < 1 - level).sum())
    levels[order] = 1 - (1 - level) / np.maximum(factors, m - rejected)
    joint = 1 - (1 - level) / m if m else level
    return Adjusted(tuple(adjusted.tolist()), tuple(levels.tolist()), joint, level)


def out_of_reach(data_sets: int, pairs: int, level: float = 0.95) -> str:
    """Why no data can give a significant difference, and what would; empty if some can.

    Tests of signs and signed ranks over N data sets have no p below 2^(1 - N), which Holm's
    method multiplies by the number of pairs for the smallest.

    Parameters
    ----------
    data_sets : int
        The number of data sets.
    pairs : int
        The number of pairs of models that are tested.
    level : float
        1 minus the family-wise level.

    Returns
    -------
    str
        A sentence, or nothing.

    Examples
    --------
    >>> out_of_reach(6, 10)[:81]
    '6 data sets cannot give a significant difference: of 10 pairs the smallest adjust'
    >>> out_of_reach(9, 10)
    ''
    """
    check_level(level)
    smallest = pairs * 2.0 ** (1 - data_sets)
    if smallest < 1 - level:
        return ""
    need = ceil(1 + log2(pairs / (1 - level)) + 1e-9)
    most = int((1 - level) * 2.0 ** (data_sets - 1) - 1e-9)
    fewer = (
        f", or at most {most} pair{'s' if most > 1 else ''} (against= one model)" if most else ""
    )
    return (
        f"{data_sets} data sets cannot give a significant difference: of {pairs} pairs the "
        f"smallest adjusted p is {min(1.0, smallest):.2g} whatever the data; needed are at least "
        f"{need} data sets{fewer}"
    )


def indistinct(order: Sequence[M], differs: Callable[[M, M], bool]) -> tuple[tuple[M, ...], ...]:
    """The largest sets of models no two of which differ, for the bars of a diagram of ranks.

    Parameters
    ----------
    order : sequence
        The models, best first.
    differs : callable
        Whether two models differ significantly.

    Returns
    -------
    tuple of tuples
        Each set in the order given, sets by their first model.

    Examples
    --------
    >>> indistinct([1, 2, 3, 6], lambda a, b: abs(a - b) > 1)
    ((1, 2), (2, 3), (6,))
    """
    groups: list[frozenset[int]] = []
    for i in range(len(order)):
        alike = {j for j in range(i) if not differs(order[i], order[j])}
        groups += {frozenset({i}), *((group & alike) | {i} for group in groups)}
        groups = [group for group in groups if not any(group < other for other in groups)]
    return tuple(tuple(order[i] for i in group) for group in sorted(map(sorted, groups)))
