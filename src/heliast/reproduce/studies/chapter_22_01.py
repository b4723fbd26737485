"""Example 22.1: error and accuracy of the full Bayes classifier on two inputs of Iris."""

from collections.abc import Iterator

from heliast.measures import get
from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Value
from heliast.reproduce.studies._chapter import IRIS, TABLE_22_1, counted


@study(
    "chapter-22.1",
    "Iris in two dimensions, full Bayes: error and accuracy",
    design="The 30 test rows of the example, from its contingency table.",
    tolerance="Half a unit of the last printed digit.",
)
def chapter_22_1(setting: Setting) -> Iterator[Value]:
    """Error and accuracy."""
    table = counted(TABLE_22_1, IRIS, IRIS[0])
    yield Value("Example 22.1", "error", "", 0.267, get("error").of(table), 0.0005)
    yield Value("Example 22.1", "accuracy", "", 0.733, get("accuracy").of(table), 0.0005)
