"""Groups of rows: how much each weighs on an estimate, and how many equal ones they are worth."""

import numpy as np

from heliast._core.kinds import Array
from heliast._core.notes import Note

FEWEST = 5
"""Below this many groups neither an interval nor a test is given."""
FEWEST_EQUAL = 2.0
"""Nor where one group is so large that all are worth fewer equal ones than this."""
FEW = 20
"""Below this many equal groups a warning is given."""


def sizes(group: Array, weight: Array | None = None) -> Array:
    """The rows of each group (or their weight).

    >>> sizes(np.array(["x", "y", "x"])).tolist()
    [2, 1]
    """
    found: Array = np.bincount(np.unique(group, return_inverse=True)[1], weights=weight)
    return found


def equal_groups(size: Array) -> float:
    """How many groups of equal size these are worth: (sum of sizes)^2 / sum of squares.

    The variance of a mean over groups of unequal sizes is known as if from so many groups; one
    less are the degrees of freedom of its t (Kish 1965, Survey Sampling; Bell and McCaffrey 2002,
    Bias reduction in standard errors for linear regression with multi-stage samples).

    >>> equal_groups(np.array([10, 10, 10, 10])), round(equal_groups(np.array([70, 10, 10, 10])), 2)
    (4.0, 1.92)
    """
    total = float(np.square(size).sum())
    return float(size.sum()) ** 2 / total if total > 0 else 0.0


def adjusted(sums: Array, size: Array) -> Array:
    """Sums over groups of centred influences, so that their squares add up without bias.

    sqrt((G-1)/G) S_g / (1 - h_g), h_g the group's share of the rows: a large group pulls the
    estimate towards itself, so its sum about the estimate is too small. S_g / (n (1 - h_g)) is how
    far the estimate moves without the group, so this is the jackknife over groups (CV3; MacKinnon,
    Nielsen and Webb 2023, Fast and reliable jackknife and bootstrap methods for cluster-robust
    inference). For equal groups the squares grow by G/(G-1). NaN for one group.

    >>> adjusted(np.array([3.0, -3.0]), np.array([5, 5])).round(4).tolist()
    [4.2426, -4.2426]
    """
    rest = 1.0 - size / max(float(size.sum()), 1e-300)
    found: Array = sums * (np.sqrt(1 - 1 / size.size) / np.where(rest > 0, rest, np.nan))
    return found


def too_few(size: Array, what: str) -> str:
    """Why groups of these sizes do not allow for `what`; nothing if they do.

    >>> too_few(np.array([9, 8, 7]), "an interval")
    'only 3 groups: an interval needs at least 5'
    """
    if size.size < FEWEST:
        return f"only {size.size} groups: {what} needs at least {FEWEST}"
    equal = equal_groups(size)
    if equal < FEWEST_EQUAL:
        return (
            f"one group has {float(size.max() / size.sum()):.0%} of the rows, so {size.size} "
            f"groups are worth {equal:.1f} of equal size: {what} needs at least {FEWEST_EQUAL:g}"
        )
    return ""


def few(size: Array, so: str) -> tuple[str, ...]:
    """What to say when groups are few, or worth few: `so` is what follows; nothing if many.

    >>> few(np.full(12, 30), "p and interval are rough")
    ('only 12 groups: p and interval are rough',)
    """
    equal = equal_groups(size)
    if equal >= FEW:
        return ()
    if equal > size.size - 0.5:
        return (Note(f"only {size.size} groups: {so}", "groups"),)
    words = f"{size.size} groups of unequal size are worth {equal:.1f} equal ones: {so}"
    return (Note(words, "groups"),)


def few_hold(group: Array, truth: Array, so: str) -> tuple[str, ...]:
    """What to say where few of many groups hold rows of a class, as these decide what it is worth.

    >>> few_hold(np.repeat(np.arange(40), 2), np.repeat(np.arange(40) < 6, 2), "p is rough")
    ('only 6 of 40 groups hold rows of the rarest class: p is rough',)
    """
    named = np.unique(group, return_inverse=True)[1].astype(np.int64)
    classes = np.unique(truth, return_inverse=True)[1]
    groups, k = int(named.max()) + 1, int(classes.max()) + 1
    least = int(np.bincount(np.unique(named * k + classes) % k).min())
    if least >= FEW:
        return ()
    words = f"only {least} of {groups} groups hold rows of the rarest class: {so}"
    return (Note(words, "groups"),)
