"""Section 3.3.1: two classifiers of equal variance and opposite effect."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Claim, Note, Value
from heliast.reproduce.studies._fixed import chosen_by
from heliast.theory import bias_variance

POSTERIOR = (0.5, 0.4, 0.1)
CHOICES = {"C1": (4, 5, 1), "C2": (1, 5, 4)}
"""In how many of ten splits each class is chosen."""
PRINTED = {
    "C1": {"error": 0.59, "error of SC": 0.6, "VE": -0.01, "SE": 0.1, "variance": 0.5},
    "C2": {"error": 0.71, "error of SC": 0.6, "VE": 0.11, "SE": 0.1, "variance": 0.5},
}


@study(
    "thesis-3.3.1",
    "Zero-one loss: equal variances, opposite effects",
    design="The printed distributions of the class and of two classifiers, at one point.",
    tolerance="Exact, to 1e-9.",
)
def thesis_3_3_1(setting: Setting) -> Iterator[Value | Claim | Note]:
    """The error, and what systematic effect and variance add to it."""
    for name, counts in CHOICES.items():
        found = bias_variance(chosen_by(counts), posteriors=[POSTERIOR], replicates=2)
        ours = {
            "error": found["loss"].value,
            "error of SC": found["noise"].value + found["systematic_effect"].value,
            "VE": found["variance_effect"].value,
            "SE": found["systematic_effect"].value,
            "variance": found["variance"].value,
        }
        for part, printed in PRINTED[name].items():
            yield Value("Section 3.3.1", part, name, printed, ours[part], 1e-9)
        right = found["bias"].value == 1
        yield Claim(f"{name} chooses mostly class 1, the Bayes class is 0", right, "bias 1")
    yield Note("Printed, Var(Y) ends in 1 - P(Y = SC); it is 1 - P(Y = SY), the largest of them.")
