"""The bootstrap's points: left-out, .632 and .632+, from training, left-out and no-skill loss."""

from math import isfinite
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast.estimates.resampled._bootstrap_632 import IN, OUT
from heliast.estimates.resampled._bootstrap_632_plus import plus_of
from heliast.estimates.resampled._case import Case, Refused
from heliast.estimates.resampled._losses import Losses
from heliast.predictions import Rows

Array = npt.NDArray[Any]
Point = Literal["left_out", "bootstrap_632", "bootstrap_632_plus"]
TITLES = {"left_out": "left-out", "bootstrap_632": ".632", "bootstrap_632_plus": ".632+"}


def chosen(point: str | None, task: str) -> str:
    """The point asked for; unasked .632+, which numbers do not have: .632."""
    if point is None:
        return "bootstrap_632_plus" if task == "classes" else "bootstrap_632"
    if point not in TITLES:
        raise InputError(f"point={point!r}: choose {', '.join(TITLES)}")
    if point == "bootstrap_632_plus" and task != "classes":
        raise Refused("bootstrap_632_plus: the no-information rate is that of classes, not numbers")
    return point


def point_of(case: Case, name: str, own: float, out: float, none: float) -> float:
    """The named point from the loss e on own rows, E1 on rows left out, and g without skill."""
    if name == "left_out":
        return out
    if name == "bootstrap_632":
        return IN * own + OUT * out
    if not isfinite(none):
        raise Refused("bootstrap_632_plus: the loss without information is infinite")
    return plus_of(case, own, out, none)


def no_information_by(code: Array, rows: Rows, weight: Array, losses: Losses) -> Array:
    """The loss without information in each part: the mean over all pairs of its rows, O(n k)."""
    from dataclasses import replace

    size = np.bincount(code, weights=weight)
    total = np.zeros(size.size)
    for one in np.unique(rows.truth):
        share = np.bincount(code, weights=weight * (rows.truth == one), minlength=size.size) / size
        truth = np.full(rows.n, one, rows.truth.dtype)
        found = losses(replace(rows, truth=truth))
        # A part without the class does not ask for its loss, which may be infinite.
        mean = np.bincount(code, weights=weight * found) / size
        total += np.where(share > 0, share * mean, 0.0)
    return total
