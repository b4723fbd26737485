"""Moments: weight, mean and spread of a per-row loss."""

from dataclasses import dataclass
from functools import cached_property
from math import isfinite, nan

import numpy as np

from heliast._core.clusters import adjusted, equal_groups
from heliast._core.kinds import Array
from heliast._kernels import losses

_ROUNDING = 1e-12
"""A spread below this share of the squared mean is rounding: the losses are equal."""
_HUGE = 1e200


@dataclass(frozen=True, eq=False)
class GroupSums:
    """Per group: its code, the weight of its rows and the weighted sum of their losses."""

    group: Array
    weight: Array
    loss: Array

    @classmethod
    def of(cls, group: Array, loss: Array, weight: Array | None = None) -> "GroupSums":
        names, place = np.unique(group, return_inverse=True)
        weight = np.ones(loss.size) if weight is None else weight
        return cls(
            names,
            np.bincount(place, weights=weight, minlength=names.size),
            np.bincount(place, weights=weight * loss, minlength=names.size),
        )

    def __add__(self, other: "GroupSums") -> "GroupSums":
        names, place = np.unique(np.concatenate([self.group, other.group]), return_inverse=True)
        weight = np.concatenate([self.weight, other.weight])
        loss = np.concatenate([self.loss, other.loss])
        return GroupSums(
            names, np.bincount(place, weights=weight), np.bincount(place, weights=loss)
        )


@dataclass(frozen=True, eq=False)
class Moments:
    """Weight, mean, and the sums of w (loss - mean)^2 and ^3; `groups` holds sums per group.

    Sums are about the mean, so that losses that hardly differ keep their digits; parts add up.

    >>> Moments.of(np.array([0.0, 1.0, 2.0])).mean
    1.0
    """

    weight: float
    weight_squares: float
    mean: float
    second: float
    third: float
    sampling: bool = False
    groups: GroupSums | None = None

    @classmethod
    def of(
        cls,
        loss: Array,
        weight: Array | None = None,
        group: Array | None = None,
        sampling: bool = False,
    ) -> "Moments":
        groups = None if group is None else GroupSums.of(group, loss, weight)
        return cls(*_about_mean(losses.moments(loss, weight)), sampling, groups)

    @classmethod
    def of_powers(
        cls, weight: float, weight_squares: float, powers: tuple[float, float, float]
    ) -> "Moments":
        """From the sums over rows of w, w^2 and w * loss, loss^2, loss^3."""
        return cls(*_about_mean(losses.from_powers(weight, weight_squares, *powers)))

    def __add__(self, other: "Moments") -> "Moments":
        groups = None
        if self.groups is not None and other.groups is not None:
            groups = self.groups + other.groups
        both = losses.join(self._plain, other._plain)
        return Moments(*_about_mean(both), self.sampling, groups)

    @property
    def _plain(self) -> losses.Moments:
        return losses.Moments(self.weight, self.weight_squares, self.mean, self.second, self.third)

    @cached_property
    def n_effective(self) -> float:
        """n, or (sum w)^2 / sum w^2 under sampling weights."""
        return self.weight**2 / self.weight_squares if self.sampling else self.weight

    @cached_property
    def skewness(self) -> float:
        """Third central moment over the cubed standard deviation; 0 when all losses are equal.

        NaN where cubes of the losses exceed what a number can hold.
        """
        if not self.second > _ROUNDING * self.weight * self.mean * self.mean:
            return 0.0
        square = self.second / self.weight
        if not (isfinite(self.third) and square < _HUGE):
            return nan
        return float(self.third / self.weight / square**1.5)

    @cached_property
    def variance(self) -> float:
        """Variance of the mean: s^2 / n with n - 1; from the sums of groups, see `adjusted`."""
        if self.groups is not None:
            deviation = self.groups.loss - self.mean * self.groups.weight
            return float((adjusted(deviation, self.groups.weight) ** 2).sum()) / self.weight**2
        n = self.n_effective
        return self.second / self.weight / (n - 1) if n > 1 else float("nan")

    @property
    def df(self) -> float:
        """Degrees of freedom of `variance`: n - 1, with groups as many as equal ones have."""
        if self.groups is not None:
            return equal_groups(self.groups.weight) - 1.0
        return self.n_effective - 1.0


def _about_mean(found: losses.Moments) -> tuple[float, float, float, float, float]:
    mean = found.mean if found.weight else float("nan")
    return found.weight, found.weight2, mean, found.second, found.third
