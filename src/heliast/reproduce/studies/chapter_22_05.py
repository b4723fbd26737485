"""Example 22.5: the area under the curve, step by step."""

from collections.abc import Iterator

import numpy as np

from heliast.measures import get
from heliast.measures.summaries import Ranking
from heliast.predictions import Predictions
from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Value

PRINTED = (0.0, 0.333, 0.833)


@study(
    "chapter-22.5",
    "Five rows with a tie: the area by trapezoids",
    design="The five scores and labels of the example.",
    tolerance="Half a unit of the last printed digit.",
)
def chapter_22_5(setting: Setting) -> Iterator[Value]:
    """The area after each distinct score, and in all."""
    table = Predictions.of(
        ["c1", "c2", "c1", "c1", "c2"], score=[0.9, 0.8, 0.8, 0.8, 0.1], positive="c1"
    )
    _, tp, fp = table.summary(Ranking).points
    running = np.cumsum(np.diff(fp / 2) * (tp[1:] + tp[:-1]) / 2 / 3)
    for step, (printed, ours) in enumerate(zip(PRINTED, running, strict=True), 1):
        yield Value("Example 22.5", f"after step {step}", "", printed, float(ours), 0.0005)
    yield Value("Example 22.5", "area", "", 0.833, get("auc").of(table), 0.0005)
