"""Slow, obvious twins of the interval methods."""

import numpy as np

from heliast.predictions import Rows


def classes(truth, label=None, score=None, **rest):
    """Rows of two or more classes coded 0, 1, ..."""
    truth = np.asarray(truth, np.uint8)
    label = truth if label is None else np.asarray(label, np.uint8)
    k = rest.pop("k", max(2, int(truth.max(initial=0)) + 1, int(label.max(initial=0)) + 1))
    kind = rest.pop("score_kind", None if score is None else "decision")
    return Rows(
        "classification",
        truth,
        label,
        None if score is None else np.asarray(score, float),
        kind,
        classes=tuple(range(k)),
        positive=1 if k == 2 else None,
        **rest,
    )


def numbers(truth, label, **rest):
    return Rows("regression", np.asarray(truth, float), np.asarray(label, float), **rest)


def of_table(counts, **rest):
    """Rows with this contingency table."""
    counts = np.asarray(counts)
    k = len(counts)
    cell = np.repeat(np.arange(k * k), counts.ravel())
    return classes(cell // k, cell % k, k=k, **rest)


def delong(truth, score):
    """AUC and DeLong's variance by comparing every pair."""
    pos, neg = score[truth], score[~truth]
    wins = (pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)
    v10, v01 = wins.mean(axis=1), wins.mean(axis=0)
    return wins.mean(), v10.var(ddof=1) / pos.size + v01.var(ddof=1) / neg.size


def kappa_se(counts):
    """The large-sample standard error of Fleiss, Cohen and Everitt (1969), cell by cell."""
    p = np.asarray(counts, float)
    n = p.sum()
    p = p / n
    row, col = p.sum(axis=1), p.sum(axis=0)
    po, pe = np.trace(p), float(row @ col)
    kappa = (po - pe) / (1 - pe)
    a = sum(p[i, i] * (1 - (row[i] + col[i]) * (1 - kappa)) ** 2 for i in range(len(p)))
    b = (1 - kappa) ** 2 * sum(
        p[i, j] * (col[i] + row[j]) ** 2 for i in range(len(p)) for j in range(len(p)) if i != j
    )
    c = (kappa - pe * (1 - kappa)) ** 2
    return np.sqrt((a + b - c) / n) / (1 - pe)


def group_variance(losses, group):
    """The jackknife over groups: (G-1)/G sum of (mean without the group - mean)^2, by a loop."""
    names = sorted(set(group))
    total = sum((np.mean(losses[group != one]) - np.mean(losses)) ** 2 for one in names)
    return (len(names) - 1) / len(names) * total


def group_freedom(group):
    """One less than the groups of equal size that these are worth."""
    sizes = np.array([np.sum(group == one) for one in sorted(set(group))])
    return sizes.sum() ** 2 / (sizes**2).sum() - 1


def leave_one_out(value, n):
    """n (value of all - value without i), the jackknife's influence of each row."""
    everything = value(np.arange(n))
    return np.array([(n - 1) * (everything - value(np.delete(np.arange(n), i))) for i in range(n)])
