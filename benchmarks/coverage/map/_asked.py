"""What is asked of a world: every measure of the registry, with the parameters that it needs."""

from typing import Any

import numpy as np

from benchmarks.coverage.map._worlds import World
from heliast.measures import Measure, everything

MOST_COST = 20.0


def given(world: World) -> dict[str, Any]:
    """The parameters that measures may require: a cost matrix, a threshold, a beta."""
    k = max(world.k, 2)
    cost = np.abs(np.subtract.outer(np.arange(k), np.arange(k))).astype(float)
    if k == 2:
        cost[1, 0] = min(MOST_COST, round(1 / world.share - 1))
    return {"cost": cost.tolist(), "threshold": round(world.cut, 3), "beta": 2.0}


NEEDS = ("label", "score", "probability")


def asked(
    world: World, only: tuple[str, ...] = (), needs: tuple[str, ...] = NEEDS
) -> list[Measure]:
    """Every measure that can be computed on a table of this world, or `only` those of some names.

    A measure that requires a parameter nobody gives here ends the study: it would have no cell.
    """
    known, task = given(world), "classification" if world.k else "regression"
    found = []
    for one in everything():
        if one.task != task or one.needs not in needs or (only and one.name not in only):
            continue
        measure = one.with_(**{name: known[name] for name in one.required}) if one.required else one
        if not measure.lacks(task, world.k, "probability", world.ordinal):
            found.append(measure)
    return found
