"""Gaussian naive Bayes: class sums of some rows, quadratic forms, and leaving out each row."""

import math
from typing import Any

import numpy as np

from ._arrays import Counts, Floats
from ._jit import kernel, summing_kernel
from .crew import pieces, spread

ROWS = 512
"""Rows that leave-one-out takes at a time."""


@kernel
def class_sums(centred: Any, codes: Any, rows: Any, weight: Any, out: Any) -> None:
    """Add Σ w, Σ w z and Σ w z² of the rows' classes to out[class, 0], [1 .. d], [d+1 .. 2d].

    z are inputs about the class means of all rows, so that squares lose no digits; `weight` None
    counts every row once.
    """
    d = centred.shape[1]
    for at in range(rows.size):
        i = rows[at]
        into = out[codes[i]]
        w = 1.0 if weight is None else weight[at]
        into[0] += w
        for j in range(d):
            z = centred[i, j]
            into[1 + j] += w * z
            into[1 + d + j] += w * z * z


@summing_kernel
def _quadratics(X: Any, rows: Any, mean: Any, scale: Any, out: Any) -> None:
    k, d = mean.shape
    for at in range(rows.size):
        i = rows[at]
        for c in range(k):
            total = 0.0
            for j in range(d):
                gap = X[i, j] - mean[c, j]
                total += gap * gap * scale[c, j]
            out[at, c] = total


def quadratics(
    X: Floats, rows: Counts, borders: Counts, mean: Floats, scale: Floats, out: Floats
) -> None:
    """out[i, c] = Σ_j (x_ij - mean_cj)² scale_cj, with the mean and scale of row i's piece."""
    parts = range(borders.size - 1)
    cuts = [slice(borders[p], borders[p + 1]) for p in parts]
    spread(_quadratics, [(X, rows[cuts[p]], mean[p], scale[p], out[cuts[p]]) for p in parts])


@summing_kernel
def _without(
    x: Any, n: int, m: float, mean: Any, second: Any, whole: Any, smoothing: float,
    own_mean: Any, own_var: Any,
) -> Any:  # fmt: skip
    """Mean and variance of the own class without x; what is added to variances; the loss."""
    # All inputs together: their largest variance sets what is added to every variance.
    top = 0.0
    for j in range(x.size):
        gap = x[j] - whole[0, j]
        here = (whole[1, j] - gap * gap * n / (n - 1)) / (n - 1)
        top = here if here > top else top
    added = smoothing * top
    worst = 0.0
    for j in range(x.size):
        gap = x[j] - mean[j]
        rest = second[j] - gap * gap * m / (m - 1)
        rest = rest if rest > 0.0 else 0.0
        own_mean[j] = mean[j] - gap / (m - 1)
        own_var[j] = rest / (m - 1) + added
        share = second[j] / (rest + (m - 1) * added)
        worst = share if share > worst or share != share else worst
    return added, worst


@summing_kernel
def _left_out(
    X: Any, codes: Any, count: Any, mean: Any, second: Any, whole: Any, smoothing: float,
    first: int, last: int, quadratic: Any, logdet: Any, loss: Any,
) -> None:  # fmt: skip
    n, d = X.shape
    k = count.size
    variance = np.empty((k, d))
    for g in range(k):
        for j in range(d):
            variance[g, j] = second[g, j] / count[g]
    own_mean, own_var, var = np.empty(d), np.empty(d), np.empty(d)
    for i in range(first, last):
        c = codes[i]
        added, loss[i] = _without(
            X[i], n, count[c], mean[c], second[c], whole, smoothing, own_mean, own_var
        )
        for g in range(k):
            total, logs = 0.0, 0.0
            if g == c:
                for j in range(d):
                    var[j] = own_var[j]
                    gap = X[i, j] - own_mean[j]
                    total += gap * gap / own_var[j]
            else:
                for j in range(d):
                    var[j] = variance[g, j] + added
                    gap = X[i, j] - mean[g, j]
                    total += gap * gap / var[j]
            # The log of a product of eight: few enough to stay in range.
            for start in range(0, d, 8):
                product = 1.0
                for j in range(start, min(start + 8, d)):
                    product *= var[j] * whole[2, j]
                logs += math.log(product)
            quadratic[i, g] = total
            logdet[i, g] = logs


def left_out(
    X: Floats, codes: Counts, count: Floats, mean: Floats, second: Floats, whole: Floats,
    smoothing: float,
) -> tuple[Floats, Floats, Floats]:  # fmt: skip
    """Quadratic form and log determinant of every row and class, without that row, and the loss.

    `count`, `mean`, `second` (Σ (x - mean)²) are the classes' own, `whole` holds the mean and
    Σ (x - mean)² of all rows and a scale that brings variances near 1 (it cancels between
    classes). Without row i of class c,
    mean' = mean - g/(m-1), second' = second - g² m/(m-1), g = x_i - mean.
    The loss is the largest second/second': what rounding of the difference is multiplied by.
    """
    n, k = X.shape[0], count.size
    quadratic, logdet, loss = np.empty((n, k)), np.empty((n, k)), np.empty(n)
    given = (X, codes, count, mean, second, whole, smoothing)
    tasks = [(*given, *ends, quadratic, logdet, loss) for ends in pieces(n, ROWS)]
    spread(_left_out, tasks)
    return quadratic, logdet, loss
