"""A measure against training rows or label noise."""

from typing import Any, Self

from heliast.curves import Learning, learning, noise
from heliast.predictions import Predictions
from heliast.views.displays._display import Display, settled


class LearningDisplay(Display):
    """A measure against what a plan varied, with a band of one standard deviation over splits."""

    record: Learning

    @classmethod
    def from_predictions(
        cls,
        predictions: Predictions,
        measure: str = "error",
        *,
        varied: str = "training rows",
        model: str | None = None,
        name: str | None = None,
        ax: Any = None,
        **line: Any,
    ) -> Self:
        """From a table of `LearningCurve`, or of `LabelNoise` with `varied="noise"`."""
        curve = noise if varied == "noise" else learning
        return cls(curve(predictions, measure, model)).plot(ax, name=name, **line)

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        one = self.record
        look = {"label": name, "marker": "o", **line}
        (self.line_,) = ax.plot(one.x, one.value, **look)
        low, high = one.value - one.spread, one.value + one.spread
        ax.fill_between(one.x, low, high, color=self.line_.get_color(), alpha=0.15, linewidth=0)
        settled(ax, one.varied, one.measure)
