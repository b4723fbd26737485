"""Thesis, chapter 2: codes and their decoding, worked at one point."""

from collections.abc import Iterator

import numpy as np

from heliast import codes, decoders
from heliast.reproduce import Claim, Note, Printed, Setting, study
from heliast.reproduce._study import Found, entries
from heliast.theory import consistency

EXACT = "Exact, to 1e-9."
CODE = ((1, 1, 0, 0, 0), (0, 0, 1, 1, 0), (1, 0, 0, 1, 1), (1, 1, 1, 1, 0))
ANSWERS = (0.3, 0.2, 0.8, 0.9, 0.1)
AWAY = ((3.3, -0.32), (0.9, 0.64), (2.7, -0.08), (1.9, 0.24))
"""L1 distance and D-bar of each class."""


@study(
    "thesis-2.1.1",
    "Decoding by L1 distance, four classes and five columns",
    design="The printed code and answers of the five columns.",
    tolerance=EXACT,
    printed=Printed(
        "Section 2.1.1",
        entries({f"class {at}": pair for at, pair in enumerate(AWAY, 1)}, ("L1", "D-bar")),
        1e-9,
    ),
)
def thesis_2_1_1(setting: Setting) -> Iterator[Found]:
    away, score = decoders.distances(ANSWERS, CODE), decoders.l1(ANSWERS, CODE)
    yield from np.column_stack([away, score]).ravel()
    chosen = int(score.argmax()) + 1
    yield Claim("the vote is for class 2", chosen == 2, f"class {chosen}")


COLUMNS = (10, 50, 100, 200, 1000)
BOUNDS = {0.2: (1, 1, 1, 1, 0.061), 0.5: (1, 1, 0.395, 0.017, 0), 0.9: (1, 0.032, 0, 0, 0)}
LINEAR = 0.9
"""The row that follows gap / 8; the others follow gap squared / 8."""


@study(
    "thesis-2.2",
    "Bounds on the convergence of ECOC, ten classes",
    design="""9 exp(-mB), at most 1: m = gap^2/8, as Hoeffding's inequality gives, for gaps 0.2 and
    0.5; m = gap/8, as theorem 5 is printed, for gap 0.9.""",
    tolerance="Half a unit of the last printed digit.",
    printed=Printed(
        "Table 2.2",
        entries({f"gap {gap:g}": row for gap, row in BOUNDS.items()}, [f"B={b}" for b in COLUMNS]),
        0.0005,
    ),
)
def thesis_2_2(setting: Setting) -> Iterator[Found]:
    for gap in BOUNDS:
        yield from codes.convergence_bound(10, gap, COLUMNS, printed=gap == LINEAR)
    smallest = float(codes.convergence_bound(10, LINEAR, 1000, printed=True))
    yield Claim("the smallest of the 0's is 10^-48", 1e-49 < smallest < 1e-47, f"{smallest:.1g}")
    right = codes.convergence_bound(10, LINEAR, COLUMNS)
    yield Note(
        "The table mixes two exponents; the proof gives gap^2/8, and with it the row of 0.9 is "
        + ", ".join(f"{value:.2g}" for value in right)
        + ". The exponent gap/8 is no bound: see docs/theory.md for a counterexample."
    )


POSTERIOR = np.array([0.4, 0.1, 0.3, 0.2])
INCONSISTENT = np.array([[0, 1, 1], [0, 0, 0], [1, 1, 0], [1, 0, 0]])


@study(
    "thesis-2.2.1",
    "A code that is not Bayes consistent",
    design="The printed code and posterior; answers as a perfect base gives them.",
    tolerance="Exact, to 1e-9. The fourth distance is misprinted and left out.",
    printed=Printed(
        "Section 2.2.1",
        {f"answer of column {at}": number for at, number in enumerate((0.5, 0.7, 0.4), 1)}
        | {f"distance of class {at}": number for at, number in enumerate((1.4, 1.6, 1.2), 1)},
        1e-9,
    ),
)
def thesis_2_2_1(setting: Setting) -> Iterator[Found]:
    answers = POSTERIOR @ INCONSISTENT
    away = decoders.distances(answers, INCONSISTENT)
    yield from (*answers, *away[:3])
    chosen = int(away.argmin()) + 1
    yield Claim("the vote is for class 3, though class 1 is right", chosen == 3, f"class {chosen}")
    consistent = consistency(INCONSISTENT).consistent
    yield Claim("the code is not Bayes consistent", not consistent, "theorem 1")
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


WIDER = np.array([[0, 1, 1, 0, 0], [0, 0, 0, 1, 1], [1, 1, 0, 0, 1], [1, 0, 0, 0, 0]])
PERFECT = (0.5, 0.7, 0.4, 0.1, 0.4)


@study(
    "thesis-2.3.1",
    "Decoding by regression",
    design="The printed code and posterior; answers as a perfect base gives them.",
    tolerance=EXACT,
    printed=Printed(
        "Section 2.3.1",
        {f"answer of column {at}": number for at, number in enumerate(PERFECT, 1)}
        | {f"posterior of class {at}": float(q) for at, q in enumerate(POSTERIOR, 1)},
        1e-9,
    ),
)
def thesis_2_3_1(setting: Setting) -> Iterator[Found]:
    yield from (*(POSTERIOR @ WIDER), *decoders.regression(PERFECT, WIDER))
