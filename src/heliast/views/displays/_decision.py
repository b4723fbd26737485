"""The decision curve with its band."""

from typing import Any

from heliast.curves import Decision, decision
from heliast.views.displays._display import CurveDisplay, settled


class DecisionDisplay(CurveDisplay):
    """Net benefit against the threshold with its simultaneous band; dotted, treating all.

    >>> display = DecisionDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.8])
    >>> display.ax_.get_ylabel()
    'net benefit'
    """

    curve = staticmethod(decision)
    record: Decision

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        one = self.record
        (self.line_,) = ax.plot(one.threshold, one.value, **{"label": name, **line})
        colour = self.line_.get_color()
        ax.fill_between(one.threshold, one.low, one.high, color=colour, alpha=0.15, linewidth=0)
        ax.axhline(0, color="0.6", linestyle="--", linewidth=1)
        if not one.against:
            # Treating all does ever more harm; the curve itself is to fill the picture.
            limits = ax.get_ylim()
            ax.plot(one.threshold, one.treat_all, color="0.6", linestyle=":", linewidth=1)
            ax.set_ylim(limits[0], max(limits[1], one.treat_all[0]))
        over = f" less that of {one.against}" if one.against else ""
        settled(ax, "threshold", f"net benefit{over}")
