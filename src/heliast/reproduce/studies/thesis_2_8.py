"""Table 2.8."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Found
from heliast.reproduce.studies._concentric import WORDS, Concentric
from heliast.reproduce.studies._tables import parsed

PRINTED = parsed(
    """
    Boosting (Det)   20.8  21.3  21.0  21.9  22.1  22.3  22.1  22.1
    Boosting (Rand)  23.9  20.2  20.8  21.3  21.6  21.6  21.8  21.6
    Tree             20.8
    1NN              22.4
    """
)
"""B = 2, 10, 20, 40, 60, 80, 100, 120; Tree and 1NN do not depend on it."""
EXPERIMENT = Concentric(per_class=100, leaves=10, repetitions=5)


@study(
    "thesis-2.8",
    EXPERIMENT.title,
    design=EXPERIMENT.design,
    tolerance=WORDS,
    repetitions=5,
)
def thesis_2_8(setting: Setting) -> Iterator[Found]:
    """Boosting by weights and by drawing, against the number of rounds."""
    yield from EXPERIMENT.beside(setting, "Table 2.8", PRINTED, 0.69)
