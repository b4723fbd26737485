"""The display of mean ranks over data sets and their critical difference."""

import math
from collections.abc import Sequence
from typing import Any, Self

from heliast._core.errors import InputError
from heliast._core.told import told
from heliast.comparisons import NemenyiResult
from heliast.views.displays._display import Display
from heliast.views.ranks import Ranked, ranks_of

ROW, BAR = 0.5, 0.22
"""Heights of a name and of a bar, where the axis of ranks is at 0 and down is positive."""


class CriticalDifferenceDisplay(Display[NemenyiResult]):
    """Models at their mean ranks, best left; a bar joins those within the critical difference.

    Parameters
    ----------
    record : NemenyiResult, Comparison or Benchmark
        What a comparison over several data sets found.
    names : sequence of str, optional
        Names of the models; those of the record if not given.

    Examples
    --------
    >>> from heliast.comparisons import nemenyi
    >>> found = nemenyi([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.7, 0.6, 0.8]])
    >>> shown = CriticalDifferenceDisplay(found, ["a", "b", "c"]).plot()
    >>> sorted(text.get_text() for text in shown.ax_.texts)[-3:]
    ['a (1.33)', 'b (2.33)', 'c (2.33)']

    References
    ----------
    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7.
    """

    def __init__(self, record: Any, names: Sequence[str] | None = None) -> None:
        found, self.names = ranks_of(record, names)
        super().__init__(found)

    @classmethod
    @told(
        Display.plot,
        returns="Self: The display, drawn.",
        raises="If there are too few data sets or models.",
    )
    def from_benchmark(cls, found: Ranked, *, ax: Any = None, **line: Any) -> Self:
        """From what `benchmark` found, or `compare` over several data sets.

        Parameters
        ----------
        found : Benchmark or Comparison
            With three or more models.
        **line : keywords
            Options of matplotlib's `plot` for the bars, such as `color`.
        """
        if found.nemenyi is None:
            why = getattr(found, "reason", "") or "fewer than three models"
            raise InputError(f"no critical difference: {why}")
        return cls(found).plot(ax, **line)

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        ranks = self.record.ranks
        order = sorted(range(len(self.names)), key=ranks.__getitem__)
        low, high = math.floor(min(ranks)), max(math.ceil(max(ranks)), math.floor(min(ranks)) + 1)
        self._axis(ax, low, high)
        below = self._bars(ax, {"color": "C0", "linewidth": 4, **line}) + ROW
        half, reach = (len(order) + 1) // 2, 0.08 * (high - low)
        for place, model in enumerate(order):
            left = place < half
            y = below + ROW * (place if left else len(order) - 1 - place)
            end = low - reach if left else high + reach
            thin = {"color": "0.4", "linewidth": 0.8}
            ax.plot([ranks[model], ranks[model], end], [0, y, y], **thin)
            text = f"{self.names[model]} ({ranks[model]:.2f})"
            side = {"ha": "right" if left else "left", "va": "center"}
            ax.text(end + (-0.2 if left else 0.2) * reach, y, text, parse_math=False, **side)
        ax.set(xlim=(low - reach, high + reach), ylim=(below + ROW * half, -1.6))
        ax.set_axis_off()

    def _axis(self, ax: Any, low: int, high: int) -> None:
        """The axis of ranks, and above it the critical difference as a length."""
        black = {"color": "black", "linewidth": 1}
        ax.plot([low, high], [0, 0], **black)
        for rank in range(low, high + 1):
            ax.plot([rank, rank], [-0.15, 0], **black)
            ax.text(rank, -0.25, str(rank), ha="center", va="bottom")
        far = self.record.critical_difference
        if not 0 < far < math.inf:
            return
        ends = [low, low + min(far, high - low)]
        words = f"CD = {far:.2f}" + (", more than is shown" if far > high - low else "")
        ax.plot(ends, [-1, -1], marker="|", **black)
        ax.text(sum(ends) / 2, -1.1, words, ha="center", va="bottom")

    def _bars(self, ax: Any, look: dict[str, Any]) -> float:
        """The groups that are not told apart, each lower than those it overlaps; how low it is."""
        levels: list[float] = []
        for group in self.record.groups:
            if len(group) < 2:
                continue
            start, stop = (f(self.record.ranks[j] for j in group) for f in (min, max))
            level = next((at for at, end in enumerate(levels) if end < start), len(levels))
            levels[level : level + 1] = [stop]
            y = BAR * (level + 1)
            (self.line_,) = ax.plot([start, stop], [y, y], solid_capstyle="round", **look)
        return BAR * len(levels)
