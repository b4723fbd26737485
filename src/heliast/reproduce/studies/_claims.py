"""Sentences of section 2.6, checked on our runs."""

from collections.abc import Sequence

import numpy as np

from heliast.comparisons import paired_t
from heliast.reproduce._study import Claim
from heliast.reproduce.studies._votes import Errors

LAST = 200
VOTES = ("ECOC", "Regression", "Centroid", "Substitution", "Bagging", "Boosting (Ad)")
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
    return Claim(words, bool(np.bool_(holds)), "; ".join(evidence))
