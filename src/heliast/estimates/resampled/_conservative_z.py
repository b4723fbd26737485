"""The conservative z interval of Nadeau and Bengio."""

from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.labels import Label
from heliast.estimates._proportion import quantile
from heliast.estimates._record import Estimate
from heliast.estimates._scale import clipped
from heliast.estimates.resampled._case import Case, Refused, alone, resampled, without
from heliast.estimates.resampled._corrected_t import NO_SPREAD
from heliast.estimates.resampled._groups import by_group
from heliast.estimates.resampled._point import point
from heliast.measures import Measure
from heliast.predictions import Predictions

Array = npt.NDArray[Any]


def conservative_z(
    predictions: Predictions,
    measure: str | Measure = "error",
    level: float = 0.95,
    *,
    class_: Label | None = None,
) -> Estimate:
    """Mean over J subsamplings +- z sqrt(V), V the mean over M pairs of (m0 - m1)^2 / 2.

    m0 and m1 are means over J subsamplings of two disjoint halves of the rows, so V is an unbiased
    variance of such a mean with fewer training rows: larger than the one wanted, hence the name.
    Needs a table with such pairs, of role `inner` (the plan `PairedSubsampling`). Any measure.

    >>> from heliast import PairedSubsampling, run
    >>> from heliast.data import simulate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data = simulate.two_gaussians(0.2).sample(200, seed=1)
    >>> found = conservative_z(run(GaussianNB(), data, PairedSubsampling(5, 4), seed=1))
    >>> found.low < found.value < found.high
    True

    Reference: C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine
    Learning 52.
    """
    return alone("conservative_z", predictions, measure, level, class_)


@resampled("conservative_z")
def of_case(case: Case) -> Estimate:
    if not case.parts.splits or not _paired(case):
        raise Refused(
            "conservative_z needs subsamplings of both halves of the rows, a pair a repeat, in "
            "splits of role inner (the plan PairedSubsampling)"
        )
    few = by_group(case)
    _halves_by_group(case)
    one = point(case)
    means = _means_of_halves(case)
    if not np.isfinite(one.value) or np.isnan(means).any():
        return without(one, one.reason if not one.defined else "undefined in some half")
    variance = float(((means[:, 0] - means[:, 1]) ** 2).mean() / 2)
    half = quantile(case.level) * sqrt(variance)
    low, high = clipped(one.value - half, one.value + half, case.measure.bounds)
    found = case.found(
        one.value,
        f"conservative z, {len(means)} pairs",
        low=low,
        high=high,
        se=sqrt(variance),
        notes=(*one.notes, *few),
    )
    return found if variance > 0 else without(found, NO_SPREAD)


def _paired(case: Case) -> bool:
    """Whether every repeat of the inner splits has the halves 0 and 1, and nothing else."""
    halves: dict[int, set[int | None]] = {}
    for split in case.inner.splits:
        halves.setdefault(split.repeat, set()).add(split.outer)
    return bool(halves) and all(found == {0, 1} for found in halves.values())


def _halves_by_group(case: Case) -> None:
    """Refuse halves that share a group: their means are then not independent."""
    table = case.inner.whole
    if table.group is None:
        return
    splits = case.inner.splits
    pair = np.array([one.repeat for one in splits])[table.split_code]
    half = np.array([int(one.outer or 0) for one in splits])[table.split_code]
    names, group = np.unique(table.group, return_inverse=True)
    key = pair * names.size + group
    if np.isin(key[half == 0], key[half == 1]).any():
        raise Refused("conservative_z: some group is in both halves of a pair")


def _means_of_halves(case: Case) -> Array:
    """(pairs, 2): the mean of the measure over the subsamplings of each half."""
    values = case.values(case.inner)
    splits = case.inner.splits
    pairs = sorted({split.repeat for split in splits})
    means = np.full((len(pairs), 2), np.nan)
    for at, pair in enumerate(pairs):
        for half in (0, 1):
            own = [one.repeat == pair and one.outer == half for one in splits]
            there = values[own][~np.isnan(values[own])]
            means[at, half] = there.mean() if there.size else np.nan
    return means
