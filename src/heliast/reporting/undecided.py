"""What is undecided, and about how many more cases would decide it."""

import math
from typing import TYPE_CHECKING

from heliast.reporting.numbers import shorten

if TYPE_CHECKING:
    from heliast._comparison import Comparison


def more_words(found: "Comparison") -> str:
    """About how many more cases would decide what is undecided at the top; empty if nothing is."""
    best = found.order[0]
    for other in found.order[1:]:
        one = found[best, other]
        if one.verdict != "undecided":
            continue
        needed = one.cases_to_decide(margin=found.margin)
        pair = (
            "it" if len(found.pairs) == 1 else f"{shorten(best, 30)} against {shorten(other, 30)}"
        )
        if math.isfinite(needed.cases) and needed.more > 0:
            return (
                f"About {_round(needed.more)} more {needed.unit} ({_round(needed.cases)} in all) "
                f"would decide {pair} with probability {needed.power:.0%}, if the true difference "
                "is the one seen."
            )
    return ""


def _round(count: float) -> str:
    """Two figures: more would say that we know better.

    >>> _round(17.2), _round(12345), _round(3.2e9)
    ('18', '12,000', '3.2e+09')
    """
    if count >= 1e9:
        return f"{count:.2g}"
    return f"{float(f'{count:.2g}'):,.0f}" if count >= 100 else f"{math.ceil(count)}"
