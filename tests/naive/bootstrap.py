"""Counts of one replicate from Python's integers, and the measures they weight."""

import math

import numpy as np
from tests.naive import ranking


def mix32(h):
    h = ((h ^ (h >> 16)) * 0x85EBCA6B) & 0xFFFFFFFF
    h = ((h ^ (h >> 13)) * 0xC2B2AE35) & 0xFFFFFFFF
    return h ^ (h >> 16)


def mix64(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return z ^ (z >> 31)


def borders():
    shares = [math.exp(-1) / math.factorial(k) for k in range(8)]
    return [round(65536 * math.fsum(shares[: k + 1])) for k in range(8)]


def poisson(n, replicate, seed):
    first, second = (int(word) for word in np.random.SeedSequence(seed).generate_state(2))
    lane = mix32((second + (replicate // 2) * 0x9E3779B9) & 0xFFFFFFFF)
    counts = []
    for row in range(n):
        bits = mix32(((row * 0x9E3779B9 + first) & 0xFFFFFFFF) ^ lane)
        half = bits >> 16 if replicate % 2 else bits & 0xFFFF
        counts.append(sum(half >= border for border in borders()))
    return counts


def multinomial(n, replicate, seed):
    word = int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
    step = 0x9E3779B97F4A7C15
    key = mix64((word + replicate * step) % 2**64)
    counts = [0] * n
    for draw in range(n):
        bits = mix64((key + draw * step) % 2**64) >> 11
        counts[int(bits * (n / 2**53))] += 1
    return counts


def ranked(truth, score, loss, counts):
    """All sums of one replicate, from the repeated rows themselves."""
    truth, score, loss = (np.repeat(column, counts) for column in (truth, score, loss))
    return [
        (truth == 1).sum(),
        (truth == 0).sum(),
        ranking.wins(truth, score),
        loss.sum(),
        ranking.average_precision(truth, score),
    ]
