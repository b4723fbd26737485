"""Cumulative gain."""

from typing import Any

from heliast.curves import Gain, gain
from heliast.views.displays._display import CurveDisplay, settled


class GainDisplay(CurveDisplay):
    """Share of the positives found against the share of rows taken, highest scores first."""

    curve = staticmethod(gain)
    record: Gain

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        (self.line_,) = ax.plot(self.record.depth, self.record.gain, **{"label": name, **line})
        ax.plot([0, 1], [0, 1], color="0.6", linestyle="--", linewidth=1)
        settled(ax, "share of rows taken", "share of positives found", square=True)
