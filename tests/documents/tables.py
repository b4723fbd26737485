"""Tables printed in the documents, spelled out row by row."""

import numpy as np


def spelled_out(counts, classes):
    """Truth and label of every row of a contingency table with rows = true class."""
    truth, label = [], []
    for actual, line in zip(classes, counts, strict=True):
        for decided, count in zip(classes, line, strict=True):
            truth += [actual] * count
            label += [decided] * count
    return truth, label


def transposed(counts):
    """The chapter prints rows = predicted; we count rows = true class."""
    return np.transpose(counts).tolist()
