"""Predictions of one row with given frequencies, for worked examples of bias and variance."""

from collections.abc import Sequence

from heliast.predictions import Predictions


def chosen_by(counts: Sequence[int]) -> Predictions:
    """One row, predicted by as many splits as the counts add up to: class i in counts[i] of them.

    >>> chosen_by((1, 2)).label.tolist()
    [0, 1, 1]
    """
    label = [at for at, count in enumerate(counts) for _ in range(count)]
    many = len(label)
    return Predictions.of(
        [0] * many, label, row=[0] * many, split=list(range(many)), classes=list(range(len(counts)))
    )
