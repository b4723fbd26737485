"""Table 2.18 and figure 2.12."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Found
from heliast.reproduce.studies._figures import against_members
from heliast.reproduce.studies._samples import VOWEL_20
from heliast.reproduce.studies._tables import WORDS, beside, parsed

PRINTED = parsed(
    """
    ECOC           85.0  75.9  69.7  58.5  55.1  53.0  52.8  51.0  50.5  50.6  51.0
    Regression    100.0 100.0 100.0  58.4  55.5  53.0  52.5  52.1  51.5  50.5  50.0
    Centroid       80.9  75.5  66.8  56.3  54.5  52.6  53.0  52.5  50.5  51.9  51.7
    Substitution   68.5  57.4  52.7  47.6  44.9  45.4  46.6  45.7  45.1  45.0  45.4
    Bagging        59.4  57.6  55.6  55.0  55.7  56.6  56.5  56.5  55.6  56.3  55.5
    Boosting (Ad)  67.0  58.9  57.6  56.2  54.0  54.2  53.8  55.5  55.1  55.5  55.3
    Boosting (St)  63.2  56.6  55.5  55.2  56.0  55.4  55.0  54.6  54.5  54.5  54.1
    Tree           61.2
    1NN            47.5
    """
)
"""B = 2, 5, 10, 20, 40, 60, 80, 100, 120, 160, 200; Tree and 1NN do not depend on it."""


@study(
    "thesis-2.18",
    VOWEL_20.title,
    design=VOWEL_20.design,
    tolerance=WORDS,
    repetitions=VOWEL_20.repetitions,
    needs=("vowel",),
)
def thesis_2_18(setting: Setting) -> Iterator[Found]:
    """Errors of the classifiers against the number of members."""
    found = VOWEL_20.errors(setting)
    yield from beside("Table 2.18", PRINTED, found, 1.4)
    yield against_members("figure-2.12", VOWEL_20.title, found, list(PRINTED))
