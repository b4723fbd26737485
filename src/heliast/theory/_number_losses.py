"""Losses of numbers: squared, absolute, or any function of (truth, label)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._kernels import repeated as kernel
from heliast.theory._facts import Facts
from heliast.theory._repeated import Repeated

Array = npt.NDArray[Any]


def number_view(
    rows: Repeated, loss: Any, posterior: Any, unbiased: bool
) -> "NumberView | CandidateView":
    """The view of rows whose truth and predictions are numbers."""
    if loss == "zero_one":
        raise InputError("loss='zero_one' is for classes; for numbers take 'squared', 'absolute'")
    if posterior is not None and loss != "squared":
        raise InputError("posteriors of numbers (mean, variance) serve loss='squared' only")
    if callable(loss):
        return CandidateView(rows, loss, unbiased)
    return NumberView(rows, loss == "absolute", posterior, unbiased)


@dataclass(frozen=True, eq=False)
class NumberView:
    """Squared or absolute loss of numbers: the systematic part is the mean or the median."""

    rows: Repeated
    absolute: bool
    posterior: tuple[Array, Array] | None
    """Mean and variance of the truth at each row, where known."""
    unbiased: bool

    @cached_property
    def _held(self) -> tuple[Array, Array]:
        """How far each prediction is from the truth (its mean), and its split."""
        rows = self.rows
        middle = rows.truth if self.posterior is None else self.posterior[0]
        value = rows.label.astype(np.float64) - np.repeat(middle, rows.counts)
        split = rows.split
        if self.absolute:  # the median reads a row's values in ascending order
            order = np.lexsort((value, np.repeat(np.arange(rows.n), rows.counts)))
            value, split = value[order], split[order]
        return value, split

    def facts(self, times: Array) -> list[Facts]:
        return [self._facts(one) for one in times]

    def _facts(self, times: Array) -> Facts:
        value, split = self._held
        found = kernel.number_facts(self.rows.start, value, split, times, self.absolute)
        noise = np.zeros(self.rows.n) if self.posterior is None else self.posterior[1]
        middle = found[:, 1]
        bias = np.abs(middle) if self.absolute else middle**2
        return Facts(
            count=found[:, 0],
            loss=noise + found[:, 2],
            noise=noise,
            systematic=noise + bias,
            bias=bias,
            variance=found[:, 3],
            unbiased=self.unbiased,
        )

    def ties(self) -> tuple[int, int]:
        return 0, 0


@dataclass(frozen=True, eq=False)
class CandidateView:
    """Any loss of numbers: the systematic part is the best of the row's own predictions."""

    rows: Repeated
    loss: Callable[[Any, Any], Any]
    unbiased: bool

    def facts(self, times: Array) -> list[Facts]:
        return [self._facts(one) for one in times]

    def _facts(self, times: Array) -> Facts:
        rows = self.rows
        found = np.full((rows.n, 5), np.nan)
        for i, (lo, hi) in enumerate(zip(rows.start[:-1], rows.start[1:], strict=True)):
            weight = times[rows.split[lo:hi]].astype(np.float64)
            found[i, 0] = weight.sum()
            if weight.sum() == 0:
                continue
            value, share = rows.label[lo:hi].astype(np.float64), weight / weight.sum()
            there = value[share > 0]
            risk = share @ np.asarray(self.loss(value[:, None], there[None, :]), np.float64)
            main = there[risk.argmin()]
            truth = float(rows.truth[i])
            found[i, 1] = share @ np.asarray(self.loss(truth, value), np.float64)
            found[i, 2:] = self.loss(truth, main), risk.min(), self.loss(truth, truth)
        return Facts(
            count=found[:, 0],
            loss=found[:, 1],
            noise=found[:, 4],
            systematic=found[:, 2],
            bias=found[:, 2],
            variance=found[:, 3],
            unbiased=self.unbiased,
        )

    def ties(self) -> tuple[int, int]:
        return 0, 0
