"""Precision against recall."""

from typing import Any

from heliast.curves import PrecisionRecall, precision_recall
from heliast.views.displays._display import CurveDisplay, settled


class PrecisionRecallDisplay(CurveDisplay):
    """Precision against recall, in steps, with the level of chance."""

    curve = staticmethod(precision_recall)
    record: PrecisionRecall

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        label = f"{name} (AP {self.record.average_precision:.3f})".strip()
        look = {"label": label, "drawstyle": "steps-post", **line}
        (self.line_,) = ax.plot(self.record.recall, self.record.precision, **look)
        ax.axhline(self.record.prevalence, color="0.6", linestyle="--", linewidth=1)
        settled(ax, "recall", "precision", square=True)
