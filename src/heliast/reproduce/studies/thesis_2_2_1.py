"""Section 2.2.1: a fixed code that errs although every column answers perfectly."""

from collections.abc import Iterator

import numpy as np

from heliast import codes, decoders
from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Claim, Note, Value
from heliast.theory import consistency

CODE = np.array([[0, 1, 1], [0, 0, 0], [1, 1, 0], [1, 0, 0]])
POSTERIOR = np.array([0.4, 0.1, 0.3, 0.2])
ANSWERS = (0.5, 0.7, 0.4)
DISTANCES = (1.4, 1.6, 1.2)


@study(
    "thesis-2.2.1",
    "A code that is not Bayes consistent",
    design="The printed code and posterior; answers as a perfect base gives them.",
    tolerance="Exact, to 1e-9. The fourth distance is misprinted and left out.",
)
def thesis_2_2_1(setting: Setting) -> Iterator[Value | Claim | Note]:
    """The answers, the distances, the wrong class, and which codes are consistent."""
    answers = POSTERIOR @ CODE
    away = decoders.distances(answers, CODE)
    for at, printed in enumerate(ANSWERS):
        ours = float(answers[at])
        yield Value("Section 2.2.1", f"answer of column {at + 1}", "", printed, ours, 1e-9)
    for at, printed in enumerate(DISTANCES):
        ours = float(away[at])
        yield Value("Section 2.2.1", f"distance of class {at + 1}", "", printed, ours, 1e-9)
    chosen = int(away.argmin()) + 1
    yield Claim("the vote is for class 3, though class 1 is right", chosen == 3, f"class {chosen}")
    yield Claim("the code is not Bayes consistent", not consistency(CODE).consistent, "theorem 1")
    for name, code in (("all columns", codes.exhaustive(3)), ("identity", codes.identity(4))):
        yield Claim(
            f"the code with {name} is consistent",
            bool(consistency(code).consistent),
            "all distances equal",
        )
    yield Note(
        f"Printed, class 4 has distance 1.7; it is {away[3]:.1f}. That no usable fixed code is "
        "consistent does not hold: 26 rows of a Hadamard matrix of order 32 without its constant "
        "column have 31 columns and all distances 16 (`codes.hadamard`)."
    )
