"""Tables of several models on the same rows, for the tests of compare."""

from typing import Any

import numpy as np

import heliast as hl


def table(wrong: dict[str, Any], **fields: Any) -> hl.Predictions:
    """Models that err on the given rows of one test set."""
    n = len(next(iter(wrong.values())))
    truth = np.array(["no", "yes"] * n)[:n]
    other = np.where(truth == "no", "yes", "no")
    parts = [
        hl.Predictions.of(truth, np.where(w, other, truth), model=name, row=range(n), **fields)
        for name, w in wrong.items()
    ]
    joined = parts[0]
    for part in parts[1:]:
        joined = joined.join(part)
    return joined


def errs(*spans: tuple[int, int], n: int = 200) -> np.ndarray:
    wrong = np.zeros(n, bool)
    for start, stop in spans:
        wrong[start:stop] = True
    return wrong


TWO = {"tree": errs((0, 30)), "knn": errs((24, 34))}  # only tree 24, only knn 4, both 6
THREE = {**TWO, "bayes": errs((20, 31))}


def scored(seed: int = 0, n: int = 120, noise: tuple[float, ...] = (0.3, 0.9)) -> hl.Predictions:
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.4
    parts = [
        hl.Predictions.of(
            truth, y_score=1 / (1 + np.exp(-(truth - 0.5 + rng.normal(0, s, n)))),
            scores="probability", model=f"noise {s}", row=range(n),
        )
        for s in noise
    ]  # fmt: skip
    joined = parts[0]
    for part in parts[1:]:
        joined = joined.join(part)
    return joined


def sets(count: int, models: int = 2) -> dict[str, hl.Predictions]:
    rng = np.random.default_rng(7)
    rates = [0.1, 0.25, 0.4][:models]
    return {
        f"set {at}": table({f"m{j}": rng.random(80) < rate for j, rate in enumerate(rates)})
        for at in range(count)
    }
