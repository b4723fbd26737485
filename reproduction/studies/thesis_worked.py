"""Thesis: codes, decoding, effects of bias and variance, and margins, worked at one point."""

import numpy as np

from heliast import codes, decoders
from heliast.predictions import Predictions
from heliast.theory import bias_variance, consistency, margins
from reproduction.study import Claim, Printed, by_cell, study

EXACT = "Exact, to 1e-9."
CODE = ((1, 1, 0, 0, 0), (0, 0, 1, 1, 0), (1, 0, 0, 1, 1), (1, 1, 1, 1, 0))
ANSWERS = (0.3, 0.2, 0.8, 0.9, 0.1)
DISTANCES = {  # L1 distance and D-bar of each class
    "class 1": (3.3, -0.32),
    "class 2": (0.9, 0.64),
    "class 3": (2.7, -0.08),
    "class 4": (1.9, 0.24),
}


@study(
    "thesis-2.1.1",
    "Decoding by L1 distance, four classes and five columns",
    design="The printed code and answers of the five columns.",
    tolerance=EXACT,
    printed=Printed("Section 2.1.1", by_cell(DISTANCES, ("L1", "D-bar")), 1e-9),
)
def thesis_2_1_1(settings):
    distance, score = decoders.distances(ANSWERS, CODE), decoders.l1(ANSWERS, CODE)
    yield from np.column_stack([distance, score]).ravel()
    chosen = score.argmax() + 1
    yield Claim("the vote is for class 2", chosen == 2, f"class {chosen}")


COLUMNS = (10, 50, 100, 200, 1000)
BOUNDS = {0.2: (1, 1, 1, 1, 0.061), 0.5: (1, 1, 0.395, 0.017, 0), 0.9: (1, 0.032, 0, 0, 0)}
LINEAR = 0.9  # the row that follows gap / 8; the others follow gap squared / 8


@study(
    "thesis-2.2",
    "Bounds on the convergence of ECOC, ten classes",
    design="""9 exp(-mB), at most 1: m = gap^2/8, as Hoeffding's inequality gives, for gaps 0.2 and
    0.5; m = gap/8, as theorem 5 is printed, for gap 0.9.""",
    tolerance="Half a unit of the last printed digit.",
    printed=Printed(
        "Table 2.2",
        by_cell({f"gap {gap:g}": row for gap, row in BOUNDS.items()}, [f"B={b}" for b in COLUMNS]),
        0.0005,
    ),
)
def thesis_2_2(settings):
    for gap in BOUNDS:
        yield from codes.convergence_bound(10, gap, COLUMNS, printed=gap == LINEAR)
    smallest = float(codes.convergence_bound(10, LINEAR, 1000, printed=True))
    yield Claim("the smallest of the 0's is 10^-48", 1e-49 < smallest < 1e-47, f"{smallest:.1g}")
    bounds = codes.convergence_bound(10, LINEAR, COLUMNS)
    yield (
        "The table mixes two exponents; the proof gives gap^2/8, and with it the row of 0.9 is "
        + ", ".join(f"{bound:.2g}" for bound in bounds)
        + ". The exponent gap/8 is no bound: see docs/theory.md for a counterexample."
    )


def by_number(words, numbers):
    """Numbers by `words 1`, `words 2`, ..."""
    return {f"{words} {at}": float(number) for at, number in enumerate(numbers, 1)}


POSTERIOR = np.array([0.4, 0.1, 0.3, 0.2])
INCONSISTENT = np.array([[0, 1, 1], [0, 0, 0], [1, 1, 0], [1, 0, 0]])


@study(
    "thesis-2.2.1",
    "A code that is not Bayes consistent",
    design="The printed code and posterior; answers as a perfect base gives them.",
    tolerance="Exact, to 1e-9. The fourth distance is misprinted and left out.",
    printed=Printed(
        "Section 2.2.1",
        by_number("answer of column", (0.5, 0.7, 0.4))
        | by_number("distance of class", (1.4, 1.6, 1.2)),
        1e-9,
    ),
)
def thesis_2_2_1(settings):
    answers = POSTERIOR @ INCONSISTENT
    distances = decoders.distances(answers, INCONSISTENT)
    yield from (*answers, *distances[:3])
    chosen = distances.argmin() + 1
    yield Claim("the vote is for class 3, though class 1 is right", chosen == 3, f"class {chosen}")
    consistent = consistency(INCONSISTENT).consistent
    yield Claim("the code is not Bayes consistent", not consistent, "theorem 1")
    for name, code in (("all columns", codes.exhaustive(3)), ("identity", codes.identity(4))):
        yield Claim(
            f"the code with {name} is consistent",
            consistency(code).consistent,
            "all distances equal",
        )
    yield (
        f"Printed, class 4 has distance 1.7; it is {distances[3]:.1f}. That no usable fixed code "
        "is consistent does not hold: 26 rows of a Hadamard matrix of order 32 without its "
        "constant column have 31 columns and all distances 16 (`codes.hadamard`)."
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
        by_number("answer of column", PERFECT) | by_number("posterior of class", POSTERIOR),
        1e-9,
    ),
)
def thesis_2_3_1(settings):
    yield from (*(POSTERIOR @ WIDER), *decoders.regression(PERFECT, WIDER))


