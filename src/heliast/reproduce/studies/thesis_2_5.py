"""Table 2.5."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Found
from heliast.reproduce.studies._concentric import WORDS, Concentric
from heliast.reproduce.studies._tables import parsed

PRINTED = parsed(
    """
    Boosting (Det)   41.6  37.5  36.3  37.3  37.6  37.7  37.7  37.7
    Boosting (Rand)  37.7  35.3  34.2  32.2  32.7  31.8  31.8  31.1
    Tree             37.3
    1NN              28.4
    """
)
"""B = 2, 10, 20, 40, 60, 80, 100, 120; Tree and 1NN do not depend on it."""
EXPERIMENT = Concentric(per_class=20, leaves=None, repetitions=5)


@study(
    "thesis-2.5",
    EXPERIMENT.title,
    design=EXPERIMENT.design,
    tolerance=WORDS,
    repetitions=5,
)
def thesis_2_5(setting: Setting) -> Iterator[Found]:
    """Boosting by weights and by drawing, against the number of rounds."""
    yield from EXPERIMENT.beside(setting, "Table 2.5", PRINTED, 1.7)
