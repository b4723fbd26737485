"""Example 22.2: precision, coverage and F of each class."""

from collections.abc import Iterator

from heliast.measures import get
from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Note, Value
from heliast.reproduce.studies._chapter import IRIS, TABLE_22_1, counted

PRINTED = {
    "precision": (1.0, 0.583, 0.625),
    "recall": (1.0, 0.7, 0.5),
    "f": (1.0, 0.636, 0.556),
}


@study(
    "chapter-22.2",
    "Iris in two dimensions, full Bayes: measures by class",
    design="The contingency table of the example; it prints rows = predicted, heliast rows = true.",
    tolerance="Half a unit of the last printed digit.",
)
def chapter_22_2(setting: Setting) -> Iterator[Value | Note]:
    """Measures by class, and the overall F."""
    table = counted(TABLE_22_1, IRIS, IRIS[0])
    for name, printed in PRINTED.items():
        for class_, number in zip(IRIS, printed, strict=True):
            yield Value("Example 22.2", name, class_, number, get(name).of(table, class_), 0.0005)
    yield Value("Example 22.2", "overall F", "", 0.731, get("f").of(table), 0.0005)
    yield Note("The sum of the overall F runs to the number of classes k; printed, to r.")
