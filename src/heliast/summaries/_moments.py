"""Moments: the power sums of a per-row loss, from which its mean and spread follow."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


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
    """Sums over rows of w, w^2 and w * loss^1, 2, 3; `groups` holds sums per group.

    >>> Moments.of(np.array([0.0, 1.0, 2.0])).mean
    1.0
    """

    weight: float
    weight_squares: float
    powers: tuple[float, float, float]
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
        weighted = loss if weight is None else weight * loss
        powers = (
            float(weighted.sum()),
            float((weighted * loss).sum()),
            float((weighted * loss * loss).sum()),
        )
        total = float(loss.size) if weight is None else float(weight.sum())
        squares = float(loss.size) if weight is None else float((weight**2).sum())
        groups = None if group is None else GroupSums.of(group, loss, weight)
        return cls(total, squares, powers, sampling, groups)

    def __add__(self, other: "Moments") -> "Moments":
        groups = None
        if self.groups is not None and other.groups is not None:
            groups = self.groups + other.groups
        powers = tuple(a + b for a, b in zip(self.powers, other.powers, strict=True))
        return Moments(
            self.weight + other.weight,
            self.weight_squares + other.weight_squares,
            (powers[0], powers[1], powers[2]),
            self.sampling,
            groups,
        )

    @cached_property
    def mean(self) -> float:
        return self.powers[0] / self.weight if self.weight else float("nan")

    @cached_property
    def n_effective(self) -> float:
        """n, or (sum w)^2 / sum w^2 under sampling weights."""
        return self.weight**2 / self.weight_squares if self.sampling else self.weight

    @cached_property
    def central(self) -> tuple[float, float]:
        """The second and third central moments (mean of squared and cubed deviations)."""
        mean = self.mean
        second = self.powers[1] / self.weight - mean**2
        third = self.powers[2] / self.weight - 3 * mean * self.powers[1] / self.weight + 2 * mean**3
        return max(second, 0.0), third

    @cached_property
    def skewness(self) -> float:
        """Third central moment over the cubed standard deviation; 0 when all losses are equal."""
        second, third = self.central
        return third / second**1.5 if second > 0 else 0.0

    @cached_property
    def variance(self) -> float:
        """Variance of the mean: s^2 / n with n - 1, or by groups G/(G-1) sum (...)^2 / n^2."""
        if self.groups is not None:
            count = self.groups.group.size
            if count < 2:
                return float("nan")
            deviation = self.groups.loss - self.mean * self.groups.weight
            return float(count / (count - 1) * (deviation**2).sum()) / self.weight**2
        n = self.n_effective
        return self.central[0] / (n - 1) if n > 1 else float("nan")

    @property
    def df(self) -> float:
        """Degrees of freedom of `variance`: G - 1 with groups, else n - 1."""
        return (self.n_effective if self.groups is None else self.groups.group.size) - 1.0
