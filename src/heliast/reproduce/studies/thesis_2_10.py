"""Table 2.10 and figure 2.8."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Found
from heliast.reproduce.studies._figures import against_members
from heliast.reproduce.studies._samples import LETTER_50
from heliast.reproduce.studies._tables import WORDS, beside, parsed

PRINTED = parsed(
    """
    ECOC           89.3  64.3  41.4  29.6  23.4  20.8  19.5  19.0  18.6  17.9  17.6
    Regression    100.0 100.0 100.0 100.0  28.5  22.2  20.3  19.0  18.4  18.0  17.5
    Centroid       86.7  60.1  39.6  28.5  22.5  20.7  19.5  19.2  18.9  18.3  18.1
    Substitution   48.4  34.0  27.0  23.5  21.2  20.6  20.3  20.1  20.1  19.8  19.5
    Bagging        41.9  36.5  34.3  33.1  32.1  31.8  31.7  31.7  31.4  31.2  31.4
    Boosting (St)  48.6  41.3  37.9  37.2  37.3  36.8  37.8  37.4  37.2  36.7  37.1
    Boosting (Ad)  47.9  36.5  30.8  26.6  23.5  22.0  21.2  20.8  20.6  20.2  20.1
    1NN            19.9
    Tree           44.8
    """
)
"""B = 2, 5, 10, 20, 40, 60, 80, 100, 120, 160, 200; Tree and 1NN do not depend on it."""


@study(
    "thesis-2.10",
    LETTER_50.title,
    design=LETTER_50.design,
    tolerance=WORDS,
    repetitions=LETTER_50.repetitions,
    needs=("letter",),
)
def thesis_2_10(setting: Setting) -> Iterator[Found]:
    """Errors of the classifiers against the number of members."""
    found = LETTER_50.errors(setting)
    yield from beside("Table 2.10", PRINTED, found, 0.43)
    yield against_members("figure-2.8", LETTER_50.title, found, list(PRINTED))
