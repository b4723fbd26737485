"""The cost curve."""

from typing import Any

from heliast.curves import CostCurve, cost
from heliast.views.displays._display import CurveDisplay, settled


class CostDisplay(CurveDisplay):
    """Normalised expected cost against the weight of the positive class, best threshold at each."""

    curve = staticmethod(cost)
    record: CostCurve

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        (self.line_,) = ax.plot(self.record.x, self.record.y, **{"label": name, **line})
        ax.plot([0, 0.5, 1], [0, 0.5, 0], color="0.6", linestyle="--", linewidth=1)
        settled(ax, "weight of the positive class", "normalised expected cost")
