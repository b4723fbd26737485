"""Table 2.9."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Found
from heliast.reproduce.studies._concentric import WORDS, Concentric
from heliast.reproduce.studies._tables import parsed

PRINTED = parsed(
    """
    Boosting (Det)   23.1  22.3  21.8  22.2  22.1  22.3  22.5  22.3
    Boosting (Rand)  25.6  22.6  22.8  22.1  22.5  22.8  22.4  22.3
    Tree             23.0
    1NN              22.4
    """
)
"""B = 2, 10, 20, 40, 60, 80, 100, 120; Tree and 1NN do not depend on it."""
EXPERIMENT = Concentric(per_class=100, leaves=20, repetitions=5)


@study(
    "thesis-2.9",
    EXPERIMENT.title,
    design=EXPERIMENT.design,
    tolerance=WORDS,
    repetitions=5,
)
def thesis_2_9(setting: Setting) -> Iterator[Found]:
    """Boosting by weights and by drawing, against the number of rounds."""
    yield from EXPERIMENT.beside(setting, "Table 2.9", PRINTED, 0.91)
