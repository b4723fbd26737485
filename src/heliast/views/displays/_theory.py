"""Displays of the ROC curve averaged over splits, that of two normals, and the F surface."""

from typing import Any

import numpy as np

from heliast import curves
from heliast.views.displays._display import CurveDisplay, Display, settled


class AveragedRocDisplay(CurveDisplay[curves.AveragedRoc]):
    """The mean of the ROC curves of the splits, their curves thin, a band of one deviation.

    Examples
    --------
    >>> from heliast import Predictions
    >>> score = [at / 8 for at in range(8)]
    >>> table = Predictions.of([0, 1] * 4, score=score, split=[0] * 4 + [1] * 4)
    >>> AveragedRocDisplay.from_predictions(table).line_.get_label()
    'model (mean AUC 0.750 ± 0.000)'
    """

    curve = staticmethod(curves.averaged_roc)

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        one = self.record
        label = f"{name} (mean AUC {one.auc:.3f} ± {one.auc_spread:.3f})".strip()
        (self.line_,) = ax.plot(one.fpr, one.tpr, **{"label": label, **line})
        colour = self.line_.get_color()
        for split in one.curves:
            ax.plot(split.fpr, split.tpr, color=colour, alpha=0.25, linewidth=0.7)
        left, top, right, bottom = one.edges
        x, y = [*left, *right[::-1]], [*top, *bottom[::-1]]
        ax.fill(x, y, color=colour, alpha=0.15, linewidth=0)
        ax.plot([0, 1], [0, 1], color="0.6", linestyle="--", linewidth=1)
        settled(ax, "false positive rate", "true positive rate", square=True)


class NormalRocDisplay(Display[curves.NormalRoc]):
    """The exact ROC curve of two normals; a `RocDisplay` on the same axes sets a sample beside it.

    Examples
    --------
    >>> NormalRocDisplay(curves.normal_roc(1.5)).plot().line_.get_label()
    'two normals (AUC 0.856)'
    """

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        label = f"{name} (AUC {self.record.auc:.3f})".strip()
        (self.line_,) = ax.plot(self.record.fpr, self.record.tpr, **{"label": label, **line})
        ax.plot([0, 1], [0, 1], color="0.6", linestyle="--", linewidth=1)
        settled(ax, "false positive rate", "true positive rate", square=True)


class FSurfaceDisplay(CurveDisplay[curves.FSurface]):
    """Lines of equal F over recall and precision, and the points of a model's classes.

    Examples
    --------
    >>> display = FSurfaceDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.8])
    >>> display.ax_.get_xlabel(), float(display.line_.get_xdata()[0])
    ('recall', 0.5)
    """

    curve = staticmethod(curves.f_surface)

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        grid = np.linspace(0, 1, 101)
        height = self.record.at(grid[:, None], grid)
        levels = np.linspace(0, 1, 11)
        ax.contourf(grid, grid, height, levels=levels, cmap="Blues", alpha=0.6)
        lines = ax.contour(grid, grid, height, levels=levels[1:-1], colors="0.4", linewidths=0.7)
        ax.clabel(lines, fontsize=8)
        look = {"label": name, "marker": "o", "linestyle": "none", **line}
        (self.line_,) = ax.plot(self.record.recall, self.record.precision, **look)
        settled(ax, "recall", "precision", square=True)
