"""Tables of rows predicted many times."""

import numpy as np
from hypothesis import settings

from heliast import Predictions

settings.register_profile("theory", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("theory")


def voted(labels, truth, classes, **options):
    """A table from labels (splits x rows): class codes, -1 where a split did not predict."""
    labels = np.asarray(labels)
    split, row = np.nonzero(labels >= 0)
    names = np.array(classes, dtype=object)
    return Predictions.of(
        names[np.asarray(truth)[row]].tolist(),
        names[labels[split, row]].tolist(),
        classes=list(classes),
        row=row,
        split=split,
        **options,
    )


def from_shares(shares, times=10):
    """Labels (splits x rows) with exactly these shares, given as multiples of 1 / times."""
    counts = np.rint(np.asarray(shares) * times).astype(int)
    return np.stack([np.repeat(np.arange(row.size), row) for row in counts], axis=1)


def numbered(values, truth, **options):
    """A table of numbers from values (splits x rows), NaN where a split did not predict."""
    values = np.asarray(values, float)
    split, row = np.nonzero(~np.isnan(values))
    return Predictions.of(
        np.asarray(truth, float)[row],
        values[split, row],
        task="regression",
        row=row,
        split=split,
        **options,
    )
