"""Table 2.16 and figure 2.11."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Found
from heliast.reproduce.studies._figures import against_members
from heliast.reproduce.studies._samples import VOWEL_40
from heliast.reproduce.studies._tables import WORDS, beside, parsed

PRINTED = parsed(
    """
    ECOC           80.1  69.1  59.0  52.8  48.3  47.6  48.0  47.6  46.9  46.1  46.1
    Regression    100.0 100.0 100.0  55.1  48.6  47.4  47.5  47.5  46.7  45.9  45.9
    Centroid       78.4  68.1  57.6  52.5  48.9  47.8  48.2  47.6  47.0  46.5  46.1
    Substitution   61.7  53.2  48.6  45.5  43.0  43.3  43.7  43.5  43.0  43.1  43.1
    Bagging        57.9  55.8  52.7  52.4  53.1  52.7  52.4  51.9  52.3  52.6  52.5
    Boosting (Ad)  65.3  55.5  54.5  51.9  50.9  50.0  49.8  50.0  49.4  49.5  49.1
    1NN            43.3
    Tree           61.5
    """
)
"""B = 2, 5, 10, 20, 40, 60, 80, 100, 120, 160, 200; Tree and 1NN do not depend on it."""


@study(
    "thesis-2.16",
    VOWEL_40.title,
    design=VOWEL_40.design,
    tolerance=WORDS,
    repetitions=VOWEL_40.repetitions,
    needs=("vowel",),
)
def thesis_2_16(setting: Setting) -> Iterator[Found]:
    """Errors of the classifiers against the number of members."""
    found = VOWEL_40.errors(setting)
    yield from beside("Table 2.16", PRINTED, found, 0.97)
    yield against_members("figure-2.11", VOWEL_40.title, found, list(PRINTED))
