"""Worlds in which models do not differ, or differ by a known amount.

Rows are drawn with a score of each model. `same` says of which measures the truth is 0; elsewhere
`truth` is found on a large sample. Models on exchangeable inputs are equal by every measure.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import expit, logit, ndtri

from benchmarks.coverage.map._worlds import SPREAD

Array = npt.NDArray[Any]
Rng = np.random.Generator
EVERY = ("label", "score", "probability")


@dataclass(frozen=True, eq=False)
class Rows:
    """Truth, probabilities and labels (models, rows), inputs of each model, groups."""

    y: Array
    p: Array
    label: Array
    X: Array | None = None
    group: Array | None = None


@dataclass(frozen=True)
class Null:
    """`needs` are the kinds of measures that are equal; `only` names them where they are few.

    `trained` null worlds give inputs for each model instead of scores. `differ` says that the
    models do differ: then the truth of every measure comes from a large sample.
    """

    name: str
    family: int
    share: float
    draw: Callable[[int, Rng], Rows]
    needs: tuple[str, ...] = EVERY
    only: tuple[str, ...] = ()
    models: int = 2
    trained: bool = False
    differ: bool = False


def _cut(share: float) -> float:
    return float(expit(0.5 * logit(share)))


def _given(y: Array, p: Array, share: float, group: Array | None = None) -> Rows:
    return Rows(y, p, (p > _cut(share)).astype(np.uint8), group=group)


def exchangeable(share: float, gap: float, models: int = 2, tails: bool = False) -> Null:
    """Fixed rules on inputs that are equal in law and share a part."""

    def draw(n: int, rng: Rng) -> Rows:
        y = (rng.random(n) < share).astype(np.int64)
        noise = (
            (lambda *size: rng.standard_t(3, size))
            if tails
            else (lambda *size: rng.standard_normal(size))
        )
        u = gap * y + 0.6 * noise(1, n) + 0.8 * noise(models, n)
        return _given(y, expit(logit(share) + gap * u - gap**2 / 2), share)

    near = "near-perfect" if gap > 4 else "exchangeable"
    words = f"{near} rules{', heavy tails' if tails else ''}"
    name = f"{models} {words} {share:.0%}"
    return Null(name, 2 if tails else 1, share, draw, models=models)


def learners(share: float, tails: bool = False) -> Null:
    """One learner on three inputs, the same on three others that are equal in law."""

    def draw(n: int, rng: Rng) -> Rows:
        y = (rng.random(n) < share).astype(np.int64)
        size = (2, n, 3)
        X = rng.standard_t(3, size) if tails else rng.standard_normal(size)
        X = 0.7 * X + 0.7 * rng.standard_normal((n, 3))
        X[:, :, 0] += 1.8 * y
        empty = np.zeros((2, n))
        return Rows(y, empty, empty.astype(np.uint8), X)

    name = f"learners on exchangeable inputs{', heavy tails' if tails else ''} {share:.0%}"
    return Null(name, 2 if tails else 1, share, draw, trained=True)


def groups(count: int, unequal: bool) -> Null:
    """Exchangeable rules, each of which is better in some groups than in others."""

    def draw(n: int, rng: Rng) -> Rows:
        chance = rng.lognormal(0, 1, count) if unequal else np.ones(count)
        group = rng.choice(count, n, p=chance / chance.sum()) if unequal else np.arange(n) % count
        y = (rng.random(n) < 0.4).astype(np.int64)
        own = SPREAD * rng.standard_normal((2, count))
        u = 1.8 * y + rng.standard_normal((2, n)) + own[:, group]
        return _given(y, expit(logit(0.4) + 1.5 * u - 1.35), 0.4, group)

    words = "unequal groups" if unequal else "groups"
    return Null(f"exchangeable rules, {count} {words}", 1, 0.4, draw)


def constant() -> Null:
    """Always the one class against always the other, half of each: errors are traded."""

    def draw(n: int, rng: Rng) -> Rows:
        y = (rng.random(n) < 0.5).astype(np.int64)
        p = np.repeat([[0.9], [0.1]], n, axis=1)
        return _given(y, p, 0.5)

    same = ("error", "accuracy", "brier", "log_loss")
    return Null("always 1 against always 0", 1, 0.5, draw, ("label", "probability"), same)


def thresholds(away: float, tails: bool = False) -> Null:
    """One score at two thresholds, alike far from the centre."""

    def draw(n: int, rng: Rng) -> Rows:
        y = (rng.random(n) < 0.5).astype(np.int64)
        x = 2 * y - 1 + (rng.standard_t(3, n) if tails else rng.standard_normal(n))
        return _given(y, expit(2 * np.stack([x - away, x + away])), 0.5)

    same = (
        "error",
        "accuracy",
        "balanced_accuracy",
        "kappa",
        "mcc",
        "informedness",
        "expected_cost",
    )
    name = f"one score at thresholds ±{away:g}{', heavy tails' if tails else ''}"
    return Null(name, 2 if tails else 1, 0.5, draw, ("label",), same)


def twins(measure: str) -> Null:
    """An over- and an underconfident model with equal expected loss."""
    gap = 1.5

    def draw(n: int, rng: Rng) -> Rows:
        y = (rng.random(n) < 0.5).astype(np.int64)
        z = gap * (gap * y + rng.standard_normal(n)) - gap**2 / 2
        return _given(y, expit(np.stack([BOLD * z, _meek(measure, gap) * z])), 0.5)

    return Null(f"bold and meek twins, equal {measure}", 1, 0.5, draw, ("probability",), (measure,))


BOLD = 2.2


@cache
def _meek(measure: str, gap: float) -> float:
    """The factor of log odds below 1 that costs as much as BOLD, by integration."""
    node, weight = np.polynomial.hermite_e.hermegauss(120)
    weight = weight / weight.sum()

    def cost(factor: float) -> float:
        z = gap * (gap + node) - gap**2 / 2  # of the positives; negatives are their mirror
        p = expit(factor * z)
        loss = -np.log(p) if measure == "log_loss" else (1 - p) ** 2
        return float((weight * loss).sum())

    return float(brentq(lambda factor: cost(factor) - cost(BOLD), 0.01, 0.999))


def apart(first: float, second: float, share: float) -> Null:
    """Two models with the given areas under the ROC curve, on inputs that share a part."""
    gap = np.sqrt(2) * ndtri(np.array([first, second]))

    def draw(n: int, rng: Rng) -> Rows:
        y = (rng.random(n) < share).astype(np.int64)
        u = gap[:, None] * y + 0.6 * rng.standard_normal((1, n)) + 0.8 * rng.standard_normal((2, n))
        return _given(y, expit(logit(share) + gap[:, None] * (u - gap[:, None] / 2)), share)

    return Null(f"AUC {first:g} against {second:g}, {share:.0%}", 1, share, draw, differ=True)


FEW = (
    exchangeable(0.5, 1.5), exchangeable(0.2, 1.5), exchangeable(0.05, 2.0),
    exchangeable(0.2, 4.5), exchangeable(0.5, 4.5), exchangeable(0.3, 1.5, tails=True),
    constant(), thresholds(1.0), thresholds(1.5), thresholds(1.2, tails=True),
    twins("log_loss"), twins("brier"), apart(0.995, 0.985, 0.05), apart(0.9, 0.85, 0.2),
)  # fmt: skip
TRAINED = (learners(0.5), learners(0.2), learners(0.05), learners(0.4, tails=True))
GROUPS = tuple(groups(count, unequal) for count in (5, 8, 20, 40) for unequal in (False, True))
MANY = tuple(exchangeable(0.3, 1.5, models) for models in (5, 12, 40))
