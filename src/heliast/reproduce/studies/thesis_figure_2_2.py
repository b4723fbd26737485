"""Figure 2.2: what ECOC gains over a tree and over the nearest neighbour."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Found
from heliast.reproduce.studies._claims import claim, listed, mean, surely_below
from heliast.reproduce.studies._figures import against_members
from heliast.reproduce.studies._samples import LETTER_50_DEEP
from heliast.reproduce.studies._votes import B


@study(
    "thesis-figure-2.2",
    "Letter: ECOC, tree and nearest neighbour against B",
    design="The run of table 2.12.",
    tolerance="'Large' is by 10 points; 'significant' is p below 0.05, paired over repetitions.",
    repetitions=LETTER_50_DEEP.repetitions,
    needs=("letter",),
)
def thesis_figure_2_2(setting: Setting) -> Iterator[Found]:
    """The curve, and the two sentences on it."""
    found = LETTER_50_DEEP.errors(setting)
    yield claim(
        "if B is large enough, ECOC improves greatly over the tree",
        mean(found, "Tree") - mean(found, "ECOC") > 10,
        listed(found, ("ECOC", "Tree")),
    )
    from_which = next((b for b in B if mean(found, "ECOC", b) < mean(found, "1NN")), None)
    yield claim(
        "ECOC errs significantly less than the nearest neighbour",
        surely_below(found, "ECOC", "1NN"),
        listed(found, ("ECOC", "1NN")),
        f"below it from B = {from_which}",
    )
    yield against_members("figure-2.2", "Letter, deep trees", found, ["ECOC", "Tree", "1NN"])
