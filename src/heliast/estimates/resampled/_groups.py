"""Groups over several splits: what must hold for an interval, and what to say of it."""

import numpy as np

from heliast.estimates._estimate import FEW_GROUPS, FEWEST_GROUPS
from heliast.estimates.resampled._case import Case, Refused


def by_group(case: Case) -> tuple[str, ...]:
    """Refuse torn groups and too few; otherwise what to say of them. Nothing without groups."""
    group = case.parts.whole.group
    if group is None:
        return ()
    if case.design.torn:
        raise Refused(case.design.torn)
    groups = int(np.unique(group).size)
    if groups < FEWEST_GROUPS:
        raise Refused(f"only {groups} groups: an interval needs at least {FEWEST_GROUPS}")
    few = f"only {groups} groups: the interval may be too narrow"
    return (few,) if groups < FEW_GROUPS else ()
