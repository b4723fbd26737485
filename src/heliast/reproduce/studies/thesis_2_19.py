"""Table 2.19: the errors of table 2.18 relative to those of 1NN."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Found
from heliast.reproduce.studies._samples import VOWEL_20
from heliast.reproduce.studies._tables import RELATIVE, parsed, relative

PRINTED = parsed(
    """
    ECOC           1.79  1.60  1.47  1.23  1.16  1.12  1.11  1.07  1.07  1.07  1.07
    Regression     2.11  2.11  2.11  1.23  1.17  1.12  1.11  1.10  1.08  1.07  1.05
    Centroid       1.70  1.59  1.41  1.19  1.15  1.11  1.12  1.11  1.07  1.09  1.09
    Substitution   1.44  1.21  1.11  1.00  0.95  0.96  0.98  0.96  0.95  0.95  0.96
    Bagging        1.25  1.21  1.17  1.16  1.17  1.19  1.19  1.19  1.17  1.19  1.17
    Boosting (Ad)  1.41  1.24  1.21  1.18  1.14  1.14  1.13  1.17  1.16  1.17  1.16
    Boosting (St)  1.33  1.19  1.17  1.16  1.18  1.17  1.16  1.15  1.15  1.15  1.14
    Tree           1.29
    """
)


@study(
    "thesis-2.19",
    f"{VOWEL_20.title}, relative to 1NN",
    design="The runs of table 2.18; every error is divided by the mean error of 1NN.",
    tolerance=RELATIVE,
    repetitions=VOWEL_20.repetitions,
    needs=("vowel",),
)
def thesis_2_19(setting: Setting) -> Iterator[Found]:
    """Ratios to the error of the nearest neighbour."""
    yield from relative("Table 2.19", PRINTED, VOWEL_20.errors(setting), 0.030)
