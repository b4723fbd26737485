"""Chapter 22: measures of contingency tables and curves of scores, worked by hand."""

from collections.abc import Iterator, Sequence

import numpy as np

from heliast.curves import roc
from heliast.learners import Tree
from heliast.measures import get
from heliast.measures.summaries import Ranking
from heliast.predictions import Predictions
from heliast.reproduce import Claim, Figure, Note, Printed, Setting, study
from heliast.reproduce._study import Found, entries
from heliast.views.drawings import roc as draw

DIGIT = "Half a unit of the last printed digit."
IRIS = ("Iris-setosa", "Iris-versicolor", "Iris-virginica")
TABLE_22_1 = ((10, 0, 0), (0, 7, 5), (0, 3, 5))
"""Example 22.2, rows = predicted, as printed."""
TABLE_22_3 = ((7, 7), (3, 13))
"""Example 22.3, rows = predicted: true and false positives, false and true negatives."""
SCORES = (
    *(0.93, 0.82, 0.80, 0.77, 0.74, 0.71, 0.69, 0.67, 0.66, 0.61),
    *(0.59, 0.55, 0.55, 0.53, 0.47, 0.30, 0.26, 0.11, 0.04, 2.97e-03),
    *(1.28e-03, 2.55e-07, 6.99e-08, 3.11e-08, 3.109e-08),
    *(1.53e-08, 9.76e-09, 2.08e-09, 1.95e-09, 7.83e-10),
)
TRUTHS = tuple(f"c{digit}" for digit in "21211121222211111222" + "2" * 10)
"""Table 22.5; the labels of the last rows, lost in print, are all c2 (10 and 20 rows)."""


def counted(table: Sequence[Sequence[int]], classes: Sequence[str], positive: str) -> Predictions:
    """Predictions with these counts, rows = predicted."""
    truth, label = [], []
    for i, line in enumerate(table):
        for j, count in enumerate(line):
            label += [classes[i]] * count
            truth += [classes[j]] * count
    return Predictions.of(truth, label, classes=list(classes), positive=positive)


@study(
    "chapter-22.1",
    "Iris in two dimensions, full Bayes: error and accuracy",
    design="The 30 test rows of the example, from its contingency table.",
    tolerance=DIGIT,
    printed=Printed("Example 22.1", {"error": 0.267, "accuracy": 0.733}, 0.0005),
)
def chapter_22_1(setting: Setting) -> Iterator[Found]:
    table = counted(TABLE_22_1, IRIS, IRIS[0])
    yield from (get(name).of(table) for name in ("error", "accuracy"))


BY_CLASS = {"precision": (1.0, 0.583, 0.625), "recall": (1.0, 0.7, 0.5), "f": (1.0, 0.636, 0.556)}
PLACES = entries(BY_CLASS, IRIS)


@study(
    "chapter-22.2",
    "Iris in two dimensions, full Bayes: measures by class",
    design="The contingency table of the example; it prints rows = predicted, heliast rows = true.",
    tolerance=DIGIT,
    printed=Printed("Example 22.2", {**PLACES, "overall F": 0.731}, 0.0005),
)
def chapter_22_2(setting: Setting) -> Iterator[Found]:
    table = counted(TABLE_22_1, IRIS, IRIS[0])
    yield from (get(name).of(table, class_) for name, class_ in PLACES)
    yield get("f").of(table)
    yield Note("The sum of the overall F runs to the number of classes k; printed, to r.")


RATES: dict[tuple[str, str], float | tuple[float, float]] = {
    ("error", ""): (0.33, 0.005),
    ("accuracy", ""): (0.67, 0.005),
    ("precision", "c1"): 0.5,
    ("precision", "c2"): 0.8125,
    ("recall", ""): 0.7,
    ("specificity", ""): 0.65,
    ("fnr", ""): 0.3,
    ("fpr", ""): 0.35,
}


@study(
    "chapter-22.3",
    "Iris principal components, naive Bayes: binary measures",
    design="The contingency table of the example, versicolor (c1) the positive class.",
    tolerance="Half a unit of the last printed digit; exact where the number is exact.",
    printed=Printed("Example 22.3", RATES, 1e-12),
)
def chapter_22_3(setting: Setting) -> Iterator[Found]:
    table = counted(TABLE_22_3, ("c1", "c2"), "c1")
    yield from (get(name).of(table, class_ or None) for name, class_ in RATES)


