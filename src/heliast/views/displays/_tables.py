"""Displays of a contingency table, and of estimates side by side."""

from collections.abc import Sequence
from typing import Any, Self

import numpy.typing as npt

from heliast._core.told import told
from heliast.estimates import Estimate
from heliast.measures.summaries import Contingency
from heliast.predictions import Predictions
from heliast.views.displays._display import Display, settled


class ContingencyDisplay(Display[Contingency]):
    """Counts of true against decided classes, shaded by the share of the true class.

    Parameters
    ----------
    record : Contingency
        Counts of rows by true and decided class.

    Examples
    --------
    >>> display = ContingencyDisplay.from_predictions(["a", "b", "b"], ["a", "a", "b"])
    >>> display.ax_.get_ylabel()
    'true class'
    """

    @classmethod
    @told(Display.plot, returns="Self: The display, drawn.")
    def from_predictions(
        cls,
        truth: Predictions | npt.ArrayLike,
        label: npt.ArrayLike | None = None,
        *,
        model: str | None = None,
        ax: Any = None,
        **look: Any,
    ) -> Self:
        """From a table of predictions, or from true and decided classes.

        Parameters
        ----------
        truth : Predictions or array-like
            A table of predictions, or the true classes.
        label : array-like, optional
            Decided classes, beside true ones.
        model : str, optional
            Which model of a table; None is the only one.
        **look : keywords
            Options of matplotlib's `imshow`, such as `cmap`.
        """
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


class ForestDisplay(Display[dict[str, Estimate]]):
    """Values and intervals of several estimates, the first on top.

    Parameters
    ----------
    record : dict of str to Estimate
        Estimates by name.

    Examples
    --------
    >>> from heliast.estimates import wilson
    >>> display = ForestDisplay.from_estimates({"a": wilson(3, 30), "b": wilson(9, 30)})
    >>> [text.get_text() for text in display.ax_.get_yticklabels()]
    ['a', 'b']
    """

    @classmethod
    @told(Display.plot, returns="Self: The display, drawn.")
    def from_estimates(
        cls, estimates: dict[str, Estimate] | Sequence[Estimate], *, ax: Any = None, **line: Any
    ) -> Self:
        """From estimates by name, or named after their models.

        Parameters
        ----------
        estimates : dict of str to Estimate or sequence of Estimate
            Estimates by name, or several, named after their models.
        **line : keywords
            Options of matplotlib's `errorbar`, such as `color`.
        """
        named = estimates if isinstance(estimates, dict) else {one.model: one for one in estimates}
        return cls(dict(named)).plot(ax, **line)

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        found = list(self.record.values())
        places = range(len(found))
        value = [one.value for one in found]
        ends = [[one.value - one.low for one in found], [one.high - one.value for one in found]]
        look = {"fmt": "o", "capsize": 3, **line}
        bars = ax.errorbar(value, list(places), xerr=ends, **look)
        self.line_ = bars.lines[0]
        ax.set_yticks(list(places), list(self.record))
        ax.set_ylim(len(found) - 0.5, -0.5)
        settled(ax, found[0].measure if found else "", "")
