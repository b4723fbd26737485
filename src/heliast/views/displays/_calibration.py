"""The reliability of probabilities."""

from typing import Any

from heliast.curves import Calibration, calibration
from heliast.views.displays._display import CurveDisplay, settled


class CalibrationDisplay(CurveDisplay):
    """What happened against what was forecast, bin by bin, with intervals."""

    curve = staticmethod(calibration)
    record: Calibration

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        one = self.record
        below, above = one.outcome - one.low, one.high - one.outcome
        look = {"label": name, "marker": "o", "capsize": 3, **line}
        bars = ax.errorbar(one.forecast, one.outcome, yerr=[below, above], **look)
        self.line_ = bars.lines[0]
        ax.plot([0, 1], [0, 1], color="0.6", linestyle="--", linewidth=1)
        settled(ax, "forecast probability", "share that came true", square=True)
