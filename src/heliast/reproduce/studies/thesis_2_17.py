"""Table 2.17: the errors of table 2.16 relative to those of 1NN."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Found
from heliast.reproduce.studies._samples import VOWEL_40
from heliast.reproduce.studies._tables import RELATIVE, parsed, relative

PRINTED = parsed(
    """
    ECOC           1.85  1.60  1.36  1.22  1.12  1.10  1.11  1.10  1.08  1.07  1.07
    Regression     2.31  2.31  2.31  1.27  1.12  1.10  1.10  1.10  1.08  1.06  1.06
    Centroid       1.81  1.57  1.33  1.21  1.13  1.10  1.11  1.10  1.09  1.07  1.07
    Substitution   1.43  1.23  1.12  1.05  0.99  1.00  1.01  1.00  0.99  1.00  1.00
    Bagging        1.34  1.29  1.22  1.21  1.23  1.22  1.21  1.20  1.21  1.22  1.21
    Boosting (Ad)  1.51  1.28  1.26  1.20  1.18  1.16  1.15  1.16  1.14  1.14  1.14
    Tree           1.42
    """
)


@study(
    "thesis-2.17",
    f"{VOWEL_40.title}, relative to 1NN",
    design="The runs of table 2.16; every error is divided by the mean error of 1NN.",
    tolerance=RELATIVE,
    repetitions=VOWEL_40.repetitions,
    needs=("vowel",),
)
def thesis_2_17(setting: Setting) -> Iterator[Found]:
    """Ratios to the error of the nearest neighbour."""
    yield from relative("Table 2.17", PRINTED, VOWEL_40.errors(setting), 0.022)
