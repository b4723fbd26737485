"""Notes 2.3: the bootstrap and its .632 rule."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Note, Value


@study(
    "notes-2.3",
    "The share of rows in a resample",
    design="1 - (1 - 1/n)^n for growing n.",
    tolerance="Half a unit of the last printed digit, at n = 10,000.",
)
def notes_2_3(setting: Setting) -> Iterator[Value | Note]:
    """0.632 in the sample, 0.368 left out."""
    n = 10_000
    left_out = (1 - 1 / n) ** n
    yield Value("Notes 2.3", "rows in a resample", "", 0.632, 1 - left_out, 0.0005)
    yield Value("Notes 2.3", "rows left out", "", 0.368, left_out, 0.0005)
    yield Note(
        "Printed, the .632 error is a sum over runs and takes the resampled model's error on all "
        "rows; it is a mean, with the error of the full-data model on its own rows (Efron)."
    )
