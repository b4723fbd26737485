"""Thesis, sections 2.6.2 to 2.6.4 and figure 2.2: what is said of tables 2.10 to 2.19."""

from collections.abc import Iterator, Sequence

from heliast.comparisons import paired_t
from heliast.reproduce import Claim, Note, Setting, study
from heliast.reproduce._study import Found
from heliast.reproduce.studies._drawn import against_members
from heliast.reproduce.studies._votes import Errors
from heliast.reproduce.studies.thesis_tables import (
    LETTER_10,
    LETTER_50,
    LETTER_50_DEEP,
    VOWEL_20,
    VOWEL_40,
    B,
)

LAST = 200
CODED = ("ECOC", "Regression", "Centroid")
OTHERS = (*CODED, "Bagging", "Boosting (Ad)")
VOTES = (*CODED, "Substitution", "Bagging", "Boosting (Ad)")
BOOSTINGS = ("Boosting (St)", "Boosting (Ad)")


def mean(found: Errors, name: str, b: int = LAST) -> float:
    """The mean error of a classifier, in per cent."""
    return float(found[name, b].mean())


def surely_below(found: Errors, a: str, b: str) -> bool:
    """Whether a errs less than b, paired over the repetitions, with p below 0.05."""
    one, other = found[a, LAST], found[b, LAST]
    if len(one) < 2:
        return bool(one.mean() < other.mean())
    return bool(one.mean() < other.mean() and paired_t(one, other).p < 0.05)


def all_below(found: Sequence[Errors], names: Sequence[str], others: Sequence[str]) -> bool:
    """Whether every classifier errs surely less than every other, in every experiment."""
    return all(surely_below(by, a, b) for by in found for a in names for b in others)


def listed(found: Errors, names: Sequence[str]) -> str:
    """Such as `ECOC 17.2, Tree 38.7`."""
    return ", ".join(f"{name} {mean(found, name):.1f}" for name in names)


def claim(words: str, holds: bool, *evidence: str) -> Claim:
    """A claim with its evidence in one line."""
    return Claim(words, bool(holds), "; ".join(evidence))


@study(
    "thesis-figure-2.2",
    "Letter: ECOC, tree and nearest neighbour against B",
    design="The run of table 2.12.",
    tolerance="'Large' is by 10 points; 'significant' is p below 0.05, paired over repetitions.",
    repetitions=LETTER_50_DEEP.repetitions,
    needs=("letter",),
)
def thesis_figure_2_2(setting: Setting) -> Iterator[Found]:
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
    yield against_members("figure-2.2", "Letter, deep trees", found, ["ECOC", "Tree", "1NN"], B)


@study(
    "thesis-2.6.2",
    "Letter: what the section says of its tables",
    design="The runs of tables 2.10, 2.12 and 2.14, at B = 200.",
    tolerance="""A sentence on 'significantly' or 'far' is true if a paired t test over the
    repetitions has p below 0.05; others as their evidence says.""",
    repetitions=20,
    needs=("letter",),
)
def thesis_2_6_2(setting: Setting) -> Iterator[Found]:
    usual, deep, small = (e.errors(setting) for e in (LETTER_50, LETTER_50_DEEP, LETTER_10))
    runs = (usual, deep, small)
    shown = [listed(by, (*CODED, "Tree", "1NN")) for by in runs]
    yield claim(
        "ECOC, Regression and Centroid are significantly superior to tree and nearest neighbour "
        "for all combinations of sample size and depth",
        all_below(runs, CODED, ("Tree", "1NN")),
        *shown,
    )
    yield claim(
        "to a lesser extent Substitution is, too",
        all_below(runs, ("Substitution",), ("Tree", "1NN"))
        and all(mean(by, "Substitution") > min(mean(by, n) for n in CODED) for by in runs),
        *(listed(by, ("Substitution", "Tree", "1NN")) for by in runs),
    )
    gains = {name: mean(usual, name) - mean(deep, name) for name in (*CODED, *BOOSTINGS, "Bagging")}
    said = ", ".join(f"{name} {gain:+.1f}" for name, gain in gains.items())
    yield claim(
        "deeper trees give these some improvement, but not a dramatic one",
        all(gains[name] < 3 for name in CODED),
        f"points gained: {said}",
    )
    yield claim(
        "with 50 rows and shallower trees adapted boosting is comparable to nearest neighbour, "
        "standard boosting far worse",
        abs(mean(usual, "Boosting (Ad)") - mean(usual, "1NN")) < 3
        and surely_below(usual, "Boosting (Ad)", "Boosting (St)")
        and mean(usual, "Boosting (St)") > mean(usual, "1NN") + 5,
        listed(usual, (*BOOSTINGS, "1NN")),
    )
    yield claim(
        "with deeper trees both boostings improve dramatically, especially the standard one, and "
        "are as good as any other",
        gains["Boosting (St)"] > 5
        and gains["Boosting (St)"] > gains["Boosting (Ad)"]
        and max(mean(deep, n) for n in BOOSTINGS) < min(mean(deep, n) for n in CODED) + 2,
        f"points gained: {said}",
        listed(deep, (*BOOSTINGS, *CODED)),
    )
    yield claim(
        "with 10 rows adapted boosting gives good results, standard boosting performs poorly",
        surely_below(small, "Boosting (Ad)", "1NN") and surely_below(small, "1NN", "Boosting (St)"),
        listed(small, (*BOOSTINGS, "1NN")),
    )
    yield claim(
        "bagging performs poorly relative to the others, very poorly with 50 rows and shallow "
        "trees; it improves dramatically with deeper trees",
        all_below(runs, CODED, ("Bagging",)) and gains["Bagging"] > 4,
        *(listed(by, ("Bagging", *CODED)) for by in runs),
    )
    yield Note(
        "Standard boosting with default trees soon errs on more than half of the weight, and what "
        "is done then is not printed. Tried with 50 rows (two training sets, errors at B = 20, 60, "
        "200; printed 37.2, 36.8, 37.1): begin anew with equal weights 31.4, 28.7, 28.5; spend the "
        "round 33.3, 30.9, 30.9; draw again 33.8, 31.8, 31.8; stop 40.3 from the fifth member on; "
        "no rule, so that such a member votes against its class, as the algorithm is printed, "
        "34.6, 33.7, 34.8. Only the last has the printed shape, level from B = 10 on: it is "
        "used. Adapted boosting hardly meets the case: 20.4, 19.0, 19.4 and 20.6 at B = 200, "
        "printed 20.1."
    )


