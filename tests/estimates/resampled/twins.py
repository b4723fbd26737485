"""Slow, obvious twins of the methods for several splits."""

import math

import numpy as np


def losses_by_split(table, role):
    """[(record, {row: 0/1 loss})] of the splits of one role, rows not trained on."""
    seen = np.zeros(len(table), int) if table.in_train is None else table.in_train
    code = np.zeros(len(table), int) if table.split_code is None else table.split_code
    found = []
    for place, record in enumerate(table.splits):
        if record.role == role:
            mine = [i for i in range(len(table)) if code[i] == place]
            mine = [i for i in mine if role == "full" or seen[i] == 0]
            found.append(
                (record, {table.row[i]: float(table.y_true[i] != table.y_pred[i]) for i in mine})
            )
    return found


def left_out(table):
    by_row = {}
    for _, losses in losses_by_split(table, "test"):
        for row, loss in losses.items():
            by_row.setdefault(row, []).append(loss)
    return float(np.mean([np.mean(each) for each in by_row.values()])), len(by_row)


def plus(table):
    """.632+ with the no-information rate as the mean over all n^2 pairs."""
    ((_, own),) = losses_by_split(table, "full")
    e = float(np.mean(list(own.values())))
    out, _ = left_out(table)
    full = table.only(role="full")
    g = float(np.mean([[t != label for t in full.y_true] for label in full.y_pred]))
    capped = min(out, g)
    r = (capped - e) / (g - e) if capped > e and g > e else 0.0
    plain = 0.368 * e + 0.632 * out
    return plain + (capped - e) * 0.368 * 0.632 * r / (1 - 0.368 * r), plain


def nested(table, z):
    """Bates, Hastie and Tibshirani's algorithm, step by step."""
    outer = {
        (one.repeat, one.fold): list(got.values()) for one, got in losses_by_split(table, "test")
    }
    inner = {}
    for one, got in losses_by_split(table, "inner"):
        inner.setdefault((one.repeat, one.outer), []).extend(got.values())
    a, b, every = [], [], []
    for key, out in outer.items():
        a.append((np.mean(inner[key]) - np.mean(out)) ** 2)
        b.append(np.var(out, ddof=1) / len(out))
        every += inner[key]
    repeats = {repeat for repeat, _ in outer}
    k = len(outer) // len(repeats)
    n = sum(len(out) for out in outer.values()) / len(repeats)
    ncv = np.mean([np.mean(inner[key]) for key in outer])
    cv = np.mean([np.mean(out) for out in outer.values()])
    value = ncv - (1 + (k - 2) / k) * (ncv - cv)
    sub = n * (k - 1) / k
    inflation = math.sqrt(max(0.0, np.mean(a) - np.mean(b))) / (
        np.std(every, ddof=1) / math.sqrt(sub)
    )
    inflation = min(max(inflation, 1.0), math.sqrt(k))
    half = z * np.std(every, ddof=1) / math.sqrt(n) * inflation
    return value, value - half, value + half


def apparent(table):
    """The error of each resample's model on its own rows, each as often as drawn."""
    test = table.only(role="test")
    found = []
    for place in range(len(test.splits)):
        wrong, drawn = 0.0, 0
        for i in range(len(test)):
            if test.split_code[i] == place and test.in_train[i] > 0:
                wrong += test.in_train[i] * float(test.y_true[i] != test.y_pred[i])
                drawn += test.in_train[i]
        found.append(wrong / drawn)
    return np.array(found)
