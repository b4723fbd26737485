"""Examples 22.9 and 22.10: z and t intervals from five folds."""

from collections.abc import Iterator

import numpy as np
from scipy.stats import norm, t

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Note, Value
from heliast.reproduce.studies.chapter_22_07 import ERRORS

Z = {0.95: (1.96, 0.08, 0.153, 0.313), 0.99: (2.58, 0.105, 0.128, 0.338)}
T = {0.95: (2.776, 0.113, 0.12, 0.346), 0.99: (4.604, 0.188, 0.045, 0.421)}


def _interval(quantile: float) -> tuple[float, float, float, float]:
    mean = float(ERRORS.mean())
    half = quantile * float(ERRORS.std(ddof=1) / np.sqrt(len(ERRORS)))
    return quantile, half, mean - half, mean + half


@study(
    "chapter-22.9",
    "Five folds: intervals with z",
    design="Mean and standard deviation of the five printed errors, as counts of 30.",
    tolerance="""0.001, as the example rounds the half width before it is added; half a unit of the
    last digit for quantiles.""",
)
def chapter_22_9(setting: Setting) -> Iterator[Value | Note]:
    """Quantile, half width and ends at 95% and 99%."""
    for level, printed in Z.items():
        yield from _beside("Example 22.9", level, printed, float(norm.ppf((1 + level) / 2)), 0.005)
    yield Note(
        "Kept for the record: over folds that share training rows this interval covers far less "
        "than it says; heliast's own is another (docs/resampled.md)."
    )


@study(
    "chapter-22.10",
    "Five folds: intervals with Student's t",
    design="Mean and standard deviation of the five printed errors, as counts of 30.",
    tolerance="""0.001, as the example rounds the half width before it is added; half a unit of the
    last digit for quantiles.""",
)
def chapter_22_10(setting: Setting) -> Iterator[Value | Note]:
    """Quantile, half width and ends at 95% and 99%."""
    for level, printed in T.items():
        quantile = float(t.ppf((1 + level) / 2, len(ERRORS) - 1))
        yield from _beside("Example 22.10", level, printed, quantile, 0.0005)
    yield Note("What the example calls 'variance 0.0913' is the standard deviation.")


def _beside(
    group: str,
    level: float,
    printed: tuple[float, float, float, float],
    quantile: float,
    digits: float,
) -> Iterator[Value]:
    names = ("quantile", "half width", "low", "high")
    for name, number, ours in zip(names, printed, _interval(quantile), strict=True):
        slack = digits if name == "quantile" else 0.001
        yield Value(group, name, f"{100 * level:g}%", number, ours, slack)
