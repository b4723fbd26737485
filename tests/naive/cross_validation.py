"""Slow twins of the kernels that cross-validate without refitting."""

import math
from collections import Counter
from fractions import Fraction


def decide(score):
    """(label, probabilities) of rows of log densities; equal ones go to the first class."""
    labels, shares = [], []
    for row in score:
        top = max(row)
        labels.append(list(row).index(top))
        parts = [math.exp(value - top) for value in row]
        shares.append([part / math.fsum(parts) for part in parts])
    return labels, shares


def left_out(train, n):
    if max(Counter(train).values(), default=0) > 1:
        return None
    return [i for i in range(n) if i not in set(train)]


def class_sums(rows, codes, weight, k, d):
    """Σ w, Σ w z, Σ w z² of each class, exactly."""
    out = [[Fraction(0)] * (1 + 2 * d) for _ in range(k)]
    for z, c, w in zip(rows, codes, weight, strict=True):
        out[c][0] += Fraction(w)
        for j in range(d):
            out[c][1 + j] += Fraction(w) * Fraction(z[j])
            out[c][1 + d + j] += Fraction(w) * Fraction(z[j]) ** 2
    return [[float(value) for value in row] for row in out]


def moments(values):
    mean = math.fsum(values) / len(values)
    return mean, math.fsum((v - mean) ** 2 for v in values) / len(values)


def naive_bayes_without(X, codes, k, smoothing, row):
    """(quadratic form, log determinant) of a row and each class, fitted on all other rows."""
    others = [i for i in range(len(X)) if i != row]
    inputs = range(len(X[0]))
    added = smoothing * max(moments([X[i][j] for i in others])[1] for j in inputs)
    found = []
    for c in range(k):
        mine = [i for i in others if codes[i] == c]
        stats = [moments([X[i][j] for i in mine]) for j in inputs]
        form = math.fsum((X[row][j] - stats[j][0]) ** 2 / (stats[j][1] + added) for j in inputs)
        found.append((form, math.fsum(math.log(stats[j][1] + added) for j in inputs)))
    return found


def distance(a, b, power):
    gaps = [abs(x - y) for x, y in zip(a, b, strict=True)]
    if math.isinf(power):
        return max(gaps)
    return math.fsum(gap**power for gap in gaps) ** (1 / power)


def nearest(X, query, power=2.0):
    """All rows by distance from the query."""
    far = sorted((distance(X[query], other, power), j) for j, other in enumerate(X))
    return [j for _, j in far], [d for d, _ in far]


def vote(X, codes, times, query, k, inverse, classes):
    """Class shares among the k nearest copies; None if a tie at the border could change them."""
    copies = sorted(
        (distance(X[query], X[j], 2.0), codes[j]) for j, t in enumerate(times) for _ in range(t)
    )
    border = copies[k - 1][0]
    tied = {c for d, c in copies if d == border}
    if len(tied) > 1 and copies[k:] and copies[k][0] == border:
        return None
    chosen = copies[:k]
    zero = any(d == 0 for d, _ in chosen)
    shares = [0.0] * classes
    for d, c in chosen:
        shares[c] += 1.0 if not inverse else float(d == 0) if zero else 1.0 / d
    return [share / sum(shares) for share in shares]
