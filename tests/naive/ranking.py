"""Rankings by comparing every pair and trying every threshold."""

from itertools import pairwise

import numpy as np


def beats(a, b):
    return 1.0 if a > b else 0.5 if a == b else 0.0


def placements(truth, score, weight=None):
    weight = np.ones(len(truth)) if weight is None else weight
    out = np.full(len(truth), np.nan)
    for i in range(len(truth)):
        others = [j for j in range(len(truth)) if truth[j] != truth[i]]
        total = sum(weight[j] for j in others)
        if total > 0:
            won = [
                beats(score[i], score[j]) if truth[i] else beats(score[j], score[i]) for j in others
            ]
            out[i] = sum(weight[j] * w for j, w in zip(others, won, strict=True)) / total
    return out


def wins(truth, score, weight=None):
    weight = np.ones(len(truth)) if weight is None else weight
    pairs = [(i, j) for i in np.flatnonzero(truth) for j in np.flatnonzero(np.equal(truth, 0))]
    return sum(weight[i] * weight[j] * beats(score[i], score[j]) for i, j in pairs)


def curve(truth, score, weight=None):
    truth, score = np.asarray(truth), np.asarray(score)
    weight = np.ones(len(truth)) if weight is None else weight
    thresholds = [np.inf, *sorted(set(score), reverse=True)]
    tp = [sum(weight[(truth == 1) & (score >= t)]) for t in thresholds]
    fp = [sum(weight[(truth == 0) & (score >= t)]) for t in thresholds]
    return np.array(thresholds), np.array(tp, float), np.array(fp, float)


def average_precision(truth, score, weight=None):
    _, tp, fp = curve(truth, score, weight)
    total = 0.0
    for i in range(1, len(tp)):
        if tp[i] > tp[i - 1]:
            total += (tp[i] - tp[i - 1]) / tp[-1] * tp[i] / (tp[i] + fp[i])
    return total if tp[-1] > 0 else np.nan


def delong(truth, *scores):
    """AUCs and their covariance matrix."""
    truth = np.asarray(truth)
    placed = np.array([placements(truth, score) for score in scores])
    positive, negative = placed[:, truth == 1], placed[:, truth == 0]
    auc = positive.mean(axis=1)
    cov = np.cov(positive).reshape(len(scores), -1) / positive.shape[1]
    return auc, cov + np.cov(negative).reshape(len(scores), -1) / negative.shape[1]


def distance_to_polyline(point, corners):
    best = np.inf
    for a, b in pairwise(corners):
        step = b - a
        length = step @ step
        t = 0.0 if length == 0 else np.clip((point - a) @ step / length, 0, 1)
        best = min(best, float(np.linalg.norm(point - a - t * step)))
    return best
