"""Table 2.4."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Found
from heliast.reproduce.studies._concentric import WORDS, Concentric
from heliast.reproduce.studies._tables import parsed

PRINTED = parsed(
    """
    Boosting (Det)   32.4  30.1  31.7  31.8  31.7  31.8  31.8  32.1
    Boosting (Rand)  35.0  27.9  26.9  27.2  26.8  26.9  26.7  26.9
    Tree             34.1
    1NN              25.1
    """
)
"""B = 2, 10, 20, 40, 60, 80, 100, 120; Tree and 1NN do not depend on it."""
EXPERIMENT = Concentric(per_class=20, leaves=5, repetitions=10)


@study(
    "thesis-2.4",
    EXPERIMENT.title,
    design=EXPERIMENT.design,
    tolerance=WORDS,
    repetitions=10,
)
def thesis_2_4(setting: Setting) -> Iterator[Found]:
    """Boosting by weights and by drawing, against the number of rounds."""
    yield from EXPERIMENT.beside(setting, "Table 2.4", PRINTED, 1.2)
