"""Section 3.3.2: absolute loss, a constant bias whose effect vanishes."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Value
from heliast.reproduce.studies._fixed import chosen_by
from heliast.theory import bias_variance

SHARES = (0.1, 0.5, 1.0, 1.5, 1.9)


@study(
    "thesis-3.3.2",
    "Absolute loss: the systematic effect is a/2, the bias stays 1",
    design="Y is 0, 1, 2 with probabilities a/4, 1/2, (2 - a)/4; the prediction is always 2.",
    tolerance="Exact, to 1e-9.",
)
def thesis_3_3_2(setting: Setting) -> Iterator[Value]:
    """Systematic effect, bias, variance and its effect for several a."""
    for a in SHARES:
        posterior = [[a / 4, 1 / 2, (2 - a) / 4]]
        found = bias_variance(chosen_by((0, 0, 3)), "absolute", posteriors=posterior, replicates=2)
        printed = {"systematic_effect": a / 2, "bias": 1.0, "variance": 0.0, "variance_effect": 0.0}
        for part, number in printed.items():
            words = part.replace("_", " ")
            yield Value("Section 3.3.2", words, f"a={a:g}", number, found[part].value, 1e-9)
