"""Probabilities: the moments of log loss and Brier score."""

from dataclasses import dataclass, replace
from functools import reduce
from operator import add

import numpy as np

from heliast._core.kinds import Array
from heliast._kernels.losses import (
    binary_losses,
    class_losses,
    row_losses_binary,
    row_losses_classes,
)
from heliast.measures.summaries._moments import GroupSums, Moments
from heliast.predictions import Rows
from heliast.predictions.scan import ScannedRows


@dataclass(frozen=True, eq=False)
class Probabilities:
    """Log loss and Brier score of probability forecasts, as moments; adds up.

    With two classes the Brier score is (p - y)^2 for the positive class, with more it is the sum
    over classes. `zeros` counts rows whose true class was given probability 0: log loss infinite.
    `strata` holds one summary per true class when class counts were fixed by design.
    """

    log_loss: Moments
    brier: Moments
    zeros: float = 0.0
    strata: tuple["Probabilities", ...] = ()

    @classmethod
    def of(cls, rows: Rows) -> "Probabilities":
        """One pass over the rows of one model."""
        if isinstance(rows, ScannedRows):
            return reduce(add, (cls.of(chunk) for chunk in rows.chunks()))
        if rows.design == "classes":
            parts = tuple(cls._plain(rows.at(rows.truth == c)) for c in range(len(rows.classes)))
            whole = parts[0]
            for part in parts[1:]:
                whole = whole + part
            return cls(whole.log_loss, whole.brier, whole.zeros, parts)
        return cls._plain(rows)

    @classmethod
    def _plain(cls, rows: Rows) -> "Probabilities":
        if rows.weight is not None and not rows.weight.all():
            rows = rows.at(rows.weight > 0)  # a row that weighs nothing cannot cost infinity
        if _is_binary(rows):
            code = _positive(rows)
            sums = binary_losses(rows.is_class(code), rows.score_of(code), rows.weight)
        else:
            sums = class_losses(rows.truth, _matrix(rows), rows.weight).sums
        size = (sums.weight, sums.weight2)
        log_loss = Moments.of_powers(*size, (sums.log1, sums.log2, sums.log3))
        brier = Moments.of_powers(*size, (sums.brier1, sums.brier2, sums.brier3))
        log_groups = brier_groups = None
        if rows.group is not None:
            log_rows, brier_rows = row_losses(rows)
            log_groups = GroupSums.of(rows.group, log_rows, rows.weight)
            brier_groups = GroupSums.of(rows.group, brier_rows, rows.weight)
        sampling = rows.weight_kind == "sampling"
        return cls(
            replace(log_loss, sampling=sampling, groups=log_groups),
            replace(brier, sampling=sampling, groups=brier_groups),
            float(sums.zeros),
        )

    def __add__(self, other: "Probabilities") -> "Probabilities":
        strata = tuple(a + b for a, b in zip(self.strata, other.strata, strict=True))
        return Probabilities(
            self.log_loss + other.log_loss,
            self.brier + other.brier,
            self.zeros + other.zeros,
            strata,
        )


def row_losses(rows: Rows) -> tuple[Array, Array]:
    """Log loss and Brier score of each row."""
    if _is_binary(rows):
        code = _positive(rows)
        return row_losses_binary(rows.is_class(code), rows.score_of(code))
    return row_losses_classes(rows.truth, _matrix(rows))


def _is_binary(rows: Rows) -> bool:
    return len(rows.classes) == 2


def _positive(rows: Rows) -> int:
    return 1 if rows.positive is None else rows.positive


def _matrix(rows: Rows) -> Array:
    if rows.scores is None:
        raise ValueError("these rows have no scores")
    return np.ascontiguousarray(rows.scores)
