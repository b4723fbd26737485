"""The ROC curve with its band."""

from typing import Any, Self

from heliast.curves import Roc, roc
from heliast.views.displays._display import CurveDisplay, settled


class RocDisplay(CurveDisplay):
    """True against false positive rate; `plot(band=True)` adds a band for the whole true curve.

    >>> display = RocDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.8])
    >>> display.line_.get_label()
    'model (AUC 0.750)'
    """

    curve = staticmethod(roc)
    record: Roc

    def plot(
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        band: bool = False,
        chance: bool = True,
        **line: Any,
    ) -> Self:
        """Draw the curve; `band` and the diagonal (`chance`) on request."""
        self._band, self._chance = band, chance
        return super().plot(ax, name=name, **line)

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        label = f"{name} (AUC {self.record.auc:.3f})".strip()
        (self.line_,) = ax.plot(self.record.fpr, self.record.tpr, **{"label": label, **line})
        if self._band:
            band = self.record.band()
            x = [*band.fpr_low, *band.fpr_high[::-1]]
            y = [*band.tpr_high, *band.tpr_low[::-1]]
            words = f"{100 * band.level:g}% {band.method}"
            ax.fill(x, y, color=self.line_.get_color(), alpha=0.15, label=words, linewidth=0)
        if self._chance:
            ax.plot([0, 1], [0, 1], color="0.6", linestyle="--", linewidth=1)
        settled(ax, "false positive rate", "true positive rate", square=True)
