"""Counting, slow and obvious."""

import numpy as np


def contingency(truth, label, k, weight=None):
    table = np.zeros((k, k), int if weight is None else float)
    for i in range(len(truth)):
        table[truth[i], label[i]] += 1 if weight is None else weight[i]
    return table
