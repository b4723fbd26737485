"""Section 2.3.1: least squares finds the posteriors again."""

from collections.abc import Iterator

import numpy as np

from heliast import decoders
from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Value

CODE = np.array([[0, 1, 1, 0, 0], [0, 0, 0, 1, 1], [1, 1, 0, 0, 1], [1, 0, 0, 0, 0]])
POSTERIOR = (0.4, 0.1, 0.3, 0.2)
ANSWERS = (0.5, 0.7, 0.4, 0.1, 0.4)


@study(
    "thesis-2.3.1",
    "Decoding by regression",
    design="The printed code and posterior; answers as a perfect base gives them.",
    tolerance="Exact, to 1e-9.",
)
def thesis_2_3_1(setting: Setting) -> Iterator[Value]:
    """The answers of the columns, and the posterior found from them."""
    answers = np.array(POSTERIOR) @ CODE
    found = decoders.regression(ANSWERS, CODE)
    for at, printed in enumerate(ANSWERS):
        ours = float(answers[at])
        yield Value("Section 2.3.1", f"answer of column {at + 1}", "", printed, ours, 1e-9)
    for at, printed in enumerate(POSTERIOR):
        ours = float(found[at])
        yield Value("Section 2.3.1", f"posterior of class {at + 1}", "", printed, ours, 1e-9)
