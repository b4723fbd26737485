"""Losses row by row, with the library's log."""

import math


def row_losses(truth, scores):
    """(log loss, Brier score) of every row of class probabilities."""
    log, brier = [], []
    for t, row in zip(truth, scores, strict=True):
        log.append(math.inf if row[t] == 0 else -math.log(row[t]))
        brier.append(math.fsum((p - (c == t)) ** 2 for c, p in enumerate(row)))
    return log, brier


def row_losses_binary(truth, score):
    log, brier = row_losses(truth, [(1 - s, s) for s in score])
    return log, [b / 2 for b in brier]


def powers(values, weight):
    return [
        math.fsum(w * v**power for v, w in zip(values, weight, strict=True)) for power in (1, 2, 3)
    ]


def moments(values, weight):
    total = math.fsum(weight)
    mean = math.fsum(w * v for v, w in zip(values, weight, strict=True)) / total
    _, second, third = powers([v - mean for v in values], weight)
    return total, math.fsum(w * w for w in weight), mean, second, third
