"""Small random tables for contracts, and the measures to try on them."""

from dataclasses import dataclass, replace

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from heliast import Predictions, measures

few = settings(max_examples=40, deadline=None, derandomize=True, database=None)

REQUIRED = {"cost": lambda k: np.subtract.outer(np.arange(k), np.arange(k)) ** 2 + 0.0}
REQUIRED["threshold"] = lambda k: 0.3
REQUIRED["beta"] = lambda k: 2.0
"""A value for each parameter that a measure cannot do without, given the number of classes."""


def ready(measure, k=2):
    """The measure with a value for every parameter it requires."""
    return measure.with_(**{name: REQUIRED[name](k) for name in measure.required})


@dataclass(frozen=True)
class Table:
    """Columns of a table that can be reordered, weighted and renamed before it is built."""

    truth: np.ndarray
    label: np.ndarray
    score: np.ndarray | None = None
    classes: tuple = ()
    positive: object = None
    kind: str | None = "probability"

    @property
    def k(self):
        return len(self.classes)

    @property
    def n(self):
        return len(self.truth)

    def at(self, index):
        score = None if self.score is None else self.score[index]
        return replace(self, truth=self.truth[index], label=self.label[index], score=score)

    def built(self, **more):
        if not self.classes:
            return Predictions.of(self.truth, self.label, task="regression", **more)
        return Predictions.of(
            [self.classes[code] for code in self.truth],
            [self.classes[code] for code in self.label],
            self.score,
            order=self.classes,
            positive=self.positive,
            scores=self.kind,
            **more,
        )


def _lists(element, n):
    return st.lists(element, min_size=n, max_size=n)


_ROWS_OF_THREE = [
    np.array(row) / sum(row)
    for start in ((0, 1, 3), (1, 2, 4), (1, 3, 6))
    for row in {(start[i], start[j], start[k]) for i, j, k in np.ndindex(3, 3, 3) if i + j + k == 3}
    if len(set(row)) == 3
]
"""Probabilities of three classes without a tie in a row, and with many ties between rows."""


@st.composite
def class_tables(draw, k, least=3, most=12, everyone=False):
    """Labels and probabilities of k classes; `everyone` makes sure that each class has rows."""
    n = draw(st.integers(max(least, k), most))
    truth = np.array(draw(_lists(st.integers(0, k - 1), n)))
    if everyone:
        truth[:k] = np.arange(k)
    label = np.array(draw(_lists(st.integers(0, k - 1), n)))
    if k == 2:
        score = np.array(draw(_lists(st.integers(0, 8), n))) / 8
    else:
        score = np.array(draw(_lists(st.sampled_from(_ROWS_OF_THREE), n)))
    classes = ("c", "a", "b")[:k]
    return Table(truth, label, score, classes, classes[-1] if k == 2 else None)


@st.composite
def number_tables(draw, least=3, most=12, **_):
    n = draw(st.integers(least, most))
    whole = st.integers(-4, 4)
    truth, label = (np.array(draw(_lists(whole, n))) / 4 for _ in range(2))
    return Table(truth, label)


def tables(k, **options):
    """Tables of k classes, of numbers if k is 0."""
    return class_tables(k, **options) if k else number_tables(**options)


def measured(k, wanted=lambda measure: True):
    """Every measure in the registry for k classes (numbers if k is 0) that is wanted."""
    task = "classification" if k else "regression"
    return [
        ready(measure, k)
        for measure in measures.everything()
        if measure.task == task
        and wanted(measure)
        and not (measure.two_classes and k > 2)
        and not (measure.more_classes and k == 2)
    ]


def name(measure):
    """How a test of a measure is called."""
    return measure.name


def same(a, b):
    """Equal but for rounding; undefined equals undefined."""
    return bool(np.allclose(a, b, rtol=1e-9, atol=1e-9, equal_nan=True))
