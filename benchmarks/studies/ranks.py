"""Whether the ranks that are possible hold for all models together.

    python -m benchmarks.studies.ranks [--times 400] [--seed 1]

Models with known chances to solve an item, some of them equal: the ranks of all models hold if none
of them leaves out a rank that the model may have. Two families: items that are harder or easier for
all models on the logit scale, and items of two kinds that models solve with chances of their own.
"""

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit, ndtri

from heliast.predictions import Predictions
from heliast.verbs.compare import compare

Array = npt.NDArray[Any]
TRUTHS = {
    "all equal": (0.6,) * 8,
    "two are best": (0.7, 0.7, *(0.5,) * 6),
    "steps": tuple(np.linspace(0.45, 0.75, 8)),
    "nearly perfect": (0.99, 0.99, 0.98, 0.97, 0.95, 0.95, 0.9, 0.9),
}
DESIGNS = {"one attempt": (150, 1, 0), "three attempts": (100, 3, 0), "groups": (200, 2, 40)}


def by_logit(chance: float, hard: Array, rng: np.random.Generator) -> Array:
    """Chances of items; the mean over items is not `chance`, but equal chances are equal."""
    return expit(logit(chance) + 1.2 * hard + 0.6 * rng.standard_normal(hard.size))


def of_two_kinds(chance: float, hard: Array, rng: np.random.Generator) -> Array:
    """Each item is solved mostly, or hardly ever; how many are depends on the chance."""
    own = 0.8 * hard + 0.6 * rng.standard_normal(hard.size)
    return np.where(own < ndtri(chance), 0.97, 0.03)


FAMILIES: dict[str, Callable[[float, Array, np.random.Generator], Array]] = {
    "logit": by_logit,
    "two kinds": of_two_kinds,
}


def table(
    chances: tuple[float, ...], family: str, design: str, rng: np.random.Generator
) -> Predictions:
    """Graded answers of models with these chances to the same items."""
    n, attempts, groups = DESIGNS[design]
    group = np.arange(n) % groups if groups else None
    hard = rng.standard_normal(n)
    if group is not None:
        hard = 0.8 * hard + 0.6 * rng.standard_normal(groups)[group]
    grades = [
        (rng.random((n, attempts)) < FAMILIES[family](one, hard, rng)[:, None]).ravel()
        for one in chances
    ]
    item = np.tile(np.repeat(np.arange(n), attempts), len(chances))
    return Predictions.graded(
        np.concatenate(grades).astype(float),
        model=np.repeat([f"m{at}" for at in range(len(chances))], n * attempts),
        item=item,
        attempt=np.tile(np.arange(attempts), n * len(chances)),
        group=None if group is None else group[item],
    )


def hold(chances: tuple[float, ...], found: Predictions) -> tuple[bool, float]:
    """Whether all ranks hold, and how many ranks a model may have on average."""
    ranks = {one.model: one for one in compare(found).ranks}
    fine, wide = True, 0.0
    for at, own in enumerate(chances):
        rank = ranks[f"m{at}"]
        first = 1 + sum(other > own for other in chances)
        last = len(chances) - sum(other < own for other in chances)
        fine &= rank.best <= first and last <= rank.worst
        wide += (rank.worst - rank.best + 1) / len(chances)
    return fine, wide


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    asked.add_argument("--times", type=int, default=400)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    print("| truth | items | family | hold together | ranks a model may have |")
    print("| --- | --- | --- | --- | --- |")
    for family in FAMILIES:
        for truth, chances in TRUTHS.items():
            for design in DESIGNS:
                rng = np.random.default_rng([given.seed, len(truth), len(design)])
                every = [
                    hold(chances, table(chances, family, design, rng)) for _ in range(given.times)
                ]
                held, wide = np.mean(every, axis=0)
                print(f"| {truth} | {design} | {family} | {held:.3f} | {wide:.1f} |", flush=True)


if __name__ == "__main__":
    main()
