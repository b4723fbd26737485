"""Section 2.1.1: the nearest word of a code; section 2.2.2: the same as estimates."""

from collections.abc import Iterator

from heliast import decoders
from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Claim, Value

CODE = ((1, 1, 0, 0, 0), (0, 0, 1, 1, 0), (1, 0, 0, 1, 1), (1, 1, 1, 1, 0))
ANSWERS = (0.3, 0.2, 0.8, 0.9, 0.1)
DISTANCES = (3.3, 0.9, 2.7, 1.9)
ESTIMATES = (-0.32, 0.64, -0.08, 0.24)


@study(
    "thesis-2.1.1",
    "Decoding by L1 distance, four classes and five columns",
    design="The printed code and answers of the five columns.",
    tolerance="Exact, to 1e-9.",
)
def thesis_2_1_1(setting: Setting) -> Iterator[Value | Claim]:
    """Distances, the estimates D-bar that follow from them, and the class."""
    away, score = decoders.distances(ANSWERS, CODE), decoders.l1(ANSWERS, CODE)
    for at in range(4):
        row = f"class {at + 1}"
        yield Value("Section 2.1.1", row, "L1", DISTANCES[at], float(away[at]), 1e-9)
        yield Value("Section 2.1.1", row, "D-bar", ESTIMATES[at], float(score[at]), 1e-9)
    chosen = int(score.argmax()) + 1
    yield Claim("the vote is for class 2", chosen == 2, f"class {chosen}")
