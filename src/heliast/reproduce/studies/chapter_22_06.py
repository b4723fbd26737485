"""Example 22.6: the random classifier."""

from collections.abc import Iterator

from heliast.measures import get
from heliast.measures.summaries import Ranking
from heliast.predictions import Predictions
from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Claim, Value
from heliast.reproduce.studies._chapter import SCORES, TRUTHS


@study(
    "chapter-22.6",
    "The random classifier and the diagonal",
    design="The rows of table 22.5: with one score for all of them, and with the printed scores.",
    tolerance="Exact, to 1e-12.",
)
def chapter_22_6(setting: Setting) -> Iterator[Value | Claim]:
    """The area of a constant score, and where the curve begins."""
    same = Predictions.of(TRUTHS, score=[0.5] * len(TRUTHS), positive="c1")
    yield Value(
        "Example 22.6", "area of the random classifier", "", 0.5, get("auc").of(same), 1e-12
    )
    _, tp, fp = Predictions.of(TRUTHS, score=SCORES, positive="c1").summary(Ranking).points
    yield Claim(
        "the curve begins below the diagonal, as the highest score belongs to a negative",
        bool(tp[1] == 0 and fp[1] == 1),
        f"the first point has {tp[1]:g} true and {fp[1]:g} false positives",
    )
