"""Slides on evaluation: kappa, its chance table and its scale."""

from collections.abc import Iterator

from heliast.measures import get, kappa_word
from heliast.measures.summaries import Contingency
from heliast.predictions import Predictions
from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Claim, Note, Value
from heliast.reproduce.studies._chapter import counted

COUNTS = ((88, 14, 18), (10, 40, 10), (2, 6, 12))
CHANCE = ((60, 36, 24), (30, 18, 12), (10, 6, 4))
"""Rows = true class, as printed."""


@study(
    "slides-c-kappa",
    "Kappa of three classes",
    design="The 200 rows of the slides, and the random classifier with the same margins.",
    tolerance="Half a unit of the last printed digit; exact for counts.",
)
def slides_c_kappa(setting: Setting) -> Iterator[Value | Claim | Note]:
    """Counts by chance, kappa, its word."""
    table = counted(list(zip(*COUNTS, strict=True)), "abc", "a")
    chance = table.summary(Contingency).chance
    for i, line in enumerate(CHANCE):
        for j, printed in enumerate(line):
            name = f"true {'abc'[i]}, predicted {'abc'[j]}"
            yield Value("By chance", name, "", printed, float(chance[i, j]), 1e-9)
    kappa = get("kappa").of(table)
    yield Value("Kappa", "kappa", "", 0.492, kappa, 0.0005)
    yield Claim("kappa of 0.49 is 'moderate'", kappa_word(kappa) == "moderate", f"{kappa:.3f}")
    swapped = ["yes"] * 60 + ["no"] * 40, ["no"] * 60 + ["yes"] * 40
    worst = get("kappa").of(Predictions.of(*swapped))
    yield Claim(
        "a perfect swap of two classes has kappa -1",
        abs(worst + 1) < 1e-9,
        f"with 60 and 40 rows it is {worst:.3f}; it is -1 for equal classes only",
    )
