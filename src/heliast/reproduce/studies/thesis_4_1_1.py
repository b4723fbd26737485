"""Section 4.1.1: the margin of a vote of a hundred."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Note, Value
from heliast.theory import margins

VOTES = (50, 30, 20)
PRINTED = (0.2, -0.2, -0.3)


@study(
    "thesis-4.1.1",
    "Margins of 50, 30 and 20 votes",
    design="100 equal votes: 50 for class 1, 30 for class 2, 20 for class 3; each in turn right.",
    tolerance="Exact, to 1e-9.",
)
def thesis_4_1_1(setting: Setting) -> Iterator[Value | Note]:
    """The margin if class 1, 2 or 3 is the right one."""
    found = margins(["1", "2", "3"], votes=[VOTES] * 3)
    for at, printed in enumerate(PRINTED):
        ours = float(found.value[at])
        yield Value("Section 4.1.1", f"class {at + 1} is right", "margin", printed, ours, 1e-9)
    yield Note("The error is P(M <= 0) only if a tied vote counts as an error.")
