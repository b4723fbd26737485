"""Thesis, chapters 3 and 4: the effects of bias and variance, and margins, worked at one point."""

from collections.abc import Iterator, Sequence

from heliast.predictions import Predictions
from heliast.reproduce import Claim, Note, Printed, Setting, study
from heliast.reproduce._study import Found
from heliast.theory import bias_variance, margins

EXACT = "Exact, to 1e-9."


def chosen_by(counts: Sequence[int]) -> Predictions:
    """One row, predicted by as many splits as the counts add up to: class i in counts[i] of them.

    >>> chosen_by((1, 2)).label.tolist()
    [0, 1, 1]
    """
    label = [at for at, count in enumerate(counts) for _ in range(count)]
    many = len(label)
    return Predictions.of(
        [0] * many, label, row=[0] * many, split=list(range(many)), classes=list(range(len(counts)))
    )


CHOICES = {"C1": (4, 5, 1), "C2": (1, 5, 4)}
"""In how many of ten splits each class is chosen."""
PARTS = {"C1": (0.59, 0.6, -0.01, 0.1, 0.5), "C2": (0.71, 0.6, 0.11, 0.1, 0.5)}


@study(
    "thesis-3.3.1",
    "Zero-one loss: equal variances, opposite effects",
    design="The printed distributions of the class and of two classifiers, at one point.",
    tolerance=EXACT,
    printed=Printed(
        "Section 3.3.1",
        {
            (part, name): number
            for name, numbers in PARTS.items()
            for part, number in zip(
                ("error", "error of SC", "VE", "SE", "variance"), numbers, strict=True
            )
        },
        1e-9,
    ),
)
def thesis_3_3_1(setting: Setting) -> Iterator[Found]:
    for name, counts in CHOICES.items():
        found = bias_variance(chosen_by(counts), posteriors=[(0.5, 0.4, 0.1)], replicates=2)
        systematic = found["systematic_effect"].value
        yield found["loss"].value
        yield found["noise"].value + systematic
        yield from (found["variance_effect"].value, systematic, found["variance"].value)
        right = found["bias"].value == 1
        yield Claim(f"{name} chooses mostly class 1, the Bayes class is 0", right, "bias 1")
    yield Note("Printed, Var(Y) ends in 1 - P(Y = SC); it is 1 - P(Y = SY), the largest of them.")


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
def thesis_3_3_2(setting: Setting) -> Iterator[Found]:
    for a in SHARES:
        posterior = [[a / 4, 1 / 2, (2 - a) / 4]]
        found = bias_variance(chosen_by((0, 0, 3)), "absolute", posteriors=posterior, replicates=2)
        yield from (found[part].value for part in EFFECTS)


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
def thesis_4_1_1(setting: Setting) -> Iterator[Found]:
    yield from margins(["1", "2", "3"], votes=[(50, 30, 20)] * 3).value
    yield Note("The error is P(M <= 0) only if a tied vote counts as an error.")
