"""Null world of many data sets: true differences symmetric about 0."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.coverage.sizes._size import Size, size
from heliast import comparisons as tests

Array = npt.NDArray[Any]
Rng = np.random.Generator
WORLD = "procedure: many data sets"
NOISE = ("normal", "heavy tails", "rounded to 0.01")
MODELS = 4


def sizes(repetitions: int, seed: int) -> list[Size]:
    rng = np.random.default_rng([seed, 2])
    found = []
    for sets in (6, 10, 30):
        for noise in NOISE:
            null = [_table(sets, noise, rng) for _ in range(repetitions)]
            other = [_table(sets, noise, rng, 0.03) for _ in range(repetitions // 4)]
            found += list(_pairs(sets, noise, null, other))
            found += list(_all(sets, noise, null, other))
    return found


def _table(sets: int, noise: str, rng: Rng, worse: float = 0.0) -> Array:
    """Errors: how hard the set is, and what each model makes of it."""
    scale = 0.03 * np.exp(rng.normal(scale=0.7, size=(sets, 1)))  # sets differ in spread
    own = rng.standard_t(2, (sets, MODELS)) if noise == "heavy tails" else None
    own = rng.normal(size=(sets, MODELS)) if own is None else own
    table = 0.3 + 0.1 * rng.normal(size=(sets, 1)) + scale * own
    table[:, 0] += worse
    return np.round(table, 2) if noise.startswith("rounded") else table


def _pairs(sets: int, noise: str, null: list[Array], other: list[Array]) -> Iterator[Size]:
    for test, default in (("wilcoxon", True), ("sign_test", False), ("paired_t", False)):
        ask = getattr(tests, test)

        def p(table: Array, ask: Any = ask) -> float:
            return float(ask(table[:, 0], table[:, 1]).p)

        yield size(WORLD, noise, test, default, sets, map(p, null), map(p, other))


def _all(sets: int, noise: str, null: list[Array], other: list[Array]) -> Iterator[Size]:
    def friedman(table: Array) -> float:
        return tests.friedman(table, "low").p

    def iman_davenport(table: Array) -> float:
        return tests.iman_davenport(table, "low").p

    def holm(table: Array) -> float:
        pairs = combinations(table.T, 2)
        return min(tests.holm([tests.wilcoxon(a, b).p for a, b in pairs]))

    yield size(WORLD, noise, "friedman", False, sets, map(friedman, null), map(friedman, other))
    yield size(
        WORLD, noise, "iman_davenport", True, sets, map(iman_davenport, null),
        map(iman_davenport, other),
    )  # fmt: skip
    name = f"wilcoxon + Holm, any of {MODELS * (MODELS - 1) // 2} pairs"
    yield size(WORLD, noise, name, True, sets, map(holm, null), map(holm, other))
    # The quantile of the studentized range is slow and the same for all tables: look it up once.
    critical = tests.nemenyi(null[0], "low").critical_difference

    def nemenyi(table: Array) -> float:
        ranks = tests.friedman(table, "low").ranks
        return 0.0 if max(ranks) - min(ranks) >= critical else 1.0

    yield size(
        WORLD, noise, "nemenyi, any pair", False, sets, map(nemenyi, null), map(nemenyi, other)
    )
