"""The chapter's table 22.5, and rows with many ties."""

import numpy as np
import pytest
from hypothesis import settings

from heliast import Predictions

settings.register_profile("curves", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("curves")

SCORES = """0.93 0.82 0.80 0.77 0.74 0.71 0.69 0.67 0.66 0.61 0.59 0.55 0.55 0.53 0.47 0.30 0.26
0.11 0.04 2.97e-03 1.28e-03 2.55e-07 6.99e-08 3.11e-08 3.109e-08 1.53e-08 9.76e-09 2.08e-09
1.95e-09 7.83e-10"""
# The labels of the last five rows are lost in the text: all c2, as n1 = 10 and n2 = 20.
CLASSES = "2 1 2 1 1 1 2 1 2 2 2 2 1 1 1 1 1" + " 2" * 13


@pytest.fixture(scope="session")
def chapter():
    truth = [f"c{label}" for label in CLASSES.split()]
    score = [float(value) for value in SCORES.split()]
    return Predictions.of(truth, y_score=score, positive="c1", scores="probability", model="bayes")


def tied(n, seed=0, digits=1, share=0.3):
    """Truth, score with heavy ties, whole weights."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < share).astype(int)
    return truth, (rng.normal(size=n) + truth).round(digits), rng.integers(1, 4, n)


@pytest.fixture
def ties():
    return tied(300)
