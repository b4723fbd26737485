"""Costs with long tails and quantiles of grades, by laws whose truth is known.

    python -m benchmarks.studies.skewed [--tables 600] [--seed 1] [--only costs pairs quantiles]

Prints how often the default interval of a mean cost holds it, beside Student's and Hall's, and how
wide it is by the median, relative to Student's; how often two models of the same mean cost are told
apart; and how often quantiles of grades lie within their limits. Items vary with a normal hardness,
of which attempts share 60%, items of a group (five of them) 30%, and two models 50%.
"""

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import gammaincinv, log_ndtr, ndtr, ndtri

import heliast as hl
from heliast import measures
from heliast.estimates import estimate
from heliast.measures.summaries import Counted

Array = npt.NDArray[Any]
Law = Callable[[Array], Array]
COSTS: dict[str, Law] = {
    "log-normal 0.5": lambda z: np.exp(0.5 * z - 0.125),
    "log-normal 1": lambda z: np.exp(z - 0.5),
    "log-normal 1.5": lambda z: np.exp(1.5 * z - 1.125),
    "gamma 0.5": lambda z: 2 * gammaincinv(0.5, ndtr(z)),
    "exponential": lambda z: -log_ndtr(-z),
    "Pareto 3": lambda z: np.exp(-log_ndtr(-z) / 3) / 1.5,
    "normal": lambda z: 1 + z / 5,
}
"""Of a standard normal number; the mean is 1."""
PAIRS = (
    ("log-normal 0.5", "log-normal 0.5"),
    ("log-normal 1", "log-normal 1"),
    ("log-normal 1", "log-normal 0.5"),
    ("log-normal 1", "exponential"),
    ("log-normal 1.5", "log-normal 0.5"),
    ("log-normal 1.5", "log-normal 1"),
    ("Pareto 3", "exponential"),
)
CUTS = np.array([0.1, 0.25, 0.45, 0.75])
GRADES: dict[str, tuple[Law, tuple[float, float]]] = {
    "normal": (lambda z: z, (-20, 20)),
    "exponential": (COSTS["exponential"], (0, 100)),
    "beta": (lambda z: np.sqrt(ndtr(z)), (0, 1)),
    "log-normal": (np.exp, (0, 1e9)),
    "ratings": (lambda z: 1.0 + np.searchsorted(CUTS, ndtr(z)), (1, 5)),
}
SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)
DESIGNS = [(n, 0, k) for n in (20, 50, 200, 1000) for k in (1, 3)]
DESIGNS += [(5 * groups, groups, k) for groups in (20, 60) for k in (1, 3)]
"""Items, groups, attempts."""


def table(
    design: tuple[int, int, int], laws: list[Law], rng: np.random.Generator, bounds: Any = None
) -> hl.Predictions:
    """A model for each law; what it gives is the cost, or with bounds the grade."""
    n, groups, attempts = design
    group = np.arange(n) // 5 if groups else None

    def hard() -> Array:
        own: Array = rng.standard_normal(n)
        if group is None:
            return own
        shared = np.sqrt(0.3) * rng.standard_normal(groups)[group]
        return np.asarray(shared + np.sqrt(0.7) * own)

    both, given = hard(), []
    for law in laws:
        z = (both if len(laws) == 1 else np.sqrt(0.5) * (both + hard()))[:, None]
        if attempts > 1:
            z = np.sqrt(0.6) * z + np.sqrt(0.4) * rng.standard_normal((n, attempts))
        given.append(law(z).ravel())
    item, models, flat = np.repeat(np.arange(n), attempts), len(laws), np.concatenate(given)
    return hl.Predictions.graded(
        np.ones(flat.size) if bounds is None else flat, bounds=bounds,
        item=np.tile(item, models), attempt=np.tile(np.arange(attempts), n * models),
        model=np.repeat([f"m{at}" for at in range(models)], n * attempts),
        group=None if group is None else np.tile(group[item], models),
        columns={"cost": flat} if bounds is None else None,
    )  # fmt: skip


def costs(tables: int, rng: np.random.Generator) -> None:
    measure = measures.get("cost_per_attempt")
    for design in DESIGNS:
        for name, law in COSTS.items():
            ends: dict[str, list[tuple[float, float]]] = {"student_t": [], "hall": [], "auto": []}
            for _ in range(tables):
                counted = Counted(table(design, [law], rng).rows())
                for method, found in ends.items():
                    one = estimate(measure, counted, interval=method)
                    found.append((one.low, one.high))
            limits = {method: np.array(found).T for method, found in ends.items()}
            held = {m: np.mean((low <= 1) & (high >= 1)) for m, (low, high) in limits.items()}
            wide = {m: np.median(high - low) for m, (low, high) in limits.items()}
            covers = ", ".join(f"{m} {share:.3f}" for m, share in held.items())
            print(
                *design, name, covers, f"width {wide['auto'] / wide['student_t']:.2f}", flush=True
            )


def pairs(tables: int, rng: np.random.Generator) -> None:
    for design in (one for one in DESIGNS if one[2] == 1 and one[0] < 1000):
        for names in PAIRS:
            laws = [COSTS[name] for name in names]
            each = (hl.compare(table(design, laws, rng), "cost_per_attempt") for _ in range(tables))
            told = np.mean([found["m0", "m1"].p < 0.05 for found in each])
            print(*design, " and ".join(names), f"told apart {told:.3f}", flush=True)


def quantiles(tables: int, rng: np.random.Generator) -> None:
    for design in DESIGNS:
        for name, (law, bounds) in GRADES.items():
            # Ratings jump at some of these shares, where the lower one is the quantile.
            truths = [law(ndtri(np.array(q)) - 1e-12) for q in SHARES]
            held = np.zeros(len(SHARES))
            for _ in range(tables):
                counted = Counted(table(design, [law], rng, bounds).rows())
                for at, (q, truth) in enumerate(zip(SHARES, truths, strict=True)):
                    one = estimate(measures.get("quantile", q=q), counted)
                    held[at] += one.low <= truth <= one.high
            covers = ", ".join(f"{q:g} {x:.3f}" for q, x in zip(SHARES, held / tables, strict=True))
            print(*design, name, covers, flush=True)


KINDS = {"costs": costs, "pairs": pairs, "quantiles": quantiles}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    asked.add_argument("--tables", type=int, default=600)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--only", nargs="+", choices=KINDS, default=[*KINDS])
    given = asked.parse_args()
    for kind in given.only:
        print(f"items, groups, attempts: {kind}")
        KINDS[kind](given.tables, np.random.default_rng(given.seed))


if __name__ == "__main__":
    main()
