"""The display of decision regions."""

from typing import Any, Self

import numpy as np

from heliast._core.told import told
from heliast.curves import Regions
from heliast.views.displays._display import Display, settled

MARKERS = "os^D"


class RegionsDisplay(Display[Regions]):
    """The class decided for at each place of two inputs, the borders, and the data.

    Parameters
    ----------
    record : Regions
        The record that is drawn, from `heliast.regions`.

    Examples
    --------
    >>> import heliast as hl
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data = hl.data.simulate.two_gaussians().sample([20, 20], seed=1)
    >>> (record,) = hl.regions({"bayes": GaussianNB()}, data, grid=30)
    >>> RegionsDisplay(record).plot().ax_.get_xlabel()
    'x1'
    """

    @told(
        Display.plot,
        returns="Self: The display, with `ax_`, `figure_` and `line_`, the first border.",
    )
    def plot(
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        areas: bool = True,
        points: bool = True,
        **line: Any,
    ) -> Self:
        """Draw the borders; areas and rows unless told otherwise.

        Parameters
        ----------
        name : str, optional
            Name of the border in the legend; None is that of the model.
        areas : bool, default True
            Whether to colour the regions; not for a second model on the same axes.
        points : bool, default True
            Whether to draw the rows of the data.
        **line : keywords
            Options of matplotlib's `plot` for the borders, such as `color`.
        """
        self._areas, self._points = areas, points
        return super().plot(ax, name=name, **line)

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        one = self.record
        colours = [f"C{code % 10}" for code in range(len(one.classes))]
        if self._areas:
            steps = np.arange(len(one.classes) + 1) - 0.5
            ax.contourf(one.x, one.y, one.label, levels=steps, colors=colours, alpha=0.2)
        look = {"color": "black", "linewidth": 1.5, **line}
        for x, y in (part for fit in one.fit_borders for part in fit):
            ax.plot(x, y, **{**look, "linewidth": 0.6, "alpha": 0.5})
        lines = [ax.plot(x, y, **look)[0] for x, y in one.borders]
        self.line_ = lines[0] if lines else None
        if lines:
            lines[0].set_label(name)
        if self._points:
            self._scatter(ax, colours)
        ax.set(xlim=(one.x[0], one.x[-1]), ylim=(one.y[0], one.y[-1]))
        settled(ax, *one.inputs)

    def _scatter(self, ax: Any, colours: list[str]) -> None:
        one = self.record
        for code, class_ in enumerate(one.classes):
            mine = one.truth == code
            for which, look in (
                (mine & ~one.shown, {"alpha": 0.3}),
                (mine & one.shown & ~one.wrong, {"label": str(class_)}),
                (mine & one.shown & one.wrong, {"edgecolors": "black"}),
            ):
                always = {"s": 18, "marker": MARKERS[code % len(MARKERS)], "color": colours[code]}
                ax.scatter(*one.points[which].T, **always, **look, zorder=2)
