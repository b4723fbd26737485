"""Example 22.4: the ROC curve of naive Bayes."""

from collections.abc import Iterator

from heliast.curves import roc
from heliast.measures import get
from heliast.predictions import Predictions
from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Figure, Found, Note, Value
from heliast.reproduce.studies._chapter import SCORES, TRUTHS
from heliast.views.drawings import roc as draw


@study(
    "chapter-22.4",
    "Iris principal components, naive Bayes: the ROC curve",
    design="""The scores and labels of table 22.5, lost labels put back; once as printed, once with
    the two scores of 0.55 apart, the negative first.""",
    tolerance="1e-12: the areas are ratios of whole numbers.",
)
def chapter_22_4(setting: Setting) -> Iterator[Found]:
    """The area under the curve."""
    table = Predictions.of(TRUTHS, score=SCORES, positive="c1")
    apart = [score + 1e-9 * (at == 11) for at, score in enumerate(SCORES)]
    untied = Predictions.of(TRUTHS, score=apart, positive="c1")
    group = "Example 22.4"
    yield Value(group, "area, scores not tied", "", 0.775, get("auc").of(untied), 1e-12)
    yield Note(
        "The printed scores tie at 0.55; by the chapter's own rule for ties the area is "
        f"{get('auc').of(table):.4f}."
    )
    yield Figure("figure-22.3", "ROC curve of example 22.4", draw(roc(table)))
