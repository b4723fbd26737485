"""Exercise Q5: a ROC curve from ten rows."""

from collections.abc import Iterator

from heliast.curves import roc
from heliast.measures import get
from heliast.predictions import Predictions
from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Figure, Value
from heliast.views.drawings import roc as draw

TRUTH = (1, -1, 1, 1, -1, 1, -1, 1, -1, -1)
SCORE = (0.53, 0.86, 0.25, 0.95, 0.87, 0.86, 0.76, 0.94, 0.44, 0.86)


@study(
    "chapter-q5",
    "Exercise 5: the ROC curve of ten rows",
    design="The labels and probabilities of the exercise.",
    tolerance="Exact: of 25 pairs 13 are in order and 2 tie, so the area is 14 / 25.",
)
def chapter_q5(setting: Setting) -> Iterator[Value | Figure]:
    """The area, and the curve drawn."""
    table = Predictions.of(TRUTH, score=SCORE, positive=1)
    yield Value("Exercise 5", "area", "", 14 / 25, get("auc").of(table), 1e-12)
    yield Figure("figure-q5", "ROC curve of exercise 5", draw(roc(table)))
