"""Exercise Q4: an interval for the error from the errors of six hyperplanes."""

from collections.abc import Iterator

from scipy.stats import t

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Note, Value

CRITICAL = {1: 12.7065, 2: 4.3026, 3: 3.1824, 4: 2.7764, 5: 2.5706, 6: 2.4469}


@study(
    "chapter-q4",
    "Exercise 4: critical values of Student's t for an interval from six errors",
    design="""Table 22.7. The errors of the six hyperplanes are in figure 22.10, which the text does
    not hold: `heliast.estimates.student_t` takes them as data.""",
    tolerance="0.0005, as two of the printed values are off in the fourth digit (12.7062, 4.3027).",
)
def chapter_q4(setting: Setting) -> Iterator[Value | Note]:
    """Two-sided 5% quantiles."""
    for freedom, printed in CRITICAL.items():
        ours = float(t.ppf(0.975, freedom))
        yield Value("Table 22.7", "critical value", f"dof {freedom}", printed, ours, 0.0005)
    yield Note("12.7065 and 4.3026 should be 12.7062 and 4.3027.")
