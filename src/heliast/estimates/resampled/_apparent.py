"""The apparent loss of every resample: its model on its own training rows, drawn rows counted."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast.estimates.resampled._case import Case, Refused
from heliast.estimates.resampled._losses import Losses
from heliast.predictions import Rows

Array = npt.NDArray[Any]
NO_OWN_ROWS = (
    "{name} needs what each resample's model says of its own training rows: "
    "run(..., Bootstrap(...), in_sample=True)"
)
TORN = "{name}: rows of one group were drawn apart, so resamples are not those of groups"


@dataclass(frozen=True, eq=False)
class Apparent:
    """The training rows of all resamples; `code` says which resample, in order of `repeats`.

    `weight` is how often a row was drawn, times its own weight; `row` is its place in the data.
    """

    rows: Rows
    row: Array
    code: Array
    weight: Array
    losses: Array
    repeats: Array

    @property
    def values(self) -> Array:
        """The mean loss of each resample on its own rows, each as often as it was drawn."""
        total = np.bincount(self.code, weights=self.weight * self.losses)
        mean: Array = total / np.bincount(self.code, weights=self.weight)
        return mean


def apparent(name: str, case: Case, losses: Losses) -> Apparent:
    """The apparent losses, or a refusal where the table lacks rows that were trained on."""
    table = case.table.only(role="test")
    seen, code = table.seen, table.split_code
    if seen is None or code is None or table.row is None:
        raise Refused(NO_OWN_ROWS.format(name=name))
    drawn = np.bincount(code, weights=seen, minlength=len(table.splits))
    if any(one.n_train != rows for one, rows in zip(table.splits, drawn, strict=True)):
        raise Refused(NO_OWN_ROWS.format(name=name))
    if table.group is not None and _drawn_apart(table.group, np.asarray(code), seen):
        raise Refused(TORN.format(name=name))
    own = seen > 0
    rows = table.rows().at(own)
    times = seen[own].astype(np.float64)
    weight = times if rows.weight is None else times * rows.weight
    repeats = np.array([one.repeat for one in table.splits])
    return Apparent(rows, table.row[own], np.asarray(code)[own], weight, losses(rows), repeats)


def _drawn_apart(group: Array, code: Array, seen: Array) -> bool:
    """Whether rows of one group were drawn unequally often in some resample."""
    names, place = np.unique(group, return_inverse=True)
    key = code.astype(np.int64) * names.size + place
    order = np.argsort(key, kind="stable")
    same = np.diff(key[order]) == 0
    return bool((np.diff(seen[order].astype(np.int64))[same] != 0).any())
