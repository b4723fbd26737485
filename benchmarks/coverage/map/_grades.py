"""The cells of answers that were graded: items of varying difficulty, attempts, groups of items.

Worlds of the first family were looked at when the intervals were made, those of the second only
afterwards. Two models that are compared have the same law, and share what makes items hard.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import nan
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt
from scipy.special import expit, log_ndtr

from benchmarks.coverage.map._answers import collected
from benchmarks.coverage.map._assessing import ask as ask_one
from benchmarks.coverage.map._cell import Cell
from benchmarks.coverage.map._comparing import ask as ask_pair
from heliast import measures as registry
from heliast.measures import Measure
from heliast.predictions import Predictions

Array = npt.NDArray[Any]
ATTEMPTS = (1, 3, 10)
SIZES = (20, 200, 2000)
OF_A_GROUP = 10
MOST, BATCHES, LARGE = 2000, 20, 20_000


@dataclass(frozen=True)
class World:
    """How the grades of an answer follow from how hard the item is, which is standard normal."""

    name: str
    family: int
    grades: Callable[[Array, np.random.Generator], Array]
    bounds: tuple[float, float] = (0.0, 1.0)
    whole: bool = True
    """Whether answers are right or wrong."""


def _right(chance: Callable[[Array], Array]) -> Callable[[Array, np.random.Generator], Array]:
    def grades(hard: Array, rng: np.random.Generator) -> Array:
        return (rng.random(hard.shape) < chance(hard)).astype(float)

    return grades


def _ratings(hard: Array, rng: np.random.Generator) -> Array:
    return np.clip(np.round(3.8 + 0.8 * hard + 0.7 * rng.standard_normal(hard.shape)), 1, 5)


def _scores(hard: Array, rng: np.random.Generator) -> Array:
    """Often 1, sometimes a part of it, seldom nothing, as overlaps of texts are."""
    full = rng.random(hard.shape) < expit(1 + hard)
    part = np.where(rng.random(hard.shape) < 0.7, rng.beta(5, 2, hard.shape), 0.0)
    return np.where(full, 1.0, part)


WORLDS = {
    one.name: one
    for one in (
        World("half right", 1, _right(lambda hard: expit(1.5 * hard))),
        World("nearly all right", 1, _right(lambda hard: expit(3.2 + 1.5 * hard))),
        World("ratings", 1, _ratings, (1.0, 5.0), whole=False),
        World("solved or not", 2, _right(lambda hard: np.where(hard > -1, 0.97, 0.03))),
        World("seldom right", 2, _right(lambda hard: 0.3 * (hard > 0.5) + 0.02)),
        World("scores", 2, _scores, whole=False),
        World("nearly perfect", 2, _right(lambda hard: expit(6.5 + 1.5 * hard))),
    )
}


@dataclass(frozen=True)
class Piece:
    """A verb, a world, how many attempts at how many items, and what goes with them."""

    verb: str
    world: str
    attempts: int
    n: int
    side: str = ""

    @property
    def name(self) -> str:
        beside = f" - {self.side}" if self.side else ""
        return f"{self.verb} - grades - {self.world} - {self.attempts} - {self.n}{beside}"

    @property
    def design(self) -> str:
        return f"one test set, {self.side}" if self.side else "one test set"


def pieces(every: int = 1) -> list[Piece]:
    """All pieces, or each `every`-th."""
    found = [
        Piece(verb, world, attempts, n, side)
        for verb in ("assess", "compare")
        for world in WORLDS
        for attempts in ATTEMPTS
        for side, sizes in (
            ("", SIZES),
            ("groups", (200, 2000)),
            ("frequency weights", (200,)),
            ("sampling weights", (200,)),
        )
        for n in sizes
        if not (verb == "compare" and side == "sampling weights")  # refused
        and not ("weights" in side and attempts == 10)
    ]
    return found[::every]


def asked(world: World, attempts: int) -> list[Measure]:
    """The measures that such a table allows, with their parameters."""
    every = [registry.get("grade"), registry.get("cost_per_attempt")]
    every += [registry.get("tokens_per_attempt"), registry.get("seconds_per_attempt")]
    if not world.whole:
        low, high = world.bounds
        every += [registry.get("above", bar=low + 0.75 * (high - low)), registry.get("median")]
        return [*every, *(registry.get("quantile", q=q) for q in (0.25, 0.9))]
    every += [registry.get("above", bar=1.0)]
    if attempts > 1:
        every += [registry.get(name) for name in ("pass@2", "pass^2", "consistency")]
    return every


def cells(piece: Piece, seconds: float, sets: int, seed: int) -> list[Cell]:
    """A cell a measure."""
    world, null = WORLDS[piece.world], piece.verb == "compare"
    root = crc32(piece.name.encode())

    def draws(number: int) -> Predictions:
        rng = np.random.default_rng([seed, root, number])
        return table(world, piece.attempts, piece.n, piece.side, 1 + null, rng)

    measures = [one.on(draws(0)) for one in asked(world, piece.attempts) if one.paired or not null]
    tallies = collected(draws, measures, ask_pair if null else ask_one, seconds, MOST)
    made = []
    for measure in measures:
        if measure.title in tallies:
            truth, se = (0.0, 0.0)
            if not null:
                truth, se = truths(piece.world, piece.attempts, seed)[measure.title]
            made.append(
                Cell(
                    piece.verb, measure.name, design=piece.design, plan=piece.design,
                    world=f"{piece.world}, {piece.attempts} attempts", family=world.family,
                    share=nan, learner="fixed rule", n=piece.n, rarest=nan, truth=truth,
                    truth_se=se, models=1 + null, **tallies[measure.title].shares(truth, null),
                )
            )  # fmt: skip
    return made


@cache
def truths(name: str, attempts: int, seed: int) -> dict[str, tuple[float, float]]:
    """The value of each measure on very many items, and its standard error."""
    world, rng = WORLDS[name], np.random.default_rng([seed, 13])
    parts = [table(world, attempts, LARGE, "", 1, rng) for _ in range(BATCHES)]
    found = {}
    for measure in asked(world, attempts):
        values = [measure.on(part).of(part) for part in parts]
        se = float(np.std(values, ddof=1) / np.sqrt(BATCHES))
        found[measure.title] = float(np.mean(values)), se
    return found


def table(
    world: World, attempts: int, n: int, side: str, models: int, rng: np.random.Generator
) -> Predictions:
    """Models of one law on the same items, each with its own share of what makes them hard.

    Costs and tokens are log-normal, seconds exponential.
    """
    group = np.arange(n) // OF_A_GROUP if side == "groups" else None
    common = _hard(group, n, rng)
    grades, spent = [], []
    for _ in range(models):
        hard = np.sqrt(0.7) * common + np.sqrt(0.3) * _hard(group, n, rng)
        grades.append(world.grades(np.repeat(hard[:, None], attempts, axis=1), rng))
        spent.append(np.sqrt(0.5) * (hard[:, None] + rng.standard_normal((n, attempts))))
    weight, kind = None, None
    if side == "frequency weights":
        weight, kind = np.full(n, 1.0), "frequency"
    elif side == "sampling weights":
        weight, kind = rng.uniform(0.5, 1.5, n), "sampling"
    item = np.tile(np.repeat(np.arange(n), attempts), models)
    normal = np.concatenate([one.ravel() for one in spent])
    taken = {"cost": np.exp(0.7 * normal), "tokens": np.exp(normal), "seconds": -log_ndtr(-normal)}
    return Predictions.graded(
        np.concatenate([one.ravel() for one in grades]),
        model=np.repeat([f"m{one}" for one in range(models)], n * attempts) if models > 1 else "m0",
        item=item, attempt=np.tile(np.arange(attempts), n * models),
        group=None if group is None else group[item],
        weight=None if weight is None else weight[item], weights=kind, bounds=world.bounds,
        columns=taken,
    )  # fmt: skip


def _hard(group: Array | None, n: int, rng: np.random.Generator) -> Array:
    """Standard normal; items of a group share a fifth of the variance."""
    own = rng.standard_normal(n)
    if group is None:
        return own
    shared: Array = rng.standard_normal(int(group[-1]) + 1)[group]
    return np.sqrt(0.8) * own + np.sqrt(0.2) * shared