@study(
    "thesis-2.6.3",
    "Vowel: what the section says of its tables",
    design="The runs of tables 2.16 and 2.18, at B = 200.",
    tolerance="""'Matches' is within 2 points, 'noticeably better' is less by more than a point;
    'significant' is p below 0.05 in a paired t test over the repetitions.""",
    repetitions=10,
    needs=("vowel",),
)
def thesis_2_6_3(setting: Setting) -> Iterator[Found]:
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


@study(
    "thesis-2.6.4",
    "Letter and Vowel: what the summary says",
    design="The runs of tables 2.10, 2.12, 2.14, 2.16 and 2.18, at B = 200.",
    tolerance="""'Significantly' is p below 0.05 in a paired t test over the repetitions.""",
    repetitions=20,
    needs=("letter", "vowel"),
)
def thesis_2_6_4(setting: Setting) -> Iterator[Found]:
    letters = [e.errors(setting) for e in (LETTER_50, LETTER_50_DEEP, LETTER_10)]
    vowels = [e.errors(setting) for e in (VOWEL_40, VOWEL_20)]
    runs = [*letters, *vowels]
    yield claim(
        "the votes give large reductions of the error over the tree by itself",
        all_below(runs, VOTES, ("Tree",)),
        *(listed(by, (*VOTES, "Tree")) for by in runs),
    )
    best = [min(VOTES, key=lambda name: mean(by, name)) for by in runs]
    yield claim(
        "no one classifier is consistently better than any other", len(set(best)) > 1,
        f"best: {', '.join(best)}",
    )  # fmt: skip
    yield claim(
        "for Vowel Substitution is significantly better than any other",
        all_below(vowels, ("Substitution",), OTHERS),
        *(listed(by, VOTES) for by in vowels),
    )
    yield claim(
        "for Letter Substitution is slightly worse than Centroid and ECOC",
        all(
            0 < mean(by, "Substitution") - mean(by, name) < 5
            for by in letters
            for name in ("Centroid", "ECOC")
        ),
        *(listed(by, ("Substitution", "Centroid", "ECOC")) for by in letters),
    )
    usual, deep = letters[0], letters[1]
    gains = {n: mean(usual, n) - mean(deep, n) for n in (*VOTES, "Boosting (St)")}
    boosted = max(gains[n] for n in ("Boosting (St)", "Boosting (Ad)"))
    yield claim(
        "boosting is much more sensitive to the training of the tree than coding is",
        boosted > 3 * max(gains[n] for n in ("ECOC", "Regression", "Centroid", "Substitution")),
        ", ".join(f"{name} {gain:+.1f}" for name, gain in gains.items()),
    )
    yield claim(
        "adapted boosting is more robust than standard boosting",
        mean(usual, "Boosting (Ad)") < mean(usual, "Boosting (St)")
        and mean(letters[2], "Boosting (Ad)") < mean(letters[2], "Boosting (St)"),
        *(listed(by, ("Boosting (Ad)", "Boosting (St)")) for by in letters),
    )
