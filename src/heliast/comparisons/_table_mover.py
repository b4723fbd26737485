"""Two models on one measure of the contingency table: the difference from the limits of each."""

from functools import lru_cache
from math import isnan, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast.comparisons._mover import Mover, Pair
from heliast.estimates import Case, closed_limits, rows_covariance
from heliast.measures import Measure
from heliast.measures.forms import Form, Mean, Smooth, TableForm
from heliast.predictions import Rows

Array = npt.NDArray[Any]


class Own:
    """The limits of one model's measure, by the closed form that `assess` has for it."""

    def __init__(self, form: TableForm, rows: Rows, measure: Measure) -> None:
        self.form, self.rows, self.measure = form, rows, measure
        self.limits = lru_cache(maxsize=64)(self._limits)

    @classmethod
    def of(cls, form: Form, rows: Rows, measure: Measure) -> "Own | None":
        """None for measures that are no function of the table."""
        table = form.blend if isinstance(form, Mean) else form
        return cls(table, rows, measure) if isinstance(table, TableForm) else None

    def _limits(self, level: float) -> Pair:
        value = self.form.value
        # Replicates would be drawn again at every level.
        found = closed_limits(Case(self.form, level, self.rows, self.measure))
        if found is None or isnan(found.low):
            return value, value
        return min(found.low, value), max(found.high, value)

    @property
    def sharp(self) -> bool:
        """Whether these limits are hardly wider than they need: those of a smoothed table are."""
        return not isinstance(self.form, Smooth)

    @property
    def reach(self) -> float:
        """How far one row can move the value, times the number of rows."""
        return float(np.ptp(self.form.gradient))


def table_mover(pair: tuple[Own, Own], influences: tuple[Array, Array]) -> Mover:
    """The square-and-add of two models' own limits.

    How they vary together is the correlation r of their influences, less half a row of full reach
    where r is positive, as few rows on which models differ make it look too large (Newcombe 1998,
    method 10, whose rule this is where both are rates of the same rows).
    """
    (a, b), rows = pair, pair[0].rows
    covariance = rows_covariance(rows, np.stack(influences))[0]
    both = sqrt(float(covariance[0, 0] * covariance[1, 1]))
    together = float(covariance[0, 1]) / both if both > 0 else 0.0
    if together > 0:
        half = a.reach * b.reach / (2 * rows.n**2 * both)
        together = max(0.0, together - half)
    owns = a.limits, b.limits
    return Mover((a.form.value, b.form.value), lambda which, level: owns[which](level), together)