def predictions_of_votes(counts):
    """A row of class 0, predicted by as many splits as the counts add up to: class i in counts[i].

    >>> predictions_of_votes((1, 2)).y_pred.tolist()
    [0, 1, 1]
    """
    label = np.repeat(np.arange(len(counts)), counts)
    zeros = np.zeros(len(label), int)
    return Predictions.of(
        zeros, label, row=zeros, split=np.arange(len(label)), classes=list(range(len(counts)))
    )


CHOICES = {"C1": (4, 5, 1), "C2": (1, 5, 4)}  # in how many of ten splits each class is chosen
PARTS = {
    "error": (0.59, 0.71),
    "error of SC": (0.6, 0.6),
    "VE": (-0.01, 0.11),
    "SE": (0.1, 0.1),
    "variance": (0.5, 0.5),
}


@study(
    "thesis-3.3.1",
    "Zero-one loss: equal variances, opposite effects",
    design="The printed distributions of the class and of two classifiers, at one point.",
    tolerance=EXACT,
    printed=Printed("Section 3.3.1", by_cell(PARTS, CHOICES), 1e-9),
)
def thesis_3_3_1(settings):
    columns = []
    for name, counts in CHOICES.items():
        parts = bias_variance(
            predictions_of_votes(counts), posteriors=[(0.5, 0.4, 0.1)], replicates=2
        )
        names = ("loss", "noise", "systematic_effect", "variance_effect", "variance", "bias")
        loss, noise, systematic, effect, variance, bias = (parts[part].value for part in names)
        columns.append((loss, noise + systematic, effect, systematic, variance))
        yield Claim(f"{name} chooses mostly class 1, the Bayes class is 0", bias == 1, "bias 1")
    yield from np.transpose(columns).ravel()
    yield "Printed, Var(Y) ends in 1 - P(Y = SC); it is 1 - P(Y = SY), the largest of them."


SHARES = (0.1, 0.5, 1.0, 1.5, 1.9)
EFFECTS = ("systematic_effect", "bias", "variance", "variance_effect")


@study(
    "thesis-3.3.2",
    "Absolute loss: the systematic effect is a/2, the bias stays 1",
    design="Y is 0, 1, 2 with probabilities a/4, 1/2, (2 - a)/4; the prediction is always 2.",
    tolerance=EXACT,
    printed=Printed(
        "Section 3.3.2",
        {
            (part.replace("_", " "), f"a={a:g}"): number
            for a in SHARES
            for part, number in zip(EFFECTS, (a / 2, 1.0, 0.0, 0.0), strict=True)
        },
        1e-9,
    ),
)
def thesis_3_3_2(settings):
    for a in SHARES:
        posterior = [[a / 4, 1 / 2, (2 - a) / 4]]
        parts = bias_variance(
            predictions_of_votes((0, 0, 3)), "absolute", posteriors=posterior, replicates=2
        )
        yield from (parts[part].value for part in EFFECTS)


@study(
    "thesis-4.1.1",
    "Margins of 50, 30 and 20 votes",
    design="100 equal votes: 50 for class 1, 30 for class 2, 20 for class 3; each in turn right.",
    tolerance=EXACT,
    printed=Printed(
        "Section 4.1.1",
        {(f"class {at} is right", "margin"): m for at, m in enumerate((0.2, -0.2, -0.3), 1)},
        1e-9,
    ),
)
def thesis_4_1_1(settings):
    yield from margins(["1", "2", "3"], votes=[(50, 30, 20)] * 3).value
    yield "The error is P(M <= 0) only if a tied vote counts as an error."
