"""From probabilities of pairs to probabilities of classes: two ways to solve it."""

import numpy as np

from heliast._core.kinds import Array

SMALLEST = 1e-7
"""Pairwise probabilities are kept this far from 0 and 1, where no class probabilities fit them."""


BLOCK = 512
"""Rows solved at a time: k x k numbers a row stay in cache."""


def hastie_tibshirani(pairs: Array, counts: Array | None = None) -> Array:
    """The p whose pairs m_ij = p_i/(p_i + p_j) are nearest to r_ij in Kullback-Leibler divergence.

    `pairs` (n, k, k) holds r_ij = P(class i | class i or j); `counts` (k, k) weighs the pairs by
    the rows they were learned from. At the solution Σ_j n_ij m_ij = Σ_j n_ij r_ij for every class.
    The authors scale class after class towards that; Newton's steps in log p get there in few.

    >>> truth = np.array([0.5, 0.3, 0.2])
    >>> hastie_tibshirani(truth[:, None] / (truth[:, None] + truth)[None])[0].round(6)
    array([0.5, 0.3, 0.2])

    Reference: Hastie and Tibshirani (1998), *Annals of Statistics* 26, 451-471.
    """
    k = pairs.shape[1]
    weight = np.ones((k, k)) if counts is None else np.array(counts, np.float64)
    np.fill_diagonal(weight, 0.0)
    weight /= weight.max(initial=1e-300)
    p = np.empty(pairs.shape[:2])
    for start in range(0, pairs.shape[0], BLOCK):
        r = np.clip(pairs[start : start + BLOCK], SMALLEST, 1 - SMALLEST)
        p[start : start + BLOCK] = _nearest(r, weight)
    return p


def _nearest(r: Array, weight: Array, steps: int = 200, tolerance: float = 1e-12) -> Array:
    from scipy.special import softmax

    wanted = (weight * r).sum(axis=2)
    # If some p fits all pairs exactly, the mean log odds of a class are log p, but for a constant.
    log_p = np.log(r / (1 - r)).mean(axis=2)
    p = softmax(log_p, axis=1)
    to_do = np.arange(r.shape[0])
    for _ in range(steps):
        now = log_p[to_do]
        m = 1 / (1 + np.exp(now[:, None, :] - now[:, :, None]))
        missing = wanted[to_do] - (weight * m).sum(axis=2)
        step = _newton_step(weight * m * (1 - m), missing)
        # In the flat far ends of the curve a step may overshoot: none is longer than 2.
        longest = np.abs(step).max(axis=1, keepdims=True)
        log_p[to_do] = now + step * np.minimum(1, 2 / np.maximum(longest, 1e-300))
        before, p[to_do] = p[to_do], softmax(log_p[to_do], axis=1)
        to_do = to_do[np.abs(p[to_do] - before).max(axis=1) > tolerance]
        if not to_do.size:
            break
    return np.asarray(p)


def _newton_step(slope: Array, missing: Array) -> Array:
    """Solves the Laplacian of the pairs; the constant it leaves open is set to sum 0."""
    k = slope.shape[1]
    laplacian = -slope
    total = slope.sum(axis=2)
    laplacian[:, np.arange(k), np.arange(k)] = total
    laplacian += total.mean(axis=1)[:, None, None] / k
    return np.asarray(np.linalg.solve(laplacian, missing[:, :, None])[:, :, 0])


def wu_lin_weng(pairs: Array) -> Array:
    """The p that makes Σ_i Σ_j≠i (r_ji p_i - r_ij p_j)² least, with Σ p = 1.

    A linear system: Q p + b 1 = 0, Σ p = 1, with Q_ii = Σ_s≠i r_si², Q_ij = -r_ji r_ij. Its p is
    never negative.

    >>> truth = np.array([0.5, 0.3, 0.2])
    >>> wu_lin_weng(truth[:, None] / (truth[:, None] + truth)[None])[0].round(6)
    array([0.5, 0.3, 0.2])

    Reference: Wu, Lin and Weng (2004), *Journal of Machine Learning Research* 5, 975-1005
    (their second method).
    """
    r = np.clip(pairs, SMALLEST, 1 - SMALLEST)
    n, k, _ = r.shape
    off = ~np.eye(k, dtype=bool)
    system = np.ones((n, k + 1, k + 1))
    system[:, :k, :k] = np.where(off, -r * r.transpose(0, 2, 1), 0.0)
    diagonal = np.where(off, r.transpose(0, 2, 1) ** 2, 0.0).sum(axis=2)
    system[:, np.arange(k), np.arange(k)] = diagonal
    system[:, k, k] = 0.0
    right = np.zeros((n, k + 1, 1))
    right[:, k] = 1.0
    p = np.linalg.solve(system, right)[:, :k, 0]
    p = np.maximum(p, 0.0)  # rounding only
    return np.asarray(p / p.sum(axis=1, keepdims=True))


def wins(pairs: Array) -> Array:
    """Each class's share of the pairs that it wins; r_ij = 1/2 counts for the first class.

    >>> wins(np.array([[[0.5, 0.9, 0.4], [0.1, 0.5, 0.3], [0.6, 0.7, 0.5]]])).round(3)
    array([[0.333, 0.   , 0.667]])
    """
    k = pairs.shape[1]
    first = np.triu(pairs >= 0.5, 1)
    won = first.sum(axis=2) + np.tril(np.ones((k, k), bool), -1).sum(axis=1)
    won = won - first.sum(axis=1)
    return np.asarray(won / max(k * (k - 1) / 2, 1))
