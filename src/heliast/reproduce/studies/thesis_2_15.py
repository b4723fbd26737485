"""Table 2.15: the errors of table 2.14 relative to those of 1NN."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Found
from heliast.reproduce.studies._samples import LETTER_10
from heliast.reproduce.studies._tables import RELATIVE, parsed, relative

PRINTED = parsed(
    """
    ECOC           2.10  1.80  1.47  1.19  0.98  0.90  0.87  0.84  0.83  0.80  0.79
    Regression     2.29  2.29  2.29  2.29  1.15  0.95  0.88  0.85  0.82  0.80  0.79
    Centroid       2.00  1.70  1.40  1.12  0.93  0.89  0.86  0.83  0.82  0.80  0.78
    Substitution   1.52  1.23  1.06  0.96  0.87  0.86  0.85  0.85  0.85  0.85  0.84
    Bagging        1.34  1.16  1.04  0.98  0.94  0.93  0.92  0.92  0.92  0.92  0.91
    Boosting (St)  1.46  1.39  1.29  1.27  1.25  1.23  1.21  1.23  1.21  1.16  1.15
    Boosting (Ad)  1.52  1.24  1.06  0.96  0.88  0.85  0.85  0.83  0.83  0.83  0.83
    Tree           1.33
    """
)


@study(
    "thesis-2.15",
    f"{LETTER_10.title}, relative to 1NN",
    design="The runs of table 2.14; every error is divided by the mean error of 1NN.",
    tolerance=RELATIVE,
    repetitions=LETTER_10.repetitions,
    needs=("letter",),
)
def thesis_2_15(setting: Setting) -> Iterator[Found]:
    """Ratios to the error of the nearest neighbour."""
    yield from relative("Table 2.15", PRINTED, LETTER_10.errors(setting), 0.014)
