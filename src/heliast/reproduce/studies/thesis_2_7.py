"""Table 2.7."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Found
from heliast.reproduce.studies._concentric import WORDS, Concentric
from heliast.reproduce.studies._tables import parsed

PRINTED = parsed(
    """
    Boosting (Det)   22.3  20.2  21.7  22.3  22.4  22.3  22.4  22.4
    Boosting (Rand)  26.7  20.1  19.5  20.0  20.4  20.6  21.3  21.5
    Tree             22.4
    1NN              21.9
    """
)
"""B = 2, 10, 20, 40, 60, 80, 100, 120; Tree and 1NN do not depend on it."""
EXPERIMENT = Concentric(per_class=100, leaves=5, repetitions=5)


@study(
    "thesis-2.7",
    EXPERIMENT.title,
    design=EXPERIMENT.design,
    tolerance=WORDS,
    repetitions=5,
)
def thesis_2_7(setting: Setting) -> Iterator[Found]:
    """Boosting by weights and by drawing, against the number of rounds."""
    yield from EXPERIMENT.beside(setting, "Table 2.7", PRINTED, 1.2)
