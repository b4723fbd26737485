"""Table 3.1."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Found
from heliast.reproduce.studies._parts import FIRST, WORDS

PRINTED = {
    "LDA": (21.5, 3.3, 0.0, 1.7, 1.6, 10.5, 0.0, 1.7, 23.1, 24.8),
    "ECOC": (27.4, 1.9, 0.4, 5.9, 5.2, 20.6, 0.5, 5.8, 23.1, 29.3),
    "Bagging": (27.7, 2.0, 1.1, 5.5, 6.1, 19.3, 1.5, 5.1, 23.1, 29.7),
    "Tree": (32.2, 1.3, 1.6, 8.8, 8.5, 25.1, 2.2, 8.2, 23.1, 33.5),
    "1NN": (27.7, 3.3, 0.1, 7.8, 1.6, 24.8, 0.0, 7.9, 23.1, 31.0),
    "5NN": (25.3, 2.3, 0.0, 4.5, 1.2, 18.8, 0.0, 4.5, 23.1, 27.6),
    "11NN": (24.1, 2.4, 0.0, 3.4, 0.9, 16.3, 0.0, 3.5, 23.1, 26.5),
}
"""In the order of `_parts.ROWS`; the printed row of differences is computed from them."""


@study(
    "thesis-3.1",
    "Bias and variance by three definitions, 26 classes",
    design=FIRST.design,
    tolerance=WORDS,
    repetitions=FIRST.tasks,
)
def thesis_3_1(setting: Setting) -> Iterator[Found]:
    """The parts of the error of seven classifiers."""
    yield from FIRST.beside(setting, "Table 3.1", PRINTED)
