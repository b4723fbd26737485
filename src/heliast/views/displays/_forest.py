"""Estimates with their intervals, one below the other."""

from collections.abc import Sequence
from typing import Any, Self

from heliast.estimates import Estimate
from heliast.views.displays._display import Display, settled


class ForestDisplay(Display):
    """Values and intervals of several estimates, the first on top.

    >>> from heliast.estimates import wilson
    >>> display = ForestDisplay.from_estimates({"a": wilson(3, 30), "b": wilson(9, 30)})
    >>> [text.get_text() for text in display.ax_.get_yticklabels()]
    ['a', 'b']
    """

    record: dict[str, Estimate]

    @classmethod
    def from_estimates(
        cls, estimates: dict[str, Estimate] | Sequence[Estimate], *, ax: Any = None, **line: Any
    ) -> Self:
        """From estimates by name, or named after their models."""
        named = estimates if isinstance(estimates, dict) else {one.model: one for one in estimates}
        return cls(dict(named)).plot(ax, **line)

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        found = list(self.record.values())
        places = range(len(found))
        value = [one.value for one in found]
        ends = [[one.value - one.low for one in found], [one.high - one.value for one in found]]
        look = {"fmt": "o", "capsize": 3, **line}
        bars = ax.errorbar(value, list(places), xerr=ends, **look)
        self.line_ = bars.lines[0]
        ax.set_yticks(list(places), list(self.record))
        ax.set_ylim(len(found) - 0.5, -0.5)
        settled(ax, found[0].measure if found else "", "")
