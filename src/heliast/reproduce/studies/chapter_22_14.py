"""Example 22.14: the weights of boosted votes."""

from collections.abc import Iterator

from heliast.ensembles._boosting import vote_weight
from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Note, Value

ERRORS = (0.280, 0.305, 0.174, 0.282)
WEIGHTS = (0.944, 0.826, 1.559, 0.935)


@study(
    "chapter-22.14",
    "AdaBoost of linear SVMs: vote weights from errors",
    design="The four printed errors, through the rule alpha = log((1 - error) / error).",
    tolerance="0.003, as the printed errors are rounded.",
)
def chapter_22_14(setting: Setting) -> Iterator[Value | Note]:
    """The weight of each vote."""
    for at, (error, printed) in enumerate(zip(ERRORS, WEIGHTS, strict=True), 1):
        yield Value("Example 22.14", f"alpha {at}", "", printed, vote_weight(error), 0.003)
    yield Note(
        "The printed error of 0.253 for two members cannot be: the first has the larger weight and "
        "decides alone, so it is the 0.280 of one member."
    )
