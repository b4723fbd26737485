"""How often find_slices reports a slice where none is weak, and finds one that was planted.

    python -m benchmarks.studies.find_slices [--times 1000] [--seed 5]

Four columns, two of text (5 and 4 values) and two of numbers. Family 1: right or wrong, 15% errors.
Family 2, which nothing was tuned on: the same in groups of ten that share a difficulty, and errors
of numbers of a Laplace law. Planted: 5% of the rows (one value of five and the highest quarter of a
number) with 20 points more error.
"""

import argparse
from collections.abc import Callable

import numpy as np

import heliast as hl
from heliast.predictions import Predictions

BASE, MORE = 0.15, 0.2
Draw = Callable[[np.random.Generator, int, float], Predictions]


def inputs(rng: np.random.Generator, n: int) -> dict[str, np.ndarray]:
    return {
        "a": rng.choice(list("abcde"), n), "b": rng.normal(size=n),
        "c": rng.choice(list("wxyz"), n), "d": rng.exponential(size=n),
    }  # fmt: skip


def planted(columns: dict[str, np.ndarray]) -> np.ndarray:
    return (columns["a"] == "c") & (columns["b"] > np.quantile(columns["b"], 0.75))


def errors(rng: np.random.Generator, n: int, more: float, group: bool = False) -> Predictions:
    columns = inputs(rng, n)
    chance = BASE + more * planted(columns)
    groups = rng.permutation(n) // 10
    if group:
        chance = np.clip(chance + rng.normal(0, 0.08, n)[groups], 0.01, 0.99)
    truth = rng.integers(0, 2, n)
    label = np.where(rng.random(n) < chance, 1 - truth, truth)
    given = groups if group else None
    return Predictions.of(truth, label, classes=[0, 1], columns=columns, group=given)


def grouped(rng: np.random.Generator, n: int, more: float) -> Predictions:
    return errors(rng, n, more, group=True)


def numbers(rng: np.random.Generator, n: int, more: float) -> Predictions:
    columns = inputs(rng, n)
    truth = rng.normal(size=n)
    scale = 1 + 5 * more * planted(columns)
    return Predictions.of(
        truth, truth + scale * rng.laplace(size=n), task="regression", columns=columns
    )


def share(draw: Draw, n: int, more: float, times: int, seed: int) -> float:
    """In how many tables a slice is reported; if one is planted, one that holds its value of a."""
    rng, found = np.random.default_rng([seed, n, round(100 * more)]), 0
    for number in range(times):
        names = [one.name for one in hl.find_slices(draw(rng, n, more), seed=number)]
        found += any("a = c" in name for name in names) if more else bool(names)
    return found / times


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    asked.add_argument("--times", type=int, default=1000)
    asked.add_argument("--seed", type=int, default=5)
    given = asked.parse_args()
    for draw, n in ((errors, 1000), (errors, 4000), (grouped, 2000), (numbers, 2000)):
        part = given.times if (draw, n) == (errors, 1000) else given.times // 2
        print(f"none, {draw.__name__}, {n}:", share(draw, n, 0.0, part, given.seed), flush=True)
    for draw in (errors, grouped, numbers):
        for n in (1000, 2000, 4000):
            found = share(draw, n, MORE, given.times // 10, given.seed)
            print(f"planted, {draw.__name__}, {n}:", found, flush=True)


if __name__ == "__main__":
    main()
