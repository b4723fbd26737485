"""The contingency table as a heat map."""

from typing import Any, Self

from heliast.measures.summaries import Contingency
from heliast.predictions import Predictions
from heliast.views.displays._display import Display


class ContingencyDisplay(Display):
    """Counts of true against decided classes, shaded by the share of the true class."""

    record: Contingency

    @classmethod
    def from_predictions(
        cls, truth: Any, label: Any = None, *, model: str | None = None, ax: Any = None, **look: Any
    ) -> Self:
        """From a table of predictions, or from true and decided classes."""
        table = truth if isinstance(truth, Predictions) else Predictions.of(truth, label)
        one = table if model is None else table.only(model=model)
        return cls(one.summary(Contingency)).plot(ax, **look)

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        counts = self.record.counts
        total = counts.sum(axis=1, keepdims=True)
        share = counts / total.clip(min=1e-300)
        self.line_ = ax.imshow(share, **{"cmap": "Blues", "vmin": 0, "vmax": 1, **line})
        for i, row in enumerate(counts):
            for j, count in enumerate(row):
                dark = share[i, j] > 0.5
                look = {"ha": "center", "va": "center", "color": "white" if dark else "black"}
                ax.text(j, i, f"{count:g}", **look)
        names = [str(class_) for class_ in self.record.classes]
        ax.set_xticks(range(len(names)), names)
        ax.set_yticks(range(len(names)), names)
        ax.set(xlabel="decided class", ylabel="true class")
