"""Boosting as it is written down, row by row, with the samples given by the caller."""

import math


def adaboost(fit, truth, rounds, draw, error, on_weak, pick, k=2, redraws=100, on_perfect="stop"):
    """Members as (labels on the rows, error, vote weight), by the rules of `BoostedVote`.

    `fit(counts or weights)` gives the labels of a member on all rows; `pick(round, attempt,
    weights)` gives how often each row is drawn.
    """
    n = len(truth)
    even = [1 / n] * n
    w = list(even)
    members = []
    for t in range(rounds):
        attempt = 0
        while True:
            if draw == "resample":
                counts = [int(c) for c in pick(t, attempt, w)]
                label = fit(counts)
            else:
                label = fit([n * v for v in w])
            wrong = [int(a != b) for a, b in zip(label, truth, strict=True)]
            if error == "weighted":
                e = sum(v * z for v, z in zip(w, wrong, strict=True))
            else:
                e = sum(c * z for c, z in zip(counts, wrong, strict=True)) / n
            if e < 1 - 1 / k - 1e-10:
                break
            if on_weak == "stop":
                return members
            if on_weak == "skip":
                break
            if on_weak == "reset":
                w = list(even)
            attempt += 1
            if attempt > redraws:
                return members
        if e >= 1 - 1 / k - 1e-10:
            continue
        if e == 0 and on_perfect == "skip":
            continue
        if e == 0:
            e_floor = min(v for v in w if v > 0) / 2 if error == "weighted" else 1 / (2 * n)
            members.append((label, 0.0, math.log((1 - e_floor) / e_floor) + math.log(k - 1)))
            return members
        a = math.log((1 - e) / e) + math.log(k - 1)
        members.append((label, e, a))
        w = [v * math.exp(a) if z else v for v, z in zip(w, wrong, strict=True)]
        total = sum(w)
        w = [v / total for v in w]
    return members


def adaboost_r2(fit, truth, rounds, loss, pick):
    """AdaBoost.R2 (Drucker, 1997): the members' numbers on the rows, errors and vote weights."""
    n = len(truth)
    w = [1 / n] * n
    members = []
    for t in range(rounds):
        number = fit(pick(t, w))
        error = [abs(a - b) for a, b in zip(number, truth, strict=True)]
        largest = max(error)
        if largest == 0:
            return [*members, (number, 0.0, None)]
        share = [v / largest for v in error]
        if loss == "square":
            share = [v**2 for v in share]
        if loss == "exponential":
            share = [1 - math.exp(-v) for v in share]
        e = sum(v * z for v, z in zip(w, share, strict=True))
        if e >= 0.5:
            return members
        beta = e / (1 - e)
        members.append((number, e, math.log(1 / beta)))
        w = [v * beta ** (1 - z) for v, z in zip(w, share, strict=True)]
        total = sum(w)
        w = [v / total for v in w]
    return members
