"""From summaries to cells: every method on every plan, judged on the target it declares."""

from collections.abc import Iterator, Mapping
from math import isnan
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.coverage.resampled import _tables as tables
from benchmarks.coverage.resampled._covered import Covered, counted
from benchmarks.coverage.resampled._intervals import column, methods
from benchmarks.coverage.resampled._learners import Learner
from benchmarks.coverage.resampled._store import Found
from benchmarks.coverage.resampled._study import trained
from benchmarks.coverage.resampled._tasks import Population

Array = npt.NDArray[Any]
OWN = "mean risk of the K fitted models"
RECIPE = "recipe with {n} rows"


def cells(
    tasks: tuple[Population, ...],
    learners: Mapping[str, Learner],
    done: Mapping[tuple[str, int], tuple[Found, Found]],
    fresh: bool = False,
) -> Iterator[Covered]:
    """All cells of a study."""
    for task in tasks:
        for (name, n), (found, truth) in done.items():
            if name != task.name:
                continue
            for learner in learners:
                for plan in tables.PLANS:
                    if f"{learner}/{plan}" in found:
                        yield from _of_plan(task, learner, plan, n, found, truth, fresh)


def _of_plan(
    task: Population, learner: str, plan: str, n: int, found: Found, truth: Found, fresh: bool
) -> Iterator[Covered]:
    table = found[f"{learner}/{plan}"]
    size = trained(n)[plan]
    risk, se = truth[f"{learner}/{size}"].tolist()
    about = {"task": task.name, "learner": learner, "plan": plan, "n": n, "fresh": fresh}
    for method, (low, high) in methods(plan, table, task.each).items():
        recipe = {"target": RECIPE.format(n=size), "truth": risk, "truth_se": se}
        hits = counted(low, high, risk)
        common = {**about, "method": method, "default": False}
        yield Covered(**common, **recipe, repetitions=len(table), **hits, warned=0.0)
        own = found.get(f"{learner}/own")
        if method == "wald_cv" and plan == "KFold(10)" and own is not None and len(own) > 50:
            part = slice(0, len(own))
            hits = counted(low[part], high[part], own)
            common["method"] = "wald_cv, own target"
            stated = {"target": OWN, "truth": float(own.mean()), "truth_se": float("nan")}
            yield Covered(**common, **stated, repetitions=len(own), **hits)


def points(
    learners: Mapping[str, Learner], done: Mapping[tuple[str, int], tuple[Found, Found]]
) -> list[dict[str, Any]]:
    """Bias and root mean squared error of the bootstrap's points and of K-fold, for n rows."""
    found_points = []
    for (task, n), (found, truth) in done.items():
        for learner in learners:
            if f"{learner}/Bootstrap(50)" not in found:
                continue
            risk = float(truth[f"{learner}/{n}"][0])
            table = found[f"{learner}/Bootstrap(50)"]
            out, own, none = (column(table, name) for name in ("p", "own", "n_train"))
            folds = column(found[f"{learner}/KFold(10, repeats=5)"][: len(table)], "p")
            values = {
                "resubstitution": own, "left_out": out, "bootstrap_632": 0.368 * own + 0.632 * out,
                "bootstrap_632_plus": _plus(own, out, none), "KFold(10, repeats=5)": folds,
            }  # fmt: skip
            for name, value in values.items():
                gap = value - risk
                found_points.append({
                    "task": task, "learner": learner, "n": n, "point": name,
                    "repetitions": len(gap), "truth": round(risk, 5),
                    "bias": round(float(gap.mean()), 5),
                    "rmse": round(float(np.sqrt((gap**2).mean())), 5),
                })  # fmt: skip
    return found_points


def _plus(own: Array, out: Array, none: Array) -> Array:
    from heliast.estimates.resampled._bootstraps import plus

    each = zip(own.tolist(), out.tolist(), none.tolist(), strict=True)
    return np.array([plus(*three) for three in each])


def width_ratio(cells: list[Covered], method: str, other: str) -> float:
    """Median over cells of the ratio of median widths."""
    width = {(c.task, c.learner, c.plan, c.n, c.method): c.width for c in cells}
    found = [
        width[(*key[:4], method)] / width[(*key[:4], other)]
        for key in width
        if key[4] == method and (*key[:4], other) in width
    ]
    found = [ratio for ratio in found if not isnan(ratio)]
    return float(np.median(found)) if found else float("nan")
