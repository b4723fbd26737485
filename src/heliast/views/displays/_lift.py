"""The lift chart."""

from typing import Any

from heliast.curves import Lift, lift
from heliast.views.displays._display import CurveDisplay, settled


class LiftDisplay(CurveDisplay):
    """Positives found against rows taken, beside a random choice of as many."""

    curve = staticmethod(lift)
    record: Lift

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        (self.line_,) = ax.plot(self.record.size, self.record.found, **{"label": name, **line})
        ax.plot(self.record.size, self.record.random, color="0.6", linestyle="--", linewidth=1)
        settled(ax, "rows taken", "positives found")
