"""What is undecided, and about how many fresh cases would decide it."""

import math
from typing import TYPE_CHECKING

from heliast.views.numbers import shorten

if TYPE_CHECKING:
    from heliast.verbs.comparison import Comparison


def more_words(found: "Comparison") -> str:
    """How many fresh cases would decide what is undecided at the top; empty if nothing is."""
    best = found.order[0]
    for other in found.order[1:]:
        one = found[best, other]
        if one.finding.kind != "undecided":
            continue
        if not found.margin:
            return "To learn how many rows would decide it, give the margin that matters."
        needed = one.cases_to_decide(margin=found.margin)
        pair = (
            "it" if len(found.pairs) == 1 else f"{shorten(best, 30)} against {shorten(other, 30)}"
        )
        if math.isfinite(needed.cases):
            return (
                f"About {rounded(needed.cases)} fresh {needed.unit} would decide {pair} with "
                f"probability {needed.power:.0%}, be the true difference {found.margin:g} (the "
                "margin) or 0; the rows at hand were looked at already and do not count."
            )
    return ""


def rounded(count: float) -> str:
    """Two figures: more would say that we know better.

    >>> rounded(17.2), rounded(12345), rounded(3.2e9)
    ('18', '12,000', '3.2e+09')
    """
    if count >= 1e9:
        return f"{count:.2g}"
    return f"{float(f'{count:.2g}'):,.0f}" if count >= 100 else f"{math.ceil(count)}"
