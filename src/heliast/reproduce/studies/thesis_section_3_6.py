"""Thesis, section 3.6: what is said of tables 3.1 and 3.2."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Claim, Found, Note
from heliast.reproduce.studies.thesis_parts import FIRST, LESS, SECOND, Entries

VOTES = ("ECOC", "Bagging")
NEAR = ("1NN", "5NN", "11NN")


class Means:
    """Means over the tasks of one data set."""

    def __init__(self, found: Sequence[Entries]) -> None:
        self.found = found
        self.names = tuple(found[0])

    def of(self, name: str, row: str) -> float:
        """An entry of the table."""
        return float(np.mean([one[name][row] for one in self.found]))

    def listed(self, row: str, names: Sequence[str] = ()) -> str:
        """Such as `bias: LDA 1.6, ECOC 5.2`."""
        shown = ", ".join(f"{name} {self.of(name, row):.1f}" for name in names or self.names)
        return f"{row.lower()}: {shown}"

    def falls(self, row: str, names: Sequence[str]) -> bool:
        """Whether the entry falls from each classifier to the next."""
        values = [self.of(name, row) for name in names]
        return all(a > b for a, b in pairwise(values))


@study(
    "thesis-3.6",
    "Bias and variance: what the section says of its tables",
    design="The runs of tables 3.1 and 3.2; means over the tasks.",
    tolerance="""'No effect' is below 0.15 points, 'similar' within 1 point, 'almost all' is three
    quarters of the error, a 'strong relationship' a correlation above 0.8.""",
    repetitions=FIRST.tasks,
)
def thesis_3_6(setting: Setting) -> Iterator[Found]:
    """Each sentence, true or not on our run."""
    first, second = Means(FIRST.found(setting)), Means(SECOND.found(setting))
    yield from _of_lda(first, second)
    yield from _of_definitions(first, second)
    yield from _of_classifiers(first, second)
    yield Note(
        "On the printed tables themselves Breiman's bias exceeds the systematic effect once: "
        "0.1 against 0.0 for 1NN of table 3.1."
    )


def _of_lda(first: Means, second: Means) -> Iterator[Claim]:
    both = (first, second)
    effects = "; ".join(m.listed("Systematic effect", ("LDA",)) for m in both)
    yield Claim(
        "LDA has no systematic effect and no bias by Breiman's definition",
        all(m.of("LDA", r) < 0.15 for m in both for r in ("Systematic effect", "Bias (Breiman)")),
        effects,
    )
    yield Claim(
        "its bias (James) is not zero, for want of training sets",
        all(m.of("LDA", "Bias") > 0 for m in both),
        "; ".join(m.listed("Bias", ("LDA",)) for m in both),
    )
    yield Claim(
        "LDA performs exceptionally well: it has the lowest error of all",
        all(min(m.names, key=lambda n: m.of(n, "Prediction error")) == "LDA" for m in both),
        "; ".join(m.listed("Prediction error") for m in both),
    )
    yield Claim(
        "less the Bayes error, Dietterich's bias of LDA is negative",
        all(m.of("LDA", LESS) < 0 for m in both),
        "; ".join(m.listed(LESS, ("LDA",)) for m in both),
    )


def _of_definitions(first: Means, second: Means) -> Iterator[Claim]:
    both = (first, second)
    pairs = (("Bias (Breiman)", "Systematic effect"), ("Variance (Breiman)", "Variance effect"))
    gaps = [m.of(n, a) - m.of(n, b) for m in both for n in m.names for a, b in pairs]
    yield Claim(
        "Breiman's bias and variance are very similar to the two effects",
        max(abs(gap) for gap in gaps) < 1,
        f"differences {min(gaps):+.2f} to {max(gaps):+.2f} points",
    )
    over = [m.of(n, "Bias (Breiman)") - m.of(n, "Systematic effect") for m in both for n in m.names]
    yield Claim(
        "Breiman's bias is below or equal to the systematic effect",
        max(over) < 0.05,
        f"differences {min(over):+.2f} to {max(over):+.2f} points",
    )
    shares = [
        first.of(n, "Bias (Dietterich)") / first.of(n, "Prediction error") for n in first.names
    ]
    yield Claim(
        "Dietterich's definitions give almost all of the error to bias (first data set)",
        min(shares) > 0.75,
        f"shares {min(shares):.2f} to {max(shares):.2f}",
    )
    yield Claim(
        "Dietterich's variance can be negative: it is for the tree of 5 leaves",
        second.of("Tree5", "Variance (Dietterich)") < 0,
        second.listed("Variance (Dietterich)"),
    )
    yield Claim(
        "no variance effect is negative",
        all(m.of(n, "Variance effect") >= 0 for m in both for n in m.names),
        "; ".join(m.listed("Variance effect") for m in both),
    )
    links = [
        float(np.corrcoef([m.of(n, a) for n in m.names], [m.of(n, b) for n in m.names])[0, 1])
        for m in both
        for a, b in (("Bias", "Systematic effect"), ("Variance", "Variance effect"))
    ]
    yield Claim(
        "bias and systematic effect, variance and variance effect are strongly related",
        min(links) > 0.8,
        "correlations " + ", ".join(f"{link:.2f}" for link in links),
    )


def _of_classifiers(first: Means, second: Means) -> Iterator[Claim]:
    yield Claim(
        "with more neighbours variance and variance effect decrease (first data set)",
        all(first.falls(row, NEAR) for row in ("Variance", "Variance effect")),
        first.listed("Variance", NEAR),
    )
    yield Claim(
        "the bias of the neighbours decreases slightly, too, and their systematic effect is zero",
        first.falls("Bias", NEAR) and all(first.of(n, "Systematic effect") < 0.15 for n in NEAR),
        f"{first.listed('Bias', NEAR)}; {first.listed('Systematic effect', NEAR)}",
    )
    rows = ("Variance", "Variance effect", "Bias", "Systematic effect")
    yield Claim(
        "ECOC and bagging reduce variance, bias and both effects of the tree",
        all(first.of(vote, row) < first.of("Tree", row) for vote in VOTES for row in rows),
        "; ".join(first.listed(row, (*VOTES, "Tree")) for row in rows),
    )
    trees = ("Tree5", "Tree8", "Tree13")
    yield Claim(
        "with more leaves bias and systematic effect decrease (second data set)",
        all(second.falls(row, trees) for row in ("Bias", "Systematic effect")),
        f"{second.listed('Bias', trees)}; {second.listed('Systematic effect', trees)}",
    )
    yield Claim(
        "with more leaves variance and variance effect decrease, too",
        all(second.falls(row, trees) for row in ("Variance", "Variance effect")),
        f"{second.listed('Variance', trees)}; {second.listed('Variance effect', trees)}",
    )
