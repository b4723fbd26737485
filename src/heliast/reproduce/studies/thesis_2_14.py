"""Table 2.14 and figure 2.10."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Found, Note
from heliast.reproduce.studies._figures import against_members
from heliast.reproduce.studies._samples import LETTER_10
from heliast.reproduce.studies._tables import WORDS, beside, parsed

PRINTED = parsed(
    """
    ECOC           91.7  78.5  64.0  51.7  42.5  39.3  38.1  36.8  36.2  34.9  34.3
    Centroid       87.3  74.0  60.9  49.0  40.7  38.8  37.5  36.1  35.7  34.7  34.0
    Regression    100.0 100.0 100.0 100.0  50.0  41.5  38.6  36.9  35.8  34.9  34.3
    Substitution   66.5  53.7  46.3  41.9  38.1  37.3  37.0  36.9  37.0  36.9  36.8
    Bagging        58.6  50.4  45.5  42.7  41.0  40.7  40.1  40.1  39.9  40.0  39.9
    Boosting (St)  63.5  60.7  56.4  55.2  54.3  53.5  52.9  53.5  52.8  50.8  50.4
    Boosting (Ad)  66.4  54.0  46.3  41.8  38.2  37.1  36.9  36.3  36.2  36.3  36.0
    Tree           58.0
    1NN            43.6
    """
)
"""B = 2, 5, 10, 20, 40, 60, 80, 100, 120, 160, 200; Tree and 1NN do not depend on it."""


@study(
    "thesis-2.14",
    LETTER_10.title,
    design=LETTER_10.design,
    tolerance=WORDS,
    repetitions=LETTER_10.repetitions,
    needs=("letter",),
)
def thesis_2_14(setting: Setting) -> Iterator[Found]:
    """Errors of the classifiers against the number of members."""
    found = LETTER_10.errors(setting)
    yield from beside("Table 2.14", PRINTED, found, 0.60)
    yield against_members("figure-2.10", LETTER_10.title, found, list(PRINTED))
    yield Note(
        "Printed, the rows Regression and Centroid are swapped: table 2.15 and all others have "
        "Regression at 100% where B is below the number of classes. They stand here as they should."
    )
