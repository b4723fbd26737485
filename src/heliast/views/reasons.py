"""Why intervals are missing: marks in a table, and each reason once below it."""

import math

from heliast._core.notes import NOT_ASKED, key_of
from heliast.estimates import Estimate

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Reasons:
    """The reasons that a table needs, numbered as they come.

    >>> reasons = Reasons()
    >>> reasons.mark(Estimate(0.1, 0.05, 0.2)), reasons.mark(Estimate(0.1, reason="one split"))
    ('', ' ¹')
    >>> reasons.lines
    ['¹ one split']
    """

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def mark(self, one: Estimate) -> str:
        """A blank and the raised number of its reason; empty for one with an interval."""
        whole = math.isfinite(one.value) and not (math.isnan(one.low) or math.isnan(one.high))
        if whole or not one.reason or key_of(one.reason) == NOT_ASKED.key:
            return ""
        return f" {_raised(self._places.setdefault(one.reason, len(self._places) + 1))}"

    @property
    def lines(self) -> list[str]:
        """A line for each reason, with its number."""
        return [f"{_raised(place)} {reason}" for reason, place in self._places.items()]


def _raised(place: int) -> str:
    return str(place).translate(_RAISED)
