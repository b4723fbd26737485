"""Exercise Q2: a tree from eight rows, tested on five."""

from collections.abc import Iterator

import numpy as np

from heliast.learners import Tree
from heliast.measures import get
from heliast.predictions import Predictions
from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Claim, Note, Value

TRAINING = np.array(
    [[15, 1, 0], [20, 3, 1], [25, 2, 0], [30, 4, 0], [35, 2, 1], [25, 4, 0], [15, 2, 1], [20, 3, 1]]
)
CLASSES = np.array([1, 2, 1, 1, 2, 1, 2, 2])
TESTING = np.array([[10, 2, 0], [20, 1, 1], [30, 3, 0], [40, 2, 1], [15, 1, 1]])
TRUTH = np.array([2, 1, 2, 2, 1])
"""Columns X, Y and Z; A is 0, B is 1, also where a Cyrillic letter is printed."""


@study(
    "chapter-q2",
    "Exercise 2: a complete tree by Gini, and its accuracy",
    design="The rows of table 22.6; binary splits by Gini until the leaves are pure.",
    tolerance="Exact: the solution follows from the table (the chapter prints none).",
)
def chapter_q2(setting: Setting) -> Iterator[Value | Claim | Note]:
    """The tree asks about Z only, and is right on one of five rows."""
    tree = Tree("gini", min_cut=1, min_size=2, min_deviance=0, nominal=[2]).fit(TRAINING, CLASSES)
    label = tree.predict(TESTING)
    yield Claim(
        "the tree has one split, on Z",
        bool(tree.nodes_.leaves == 2 and tree.nodes_.feature[0] == 2),
        f"{tree.nodes_.leaves} leaves",
    )
    table = Predictions.of(TRUTH, label, classes=[1, 2])
    yield Value("Exercise 2", "accuracy", "", 0.2, get("accuracy").of(table), 1e-12)
    yield Value("Exercise 2", "coverage", "class 1", 0.0, get("recall").of(table, 1), 1e-12)
    yield Value("Exercise 2", "coverage", "class 2", 1 / 3, get("recall").of(table, 2), 1e-12)
    yield Note("Two of the printed letters B are Cyrillic; they are read as B.")
