"""The cells of rows in order of time: what neighbours share is an autoregression of known strength.

Kinds: `errors` are right or wrong in a chain of two states, so that the autocorrelation of the
losses is exactly the one named; `scores` are those of normal classes whose noise is autoregressive;
`numbers` have errors whose squares are autocorrelated as named.
"""

from dataclasses import dataclass
from functools import cache
from itertools import product
from math import nan
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt
from scipy.signal import lfilter
from scipy.special import expit

from benchmarks.coverage.map._answers import collected
from benchmarks.coverage.map._asked import asked
from benchmarks.coverage.map._assessing import ask as ask_one
from benchmarks.coverage.map._cell import Cell
from benchmarks.coverage.map._comparing import ask as ask_pair
from benchmarks.coverage.map._truth import BATCHES, valued
from benchmarks.coverage.map._worlds import World
from heliast.predictions import Meta, Predictions

Array = npt.NDArray[Any]
STRENGTHS, SIZES = (0.0, 0.3, 0.6, 0.9), (100, 500, 2000)
WORLDS = {
    kind: World(kind, 1, k, share, None, None)  # type: ignore[arg-type]
    for kind, k, share in (("errors", 2, 0.5), ("scores", 2, 0.3), ("numbers", 0, 0.5))
}
ERROR = 0.2
CLOSELY = ("error", "auc", "brier", "mae", "mse")
"""The measures whose cells have most repetitions."""
MOST, LARGE = 2000, 400_000


@dataclass(frozen=True)
class Piece:
    """A verb, a kind of losses, how strongly neighbours go together, and how many rows."""

    verb: str
    kind: str
    strength: float
    n: int

    @property
    def name(self) -> str:
        return f"{self.verb} - in order - {self.kind} - {self.strength:g} - {self.n}"


def pieces(every: int = 1) -> list[Piece]:
    """All pieces, or each `every`-th."""
    found = product(("assess", "compare"), WORLDS, STRENGTHS, SIZES)
    return [Piece(*each) for each in found][::every]


def cells(piece: Piece, seconds: float, sets: int, seed: int) -> list[Cell]:
    """A cell a measure; what is true of independent rows is true of these."""
    world, null = WORLDS[piece.kind], piece.verb == "compare"
    root = crc32(piece.name.encode())

    def draws(number: int) -> Predictions:
        rng = np.random.default_rng([seed, root, number])
        return table(piece.kind, piece.strength, piece.n, 1 + null, rng)

    measures = asked(world)
    ask = ask_pair if null else ask_one
    closely = [measure for measure in measures if measure.name in CLOSELY]
    others = [measure for measure in measures if measure.name not in CLOSELY]
    tallies = collected(draws, closely, ask, seconds, MOST)
    tallies |= collected(draws, others, ask, seconds / 4, MOST)
    made = []
    for measure in measures:
        if measure.title in tallies:
            truth, se = (0.0, 0.0) if null else truths(piece.kind, seed)[measure.title]
            made.append(
                Cell(
                    piece.verb, measure.name, design="in order of time", plan="in order of time",
                    world=f"{piece.kind}, autocorrelation {piece.strength:g}", family=1,
                    share=world.share, learner="fixed rule", n=piece.n,
                    rarest=world.share * piece.n if world.k else nan, truth=truth, truth_se=se,
                    models=1 + null,
                    **tallies[measure.title].shares(truth, null),
                )
            )  # fmt: skip
    return made


@cache
def truths(kind: str, seed: int) -> dict[str, tuple[float, float]]:
    """The value of each measure on very many independent rows, and its standard error."""
    rng = np.random.default_rng([seed, 13])
    parts = [table(kind, 0.0, LARGE // BATCHES, 1, rng) for _ in range(BATCHES)]
    found = {m.title: [valued(m, part) for part in parts] for m in asked(WORLDS[kind])}
    return {
        title: (float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(BATCHES)))
        for title, values in found.items()
    }


def table(kind: str, strength: float, n: int, models: int, rng: np.random.Generator) -> Predictions:
    """Models of one law on the same rows, which are in order."""
    k = WORLDS[kind].k
    y = (rng.random(n) < WORLDS[kind].share).astype(np.uint8) if k else rng.normal(0, 2, n)
    each = [_predicted(kind, strength, y, rng) for _ in range(models)]
    meta = Meta("regression", design="time")
    if k:
        meta = Meta("classification", (0, 1), 1, "probability", design="time")
    return Predictions(
        np.tile(y, models), np.concatenate([label for label, _ in each]), meta,
        models=tuple(f"m{one}" for one in range(models)),
        scores=np.concatenate([score for _, score in each]) if k else None,
        model_code=np.repeat(np.arange(models), n).astype(np.int32) if models > 1 else None,
        row=np.tile(np.arange(n), models), group=np.tile(np.arange(n), models),
    )  # fmt: skip


def _predicted(
    kind: str, strength: float, y: Array, rng: np.random.Generator
) -> tuple[Array, Array | None]:
    if kind == "numbers":
        return y + chained(y.size, strength**0.5, rng), None
    if kind == "scores":
        share, gap = WORLDS[kind].share, 2.0
        x = gap * y + chained(y.size, strength, rng)
        score = expit(np.log(share / (1 - share)) + gap * x - gap**2 / 2)
        return (score > 0.5).astype(np.uint8), score
    label = np.where(held(y.size, strength, rng), 1 - y, y).astype(np.uint8)
    sure = rng.uniform(0.5, 1, y.size)
    return label, np.where(label == 1, sure, 1 - sure)


def chained(n: int, strength: float, rng: np.random.Generator) -> Array:
    """Standard normal, each the one before times `strength` plus noise."""
    noise = rng.standard_normal(n)
    noise[1:] *= np.sqrt(1 - strength**2)
    found: Array = lfilter([1.0], [1.0, -strength], noise)
    return found


def held(n: int, strength: float, rng: np.random.Generator) -> Array:
    """True at a rate of 0.2; kept from the row before with probability `strength`, else drawn."""
    kept, drawn = rng.random(n) < strength, rng.random(n) < ERROR
    kept[0] = False
    since = np.maximum.accumulate(np.where(kept, 0, np.arange(n)))
    found: Array = drawn[since]
    return found
