"""The truth of every measure: of one fitted model, or of a recipe with n_train rows."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.coverage.map._asked import asked
from benchmarks.coverage.map._tables import clipped, scored, table
from benchmarks.coverage.map._worlds import Sample, World
from benchmarks.coverage.resampled._learners import Job
from heliast.measures import Measure
from heliast.measures.summaries import Counted
from heliast.predictions import Predictions

Array = npt.NDArray[Any]
POOL, POPULATION = 400_000, 1_000_000
TEST = 1_000
"""Test rows of a training set; of two classes one half each, with weights."""
BATCHES = 10
STEP = 20_000
COUNTS = "frequency weights"
Truths = dict[str, tuple[float, float, float, float]]
"""By measure: pooled over rows and its standard error, mean over training sets and its own."""


@dataclass(frozen=True, eq=False)
class Pool:
    """Rows to test on. Of two classes both are drawn alike often, and weighted to their shares."""

    sample: Sample
    places: tuple[Array, ...]

    @classmethod
    def of(cls, world: World, rng: np.random.Generator) -> "Pool":
        sample = world.population(POOL, rng)
        every = np.arange(sample.y.size)
        rare = world.k == 2 and sample.weight is None
        each = [np.flatnonzero(sample.y == c) for c in (0, 1)] if rare else [every]
        return cls(sample, tuple(each))

    def draw(self, count: int, rng: np.random.Generator) -> Sample:
        """Rows, each with the weight of what it stands for."""
        each = count // len(self.places)
        at = np.concatenate([rng.choice(one, each) for one in self.places])
        total = sum(one.size for one in self.places)
        weight = np.concatenate([np.full(each, one.size / total) for one in self.places])
        if self.sample.weight is not None:
            weight = weight * self.sample.weight[at]
        return Sample(self.sample.X[at], self.sample.y[at], weight=weight / weight.mean())


def valued(measure: Measure, predictions: Predictions) -> float:
    return float(measure.form(Counted(predictions.rows())).value)


def _table(world: World, rows: Sample, found: Array) -> Predictions:
    """Weighted rows. Counts stay counts: what a measure takes off for chance depends on them."""
    kind = world.dressing if world.dressing == COUNTS else "sampling weights"
    return table(replace(world, dressing=kind), rows, found)


def of_model(world: World, predict: Any, seed: int, only: tuple[str, ...] = ()) -> Truths:
    """The values of one fitted model on a population of a million rows; `only` of some measures."""
    rng = np.random.default_rng([seed, 11])
    parts = [world.population(POPULATION // BATCHES, rng) for _ in range(BATCHES)]
    scores = [np.concatenate([predict(X) for X in _steps(part.X)]) for part in parts]
    weights = [np.ones(part.y.size) if part.weight is None else part.weight for part in parts]
    X, y = (np.concatenate([getattr(part, name) for part in parts]) for name in "Xy")
    whole = Sample(X, y, weight=np.concatenate(weights))
    tables = [_table(world, whole, np.concatenate(scores))]
    for part, weight, found in zip(parts, weights, scores, strict=True):
        tables.append(_table(world, Sample(part.X, part.y, weight=weight), found))
    return {m.title: _both(*_values(m, tables)) for m in asked(world, only)}


def _steps(X: Array) -> list[Array]:
    return np.array_split(X, max(1, len(X) // STEP))


def _values(measure: Measure, tables: list[Predictions]) -> tuple[float, list[float]]:
    whole, *batches = (valued(measure, one) for one in tables)
    return whole, batches


def of_rule(world: World, seed: int, only: tuple[str, ...] = ()) -> Truths:
    """The values of the world's own rule: it is the same recipe whatever the training rows are."""
    return of_model(world, lambda X: clipped(world, world.rule(X)), seed, only)


def of_recipe(
    world: World,
    learner: str,
    n_train: int,
    sets: int,
    seed: int,
    again: bool = False,
    only: tuple[str, ...] = (),
) -> Truths:
    """The values of a recipe: many training sets, each tested on rows of its own.

    `again` draws the rows of each training set once more, with replacement.
    """
    rng = np.random.default_rng([seed, n_train, 12])
    pool = Pool.of(world, rng)
    parts, measures = [], asked(world, only)
    per_set = [m for m in measures if m.needs == "score"]
    alone: dict[str, list[float]] = {m.title: [] for m in per_set}
    for _ in range(sets):
        train = world.draw(n_train, rng, None)
        test = pool.draw(TEST, rng)
        X, y = np.concatenate([train.X, test.X]), np.concatenate([train.y, test.y])
        used = (np.arange(y.size) < train.y.size).astype(float)[None, :]
        if again:
            used[0] = np.bincount(rng.integers(n_train, size=n_train), minlength=y.size)
        row = np.arange(train.y.size, y.size)
        found = scored(world, learner, Job(X, y, world.k, used, np.zeros(row.size, int), row))
        parts.append((test.y, test.weight, found))
        if per_set:
            one = _table(world, test, found)
            for measure in per_set:
                alone[measure.title].append(valued(measure, one))
    tables = [
        _joined(world, some) for some in (parts, *(parts[at::BATCHES] for at in range(BATCHES)))
    ]
    return {m.title: _both(*_values(m, tables), alone.get(m.title)) for m in measures}


def _joined(world: World, parts: list[Any]) -> Predictions:
    y, weight, found = (np.concatenate(column) for column in zip(*parts, strict=True))
    return _table(world, Sample(y, y, weight=weight), found)


def _both(
    whole: float, batches: list[float], alone: list[float] | None = None
) -> tuple[float, float, float, float]:
    se = float(np.std(batches, ddof=1) / np.sqrt(len(batches)))
    if alone is None:
        return whole, se, whole, se
    each = np.array(alone)
    return whole, se, float(np.nanmean(each)), float(np.nanstd(each) / np.sqrt(each.size))
