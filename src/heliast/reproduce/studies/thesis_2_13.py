"""Table 2.13: the errors of table 2.12 relative to those of 1NN."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Found
from heliast.reproduce.studies._samples import LETTER_50_DEEP
from heliast.reproduce.studies._tables import RELATIVE, parsed, relative

PRINTED = parsed(
    """
    ECOC           4.25  3.09  1.98  1.38  1.09  0.96  0.93  0.88  0.86  0.82  0.82
    Regression     4.73  4.73  4.73  4.73  1.30  1.04  0.92  0.90  0.85  0.81  0.81
    Centroid       4.12  2.90  1.91  1.35  1.07  0.95  0.92  0.90  0.87  0.83  0.82
    Substitution   2.32  1.58  1.24  1.08  0.99  0.97  0.94  0.93  0.92  0.91  0.91
    Bagging        1.75  1.45  1.30  1.23  1.17  1.14  1.14  1.14  1.13  1.13  1.13
    Boosting (St)  2.02  1.41  1.18  1.02  0.91  0.89  0.87  0.85  0.86  0.85  0.85
    Boosting (Ad)  2.06  1.52  1.22  1.03  0.93  0.87  0.88  0.86  0.85  0.83  0.83
    Tree           1.83
    """
)


@study(
    "thesis-2.13",
    f"{LETTER_50_DEEP.title}, relative to 1NN",
    design="The runs of table 2.12; every error is divided by the mean error of 1NN.",
    tolerance=RELATIVE,
    repetitions=LETTER_50_DEEP.repetitions,
    needs=("letter",),
)
def thesis_2_13(setting: Setting) -> Iterator[Found]:
    """Ratios to the error of the nearest neighbour."""
    yield from relative("Table 2.13", PRINTED, LETTER_50_DEEP.errors(setting), 0.028)
