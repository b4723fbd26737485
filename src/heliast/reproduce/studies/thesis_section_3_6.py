"""Thesis, section 3.6: what is said of tables 3.1 and 3.2."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from heliast.reproduce import Claim, Note, Setting, study
from heliast.reproduce._study import Found
from heliast.reproduce.studies.thesis_parts import FIRST, LESS, SECOND, Entries

VOTES = ("ECOC", "Bagging")
NEAR = ("1NN", "5NN", "11NN")
TREES = ("Tree5", "Tree8", "Tree13")


class Means:
    """Means over the tasks of one data set."""

    def __init__(self, found: Sequence[Entries]) -> None:
        self.found = found
        self.names = tuple(found[0])

    def of(self, name: str, row: str) -> float:
        """An entry of the table."""
        return float(np.mean([task[name][row] for task in self.found]))

    def row(self, row: str, names: Sequence[str] = ()) -> list[float]:
        """The entries of some classifiers, or of all."""
        return [self.of(name, row) for name in names or self.names]

    def listed(self, row: str, names: Sequence[str] = ()) -> str:
        """Such as `bias: LDA 1.6, ECOC 5.2`."""
        pairs = zip(names or self.names, self.row(row, names), strict=True)
        return f"{row.lower()}: " + ", ".join(f"{name} {value:.1f}" for name, value in pairs)

    def falls(self, rows: Sequence[str], names: Sequence[str]) -> bool:
        """Whether the entries of each row fall from each classifier to the next."""
        return all(a > b for row in rows for a, b in pairwise(self.row(row, names)))


@study(
    "thesis-3.6",
    "Bias and variance: what the section says of its tables",
    design="The runs of tables 3.1 and 3.2; means over the tasks.",
    tolerance="""'No effect' is below 0.15 points, 'similar' within 1 point, 'almost all' is three
    quarters of the error, a 'strong relationship' a correlation above 0.8.""",
    repetitions=FIRST.tasks,
)
def thesis_3_6(setting: Setting) -> Iterator[Found]:
    first, second = both = [Means(parts.found(setting)) for parts in (FIRST, SECOND)]
    yield from _of_lda(both)
    yield from _of_definitions(first, second)
    yield from _of_classifiers(first, second)
    yield Note(
        "On the printed tables themselves Breiman's bias exceeds the systematic effect once: "
        "0.1 against 0.0 for 1NN of table 3.1."
    )


def _listed(both: Sequence[Means], row: str, names: Sequence[str] = ()) -> str:
    return "; ".join(means.listed(row, names) for means in both)


def _of_lda(both: Sequence[Means]) -> Iterator[Claim]:
    effects = ("Systematic effect", "Bias (Breiman)")
    yield Claim(
        "LDA has no systematic effect and no bias by Breiman's definition",
        all(m.of("LDA", row) < 0.15 for m in both for row in effects),
        _listed(both, "Systematic effect", ["LDA"]),
    )
    yield Claim(
        "its bias (James) is not zero, for want of training sets",
        all(m.of("LDA", "Bias") > 0 for m in both),
        _listed(both, "Bias", ["LDA"]),
    )
    yield Claim(
        "LDA performs exceptionally well: it has the lowest error of all",
        all(min(m.names, key=lambda n: m.of(n, "Prediction error")) == "LDA" for m in both),
        _listed(both, "Prediction error"),
    )
    yield Claim(
        "less the Bayes error, Dietterich's bias of LDA is negative",
        all(m.of("LDA", LESS) < 0 for m in both),
        _listed(both, LESS, ["LDA"]),
    )


def _of_definitions(first: Means, second: Means) -> Iterator[Claim]:
    both = (first, second)
    bias, variance = (
        np.concatenate([np.subtract(m.row(a), m.row(b)) for m in both])
        for a, b in (
            ("Bias (Breiman)", "Systematic effect"),
            ("Variance (Breiman)", "Variance effect"),
        )
    )
    gaps = np.concatenate([bias, variance])
    yield Claim(
        "Breiman's bias and variance are very similar to the two effects",
        bool(abs(gaps).max() < 1),
        f"differences {gaps.min():+.2f} to {gaps.max():+.2f} points",
    )
    yield Claim(
        "Breiman's bias is below or equal to the systematic effect",
        bool(bias.max() < 0.05),
        f"differences {bias.min():+.2f} to {bias.max():+.2f} points",
    )
    shares = np.divide(first.row("Bias (Dietterich)"), first.row("Prediction error"))
    yield Claim(
        "Dietterich's definitions give almost all of the error to bias (first data set)",
        bool(shares.min() > 0.75),
        f"shares {shares.min():.2f} to {shares.max():.2f}",
    )
    yield Claim(
        "Dietterich's variance can be negative: it is for the tree of 5 leaves",
        second.of("Tree5", "Variance (Dietterich)") < 0,
        second.listed("Variance (Dietterich)"),
    )
    yield Claim(
        "no variance effect is negative",
        all(min(m.row("Variance effect")) >= 0 for m in both),
        _listed(both, "Variance effect"),
    )
    links = [
        float(np.corrcoef(m.row(part), m.row(effect))[0, 1])
        for m in both
        for part, effect in (("Bias", "Systematic effect"), ("Variance", "Variance effect"))
    ]
    yield Claim(
        "bias and systematic effect, variance and variance effect are strongly related",
        min(links) > 0.8,
        "correlations " + ", ".join(f"{link:.2f}" for link in links),
    )


def _of_classifiers(first: Means, second: Means) -> Iterator[Claim]:
    spread, level = ("Variance", "Variance effect"), ("Bias", "Systematic effect")

    def said(means: Means, rows: Sequence[str], names: Sequence[str]) -> str:
        return "; ".join(means.listed(row, names) for row in rows)

    yield Claim(
        "with more neighbours variance and variance effect decrease (first data set)",
        first.falls(spread, NEAR),
        first.listed("Variance", NEAR),
    )
    yield Claim(
        "the bias of the neighbours decreases slightly, too, and their systematic effect is zero",
        first.falls(["Bias"], NEAR) and max(first.row("Systematic effect", NEAR)) < 0.15,
        said(first, level, NEAR),
    )
    rows = (*spread, *level)
    yield Claim(
        "ECOC and bagging reduce variance, bias and both effects of the tree",
        all(max(first.row(row, VOTES)) < first.of("Tree", row) for row in rows),
        said(first, rows, (*VOTES, "Tree")),
    )
    yield Claim(
        "with more leaves bias and systematic effect decrease (second data set)",
        second.falls(level, TREES),
        said(second, level, TREES),
    )
    yield Claim(
        "with more leaves variance and variance effect decrease, too",
        second.falls(spread, TREES),
        said(second, spread, TREES),
    )
