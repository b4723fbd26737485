"""Table 2.12 and figure 2.9."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Found
from heliast.reproduce.studies._figures import against_members
from heliast.reproduce.studies._samples import LETTER_50_DEEP
from heliast.reproduce.studies._tables import WORDS, beside, parsed

PRINTED = parsed(
    """
    ECOC           89.7  65.2  41.8  29.2  22.9  20.2  19.6  18.5  18.1  17.4  17.2
    Regression    100.0 100.0 100.0 100.0  27.5  22.0  19.5  19.0  18.0  17.2  17.1
    Centroid       87.0  61.2  40.4  28.5  22.6  20.2  19.5  18.9  18.3  17.6  17.3
    Substitution   48.9  33.3  26.1  22.8  21.0  20.4  19.8  19.6  19.4  19.2  19.2
    Bagging        36.9  30.6  27.4  26.0  24.8  24.1  24.0  24.0  24.0  23.8  23.9
    Boosting (St)  42.6  29.8  25.0  21.6  19.3  18.9  18.3  18.1  18.3  17.9  17.9
    Boosting (Ad)  43.4  32.2  25.7  21.7  19.6  18.4  18.7  18.2  17.9  17.5  17.6
    1NN            21.1
    Tree           38.7
    """
)
"""B = 2, 5, 10, 20, 40, 60, 80, 100, 120, 160, 200; Tree and 1NN do not depend on it."""


@study(
    "thesis-2.12",
    LETTER_50_DEEP.title,
    design=LETTER_50_DEEP.design,
    tolerance=WORDS,
    repetitions=LETTER_50_DEEP.repetitions,
    needs=("letter",),
)
def thesis_2_12(setting: Setting) -> Iterator[Found]:
    """Errors of the classifiers against the number of members."""
    found = LETTER_50_DEEP.errors(setting)
    yield from beside("Table 2.12", PRINTED, found, 0.60)
    yield against_members("figure-2.9", LETTER_50_DEEP.title, found, list(PRINTED))
