"""Records that are shown as a plot. The plots sit above them, and are imported when one is made."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from heliast._core.records import Shown

if TYPE_CHECKING:
    from heliast.views.plots import Plot


class Svg(str):
    """The text of an SVG file; a notebook shows the picture.

    >>> Svg("<svg/>") == "<svg/>"
    True
    """

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return str(self)


class Plotted(Shown):
    """A record that a notebook shows as its plot."""

    def plot(self, **options: Any) -> "Plot":
        """The record as a plot: what `plots.plot` makes of it.

        Parameters
        ----------
        **options : Any
            Options of the plot, such as `title`.

        Returns
        -------
        Plot
            A plot with `save`, `to_svg` and `to_axes`.
        """
        plot: Plot = import_module("heliast.views.plots").plot(self, **options)
        return plot

    def svg(self, **options: Any) -> str:
        """The record's plot as SVG.

        Parameters
        ----------
        **options : Any
            Options of the plot, such as `title`.

        Returns
        -------
        str
            A standalone SVG.
        """
        return self.plot(**options).to_svg()

    def _repr_html_(self) -> str:
        return self.svg()
