"""Table 2.11: the errors of table 2.10 relative to those of 1NN."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Found
from heliast.reproduce.studies._samples import LETTER_50
from heliast.reproduce.studies._tables import RELATIVE, parsed, relative

PRINTED = parsed(
    """
    ECOC           4.49  3.23  2.08  1.49  1.18  1.04  0.98  0.96  0.93  0.90  0.89
    Regression     5.03  5.03  5.03  5.03  1.43  1.12  1.02  0.96  0.93  0.90  0.88
    Centroid       4.36  3.02  1.99  1.44  1.13  1.04  0.98  0.97  0.95  0.92  0.91
    Substitution   2.43  1.71  1.36  1.18  1.07  1.04  1.02  1.01  1.01  0.99  0.98
    Bagging        2.10  1.84  1.72  1.66  1.61  1.60  1.60  1.59  1.58  1.57  1.58
    Boosting (St)  2.44  2.08  1.90  1.87  1.87  1.85  1.90  1.88  1.87  1.84  1.87
    Boosting (Ad)  2.41  1.83  1.55  1.34  1.18  1.11  1.06  1.04  1.03  1.02  1.01
    Tree           2.25
    """
)


@study(
    "thesis-2.11",
    f"{LETTER_50.title}, relative to 1NN",
    design="The runs of table 2.10; every error is divided by the mean error of 1NN.",
    tolerance=RELATIVE,
    repetitions=LETTER_50.repetitions,
    needs=("letter",),
)
def thesis_2_11(setting: Setting) -> Iterator[Found]:
    """Ratios to the error of the nearest neighbour."""
    yield from relative("Table 2.11", PRINTED, LETTER_50.errors(setting), 0.022)
