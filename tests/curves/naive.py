"""Curves by trying every threshold, every pair of points, every line."""

import numpy as np


def upper_hull(x, y):
    """Points that no segment between two others passes over or through."""
    points = sorted(set(zip(x.tolist(), y.tolist(), strict=True)))
    best = {}
    for a, b in points:
        best[a] = max(b, best.get(a, b))
    # The start stays even if the curve leaves it straight up.
    ends = [points[0], points[-1]]
    kept = []
    for px, py in points:
        under = py < best[px]
        for ax, ay in points:
            for bx, by in points:
                if ax < px < bx and (by - ay) * (px - ax) >= (py - ay) * (bx - ax):
                    under = True
        if not under or (px, py) in ends:
            kept.append((px, py))
    return kept


def cheapest(truth, score, cost, prevalence, positive=1):
    """The least expected cost over all rules `score >= threshold`."""
    truth, score, cost = np.asarray(truth), np.asarray(score), np.asarray(cost, float)
    negative = 1 - positive
    totals = {}
    for threshold in [np.inf, *np.unique(score)]:
        called = score >= threshold
        tpr, fpr = called[truth == 1].mean(), called[truth == 0].mean()
        totals[threshold] = prevalence * (
            tpr * cost[positive, positive] + (1 - tpr) * cost[positive, negative]
        ) + (1 - prevalence) * (
            fpr * cost[negative, positive] + (1 - fpr) * cost[negative, negative]
        )
    return totals


def envelope(fpr, tpr, x):
    return np.min((1 - tpr)[:, None] * x + fpr[:, None] * (1 - x), axis=0)


def far_from(points, corners):
    """For each point, its distance to the nearest of the corners' segments around it."""
    place = np.clip(np.searchsorted(corners.sum(axis=1), points.sum(axis=1)), 1, len(corners) - 1)
    start, step = corners[place - 1], corners[place] - corners[place - 1]
    length = np.maximum((step**2).sum(axis=1), 1e-300)
    along = np.clip(((points - start) * step).sum(axis=1) / length, 0, 1)
    return np.linalg.norm(points - start - along[:, None] * step, axis=1)
