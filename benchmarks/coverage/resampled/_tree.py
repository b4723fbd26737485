"""An unpruned tree of two-way splits by Gini, as fast as the study needs: many fits, few rows."""

from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._kernels._njit import njit

Array = npt.NDArray[Any]


@njit
def tree_labels(
    X: Array, y: Array, k: int, weight: Array, order: Array, starts: Array, row: Array, depth: int
) -> Array:
    """Labels of the rows `row[starts[j]:starts[j+1]]` by the tree grown with weights j.

    `order[f]` are the rows in order of input f. Equal gains go to the input met first in an order
    drawn anew at each node, as in scikit-learn.
    """
    splits, n = weight.shape
    d = X.shape[1]
    label = np.zeros(row.size, np.int64)
    rows = np.empty((d, n), np.int32)
    spare = np.empty(n, np.int32)
    left = np.zeros(n, np.bool_)
    feature = np.empty(2 * n + 1, np.int32)
    cut = np.empty(2 * n + 1)
    child = np.empty((2 * n + 1, 2), np.int32)
    given = np.empty(2 * n + 1, np.int32)
    stack = np.empty((2 * n + 1, 4), np.int32)
    total, low = np.empty(k), np.empty(k)
    visit = np.arange(d)
    state = np.uint64(88172645463325252)
    for j in range(splits):
        m = 0
        for f in range(d):
            m = 0
            for at in range(order.shape[1]):
                i = order[f, at]
                if weight[j, i] > 0:
                    rows[f, m] = i
                    m += 1
        nodes = 1
        stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3] = 0, m, 0, 0
        top = 1
        while top:
            top -= 1
            a, b, node, level = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3]
            total[:] = 0.0
            for at in range(a, b):
                i = rows[0, at]
                total[y[i]] += weight[j, i]
            most, every, square = 0, 0.0, 0.0
            for c in range(k):
                if total[c] > total[most]:
                    most = c
                every += total[c]
                square += total[c] * total[c]
            given[node] = most
            feature[node] = -1
            if total[most] == every or level >= depth:
                continue
            best, best_f, best_at = -1.0, -1, -1
            for f in range(d - 1, 0, -1):
                state ^= state << np.uint64(13)
                state ^= state >> np.uint64(7)
                state ^= state << np.uint64(17)
                g = int(state % np.uint64(f + 1))
                visit[f], visit[g] = visit[g], visit[f]
            for v in range(d):
                f = visit[v]
                low[:] = 0.0
                below, inside, outside = 0.0, 0.0, square
                for at in range(a, b - 1):
                    i = rows[f, at]
                    w, c = weight[j, i], y[i]
                    inside += w * (2 * low[c] + w)
                    outside -= w * (2 * (total[c] - low[c]) - w)
                    low[c] += w
                    below += w
                    if X[rows[f, at + 1], f] > X[i, f]:
                        score = inside / below + outside / (every - below)
                        if score > best + 1e-9:
                            best, best_f, best_at = score, f, at
            if best_f < 0:
                continue
            for at in range(a, b):
                left[rows[best_f, at]] = at <= best_at
            here = X[rows[best_f, best_at], best_f]
            there = X[rows[best_f, best_at + 1], best_f]
            feature[node], cut[node] = best_f, (here + there) / 2
            for f in range(d):
                put, held = a, 0
                for at in range(a, b):
                    i = rows[f, at]
                    if left[i]:
                        rows[f, put] = i
                        put += 1
                    else:
                        spare[held] = i
                        held += 1
                for at in range(held):
                    rows[f, put + at] = spare[at]
            middle = best_at + 1
            for side in range(2):
                child[node, side] = nodes
                stack[top, 0] = a if side == 0 else middle
                stack[top, 1] = middle if side == 0 else b
                stack[top, 2], stack[top, 3] = nodes, level + 1
                nodes += 1
                top += 1
        for at in range(starts[j], starts[j + 1]):
            node = 0
            while feature[node] >= 0:
                node = child[node, 0 if X[row[at], feature[node]] <= cut[node] else 1]
            label[at] = given[node]
    return label


@njit
def voted(
    order: Array, y: Array, k: int, weight: Array, split: Array, row: Array, near: int
) -> Array:
    """Labels by the `near` nearest training rows; -1 where `order` holds too few of them.

    Equal votes go to the class of the nearer rows.
    """
    label = np.full(row.size, -1, np.int64)
    votes = np.zeros(k)
    for at in range(row.size):
        votes[:] = 0.0
        count, best = 0.0, -1
        for place in range(order.shape[1]):
            i = order[row[at], place]
            w = weight[split[at], i]
            if w > 0:
                w = min(w, near - count)
                votes[y[i]] += w
                count += w
                if best < 0 or votes[y[i]] > votes[best]:
                    best = y[i]
                if count >= near:
                    label[at] = best
                    break
    return label
