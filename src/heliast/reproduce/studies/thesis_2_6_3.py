"""The sentences of section 2.6.3, on Vowel."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Claim
from heliast.reproduce.studies._claims import VOTES, all_below, claim, listed, mean
from heliast.reproduce.studies._samples import VOWEL_20, VOWEL_40

OTHERS = tuple(name for name in VOTES if name != "Substitution")


@study(
    "thesis-2.6.3",
    "Vowel: what the section says of its tables",
    design="The runs of tables 2.16 and 2.18, at B = 200.",
    tolerance="""'Matches' is within 2 points, 'noticeably better' is less by more than a point;
    'significant' is p below 0.05 in a paired t test over the repetitions.""",
    repetitions=10,
    needs=("vowel",),
)
def thesis_2_6_3(setting: Setting) -> Iterator[Claim]:
    """Each sentence, true or not on our run."""
    easy, hard = VOWEL_40.errors(setting), VOWEL_20.errors(setting)
    shown = [listed(by, (*VOTES, "1NN", "Tree")) for by in (easy, hard)]
    yield claim(
        "Substitution is the only one that matches the nearest neighbour",
        all(
            mean(by, "Substitution") < mean(by, "1NN") + 2
            and min(mean(by, name) for name in OTHERS) > mean(by, "1NN")
            for by in (easy, hard)
        ),
        *shown,
    )
    yield claim(
        "with 40 rows of each class Substitution and nearest neighbour are almost identical",
        abs(mean(easy, "Substitution") - mean(easy, "1NN")) < 2,
        listed(easy, ("Substitution", "1NN")),
    )
    yield claim(
        "with 20 rows Substitution is noticeably better",
        mean(hard, "Substitution") < mean(hard, "1NN") - 1,
        listed(hard, ("Substitution", "1NN")),
    )
    yield claim(
        "all give significant improvements over a tree by itself",
        all_below((easy, hard), VOTES, ("Tree",)),
        *shown,
    )
