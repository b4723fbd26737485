"""Example 22.3: binary measures on the Iris principal components."""

from collections.abc import Iterator

from heliast.measures import get
from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Value
from heliast.reproduce.studies._chapter import TABLE_22_3, counted

PRINTED = (
    ("error", None, 0.33, 0.005),
    ("accuracy", None, 0.67, 0.005),
    ("precision", "c1", 0.5, 1e-12),
    ("precision", "c2", 0.8125, 1e-12),
    ("recall", None, 0.7, 1e-12),
    ("specificity", None, 0.65, 1e-12),
    ("fnr", None, 0.3, 1e-12),
    ("fpr", None, 0.35, 1e-12),
)


@study(
    "chapter-22.3",
    "Iris principal components, naive Bayes: binary measures",
    design="The contingency table of the example, versicolor (c1) the positive class.",
    tolerance="Half a unit of the last printed digit; exact where the number is exact.",
)
def chapter_22_3(setting: Setting) -> Iterator[Value]:
    """Rates of the positive class."""
    table = counted(TABLE_22_3, ("c1", "c2"), "c1")
    for name, class_, printed, tolerance in PRINTED:
        ours = get(name).of(table, class_)
        yield Value("Example 22.3", name, class_ or "", printed, ours, tolerance)
