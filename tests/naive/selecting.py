"""Greedy selection with replacement as its authors tell it: average, measure, take the best."""

import numpy as np


def greedy(said, target, size):
    """Weights (m,) of models whose answers are said[j] (n, k): errors first, then squared error."""
    m = len(said)

    def loss(members):
        mean = np.mean([said[j] for j in members], axis=0)
        wrong = (mean.argmax(axis=1) != target.argmax(axis=1)).sum()
        return wrong, round(((mean - target) ** 2).sum(), 9)

    order = sorted(range(m), key=lambda j: loss([j]))[:size]
    members = min((order[: t + 1] for t in range(len(order))), key=loss)
    best, least = list(members), loss(members)
    while len(members) < size:
        members = min(([*members, j] for j in range(m)), key=loss)
        if loss(members) < least:
            best, least = list(members), loss(members)
    return np.bincount(best, minlength=m) / len(best)
