"""Groups over several splits: what must hold for an interval, and what to say of it."""

from heliast._core.clusters import few, sizes, too_few
from heliast.estimates._estimate import NARROW
from heliast.estimates.resampled._case import Case, Refused


def by_group(case: Case) -> tuple[str, ...]:
    """Refuse torn groups and too few; otherwise what to say of them. Nothing without groups."""
    group = case.parts.whole.group
    if group is None:
        return ()
    if case.design.torn:
        raise Refused(case.design.torn)
    size = sizes(group, case.parts.whole.weight)
    why = too_few(size, "an interval")
    if why:
        raise Refused(why)
    return few(size, NARROW)
