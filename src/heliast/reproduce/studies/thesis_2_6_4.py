"""The sentences of the summary, section 2.6.4."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Claim
from heliast.reproduce.studies._claims import VOTES, all_below, claim, listed, mean
from heliast.reproduce.studies._samples import (
    LETTER_10,
    LETTER_50,
    LETTER_50_DEEP,
    VOWEL_20,
    VOWEL_40,
)


@study(
    "thesis-2.6.4",
    "Letter and Vowel: what the summary says",
    design="The runs of tables 2.10, 2.12, 2.14, 2.16 and 2.18, at B = 200.",
    tolerance="""'Significantly' is p below 0.05 in a paired t test over the repetitions.""",
    repetitions=20,
    needs=("letter", "vowel"),
)
def thesis_2_6_4(setting: Setting) -> Iterator[Claim]:
    """Each sentence, true or not on our run."""
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
    others = tuple(name for name in VOTES if name != "Substitution")
    yield claim(
        "for Vowel Substitution is significantly better than any other",
        all_below(vowels, ("Substitution",), others),
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