@study(
    "chapter-22.4",
    "Iris principal components, naive Bayes: the ROC curve",
    design="""The scores and labels of table 22.5, lost labels put back; once as printed, once with
    the two scores of 0.55 apart, the negative first.""",
    tolerance="1e-12: the areas are ratios of whole numbers.",
    printed=Printed("Example 22.4", {"area, scores not tied": 0.775}, 1e-12),
)
def chapter_22_4(setting: Setting) -> Iterator[Found]:
    table = Predictions.of(TRUTHS, score=SCORES, positive="c1")
    apart = [score + 1e-9 * (at == 11) for at, score in enumerate(SCORES)]
    yield get("auc").of(Predictions.of(TRUTHS, score=apart, positive="c1"))
    yield Note(
        "The printed scores tie at 0.55; by the rule for ties of Zaki and Meira (2014) the area is "
        f"{get('auc').of(table):.4f}."
    )
    yield Figure("figure-22.3", "ROC curve of example 22.4", draw(roc(table)))


@study(
    "chapter-22.5",
    "Five rows with a tie: the area by trapezoids",
    design="The five scores and labels of the example.",
    tolerance=DIGIT,
    printed=Printed(
        "Example 22.5",
        {"after step 1": 0.0, "after step 2": 0.333, "after step 3": 0.833, "area": 0.833},
        0.0005,
    ),
)
def chapter_22_5(setting: Setting) -> Iterator[Found]:
    table = Predictions.of(
        ["c1", "c2", "c1", "c1", "c2"], score=[0.9, 0.8, 0.8, 0.8, 0.1], positive="c1"
    )
    _, tp, fp = table.summary(Ranking).points
    yield from np.cumsum(np.diff(fp / 2) * (tp[1:] + tp[:-1]) / 2 / 3)
    yield get("auc").of(table)


@study(
    "chapter-22.6",
    "The random classifier and the diagonal",
    design="The rows of table 22.5: with one score for all of them, and with the printed scores.",
    tolerance="Exact, to 1e-12.",
    printed=Printed("Example 22.6", {"area of the random classifier": 0.5}, 1e-12),
)
def chapter_22_6(setting: Setting) -> Iterator[Found]:
    yield get("auc").of(Predictions.of(TRUTHS, score=[0.5] * len(TRUTHS), positive="c1"))
    _, tp, fp = Predictions.of(TRUTHS, score=SCORES, positive="c1").summary(Ranking).points
    yield Claim(
        "the curve begins below the diagonal, as the highest score belongs to a negative",
        bool(tp[1] == 0 and fp[1] == 1),
        f"the first point has {tp[1]:g} true and {fp[1]:g} false positives",
    )


TRAINING = np.array(
    [[15, 1, 0], [20, 3, 1], [25, 2, 0], [30, 4, 0], [35, 2, 1], [25, 4, 0], [15, 2, 1], [20, 3, 1]]
)
CLASSES = np.array([1, 2, 1, 1, 2, 1, 2, 2])
TESTING = np.array([[10, 2, 0], [20, 1, 1], [30, 3, 0], [40, 2, 1], [15, 1, 1]])
"""Columns X, Y and Z; A is 0, B is 1, also where a Cyrillic letter is printed."""


@study(
    "chapter-q2",
    "Exercise 2: a complete tree by Gini, and its accuracy",
    design="The rows of table 22.6; binary splits by Gini until the leaves are pure.",
    tolerance="Exact: the solution follows from the table (Zaki and Meira (2014) print none).",
    printed=Printed(
        "Exercise 2",
        {"accuracy": 0.2, ("coverage", "class 1"): 0.0, ("coverage", "class 2"): 1 / 3},
        1e-12,
    ),
)
def chapter_q2(setting: Setting) -> Iterator[Found]:
    tree = Tree("gini", min_cut=1, min_size=2, min_deviance=0, nominal=[2]).fit(TRAINING, CLASSES)
    yield Claim(
        "the tree has one split, on Z",
        bool(tree.nodes_.leaves == 2 and tree.nodes_.feature[0] == 2),
        f"{tree.nodes_.leaves} leaves",
    )
    table = Predictions.of(np.array([2, 1, 2, 2, 1]), tree.predict(TESTING), classes=[1, 2])
    yield get("accuracy").of(table)
    yield from (get("recall").of(table, class_) for class_ in (1, 2))
    yield Note("Two of the printed letters B are Cyrillic; they are read as B.")


@study(
    "chapter-q5",
    "Exercise 5: the ROC curve of ten rows",
    design="The labels and probabilities of the exercise.",
    tolerance="Exact: of 25 pairs 13 are in order and 2 tie, so the area is 14 / 25.",
    printed=Printed("Exercise 5", {"area": 14 / 25}, 1e-12),
)
def chapter_q5(setting: Setting) -> Iterator[Found]:
    table = Predictions.of(
        (1, -1, 1, 1, -1, 1, -1, 1, -1, -1),
        score=(0.53, 0.86, 0.25, 0.95, 0.87, 0.86, 0.76, 0.94, 0.44, 0.86),
        positive=1,
    )
    yield get("auc").of(table)
    yield Figure("figure-q5", "ROC curve of exercise 5", draw(roc(table)))
