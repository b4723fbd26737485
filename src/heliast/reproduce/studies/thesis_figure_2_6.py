"""Figure 2.6: the estimates of substitution against those of ECOC."""

from collections.abc import Iterator

import numpy as np

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Claim, Found, Note, Value
from heliast.reproduce.studies._coded_normals import DESIGN, PRINTED_SPREAD, TASKS, on_tasks
from heliast.reproduce.studies._figures import scattered
from heliast.reproduce.studies._normals import another, error_of_mean


@study(
    "thesis-figure-2.6",
    "Estimates of substitution against those of ECOC",
    design=f"""{DESIGN} Estimates at B = 100 (D-bar for ECOC), means over the training sets,
    for classes whose posterior is above 0.01.""",
    tolerance="""R squared ('about 95%'): as far as one more task would lie with 95%, and 2.5 points
    for 'about'.""",
    repetitions=TASKS,
)
def thesis_figure_2_6(setting: Setting) -> Iterator[Found]:
    """The line through the estimates, and how often just one of the two is right."""
    lines = [one.line for one in on_tasks(setting)]
    squared = np.array([100 * line.r_squared for line in lines])
    yield Value(
        "Figure 2.6", "R squared", "per cent", 95.0, float(squared.mean()),
        another(squared, 2.5, 5.0), error_of_mean(squared),
    )  # fmt: skip
    slopes = [line.slope for line in lines]
    yield Claim(
        "substitution shrinks the estimates: the slope is below 1",
        max(slopes) < 1,
        "slopes " + ", ".join(f"{slope:.2f}" for slope in slopes),
    )
    apart = [100 * line.discordant for line in lines]
    yield Claim(
        "fewer than 4% of points are right by one method and not by the other",
        float(np.mean(apart)) < 4,
        "per cent: " + ", ".join(f"{one:.1f}" for one in apart),
    )
    narrow = [one.line for one in on_tasks(setting, PRINTED_SPREAD)]
    yield Note(
        f"With means in +-{PRINTED_SPREAD:g}, as printed, the classes overlap so much that the "
        f"Bayes error is about 53%: R squared {np.mean([o.r_squared for o in narrow]):.3f}, slope "
        f"{np.mean([o.slope for o in narrow]):.2f}, discordant "
        f"{100 * np.mean([o.discordant for o in narrow]):.1f}%."
    )
    yield scattered(
        "figure-2.6", "Estimates at B = 100", "ECOC", "substitution", lines[0].at,
        (lines[0].intercept, lines[0].slope),
    )  # fmt: skip
