"""Table 2.6."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Found
from heliast.reproduce.studies._concentric import WORDS, Concentric
from heliast.reproduce.studies._tables import parsed

PRINTED = parsed(
    """
    Boosting (Det)   41.4  28.7  22.9  20.6  19.9  20.0  20.0  20.2
    Boosting (Rand)  41.6  29.1  24.9  21.6  20.7  19.2  19.5  20.2
    Tree             41.2
    1NN              21.4
    """
)
"""B = 2, 10, 20, 40, 60, 80, 100, 120; Tree and 1NN do not depend on it."""
EXPERIMENT = Concentric(per_class=100, leaves=2, repetitions=10)


@study(
    "thesis-2.6",
    EXPERIMENT.title,
    design=EXPERIMENT.design,
    tolerance=WORDS,
    repetitions=10,
)
def thesis_2_6(setting: Setting) -> Iterator[Found]:
    """Boosting by weights and by drawing, against the number of rounds."""
    yield from EXPERIMENT.beside(setting, "Table 2.6", PRINTED, 0.96)
