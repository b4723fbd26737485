"""Table 2.3."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Found
from heliast.reproduce.studies._concentric import WORDS, Concentric
from heliast.reproduce.studies._tables import parsed

PRINTED = parsed(
    """
    Boosting (Det)   42.4  31.0  28.9  28.1  25.7  27.1  26.3  26.5
    Boosting (Rand)  42.4  32.6  29.5  28.7  26.8  26.1  25.6  25.7
    Tree             41.5
    1NN              27.2
    """
)
"""B = 2, 10, 20, 40, 60, 80, 100, 120; Tree and 1NN do not depend on it."""
EXPERIMENT = Concentric(per_class=20, leaves=2, repetitions=10)


@study(
    "thesis-2.3",
    EXPERIMENT.title,
    design=EXPERIMENT.design,
    tolerance=WORDS,
    repetitions=10,
)
def thesis_2_3(setting: Setting) -> Iterator[Found]:
    """Boosting by weights and by drawing, against the number of rounds."""
    yield from EXPERIMENT.beside(setting, "Table 2.3", PRINTED, 1.5)
