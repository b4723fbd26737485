"""What every display shares: where it is drawn, and how a curve is had from predictions."""

from collections.abc import Callable
from inspect import signature
from typing import Any, ClassVar, Generic, Self, TypeVar, get_args

import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast._core.told import told
from heliast.predictions import Predictions

Record = TypeVar("Record")


class Display(Generic[Record]):
    """A record and the axes it is drawn on; subclasses draw one kind of record."""

    ax_: Any
    figure_: Any
    line_: Any

    def __init__(self, record: Record) -> None:
        self.record = record

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        (drawn,) = get_args(cls.__orig_bases__[0])  # type: ignore[attr-defined]
        words = f"{drawn.__name__}: The record that is drawn, from `heliast.curves`."
        told({"record": words})(cls)

    @told(
        {
            "ax": "matplotlib Axes, optional: Where to draw; None makes a new figure.",
            "name": "str, optional: Name in the legend; None is that of the model.",
            "line": "keywords: Options of matplotlib's `plot`, such as `color`.",
        },
        returns="Self: The display, with `ax_`, `figure_` and `line_`.",
        raises="If matplotlib is not installed.",
    )
    def plot(self, ax: Any = None, *, name: str | None = None, **line: Any) -> Self:
        """Draw on the given axes, or on new ones; `line` goes to matplotlib's `plot`."""
        self.ax_ = axes(ax)
        self.figure_ = self.ax_.figure
        self._draw(self.ax_, self._label(name), line)
        return self

    def _label(self, name: str | None) -> str:
        return name if name is not None else str(getattr(self.record, "model", "") or "")

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        raise NotImplementedError


class CurveDisplay(Display[Record]):
    """A display of a curve over the scores of one class."""

    curve: ClassVar[Callable[..., Any]]

    @classmethod
    @told(
        {
            "truth": "Predictions or array-like: A table of predictions, or the true classes.",
            "score": "array-like, optional: Scores of the positive class, beside true classes.",
            "positive": "label, optional: The positive class; None is the last in sorted order.",
            "class_": "label, optional: The class that a curve is about; None is the positive one.",
            "model": "str, optional: Which model of a table; None is the only one.",
            "name": "str, optional: Name in the legend; None is that of the model.",
            "ax": "matplotlib Axes, optional: Where to draw; None makes a new figure.",
            "curve": "dict, optional: Options of the curve, see `heliast.curves`.",
            "line": "keywords: Options of the curve, and of matplotlib's `plot`, such as `color`.",
        },
        returns="Self: The display, drawn.",
        raises="If there are no scores, or the curve cannot be computed.",
    )
    def from_predictions(
        cls,
        truth: Predictions | npt.ArrayLike,
        score: npt.ArrayLike | None = None,
        *,
        positive: Label | None = None,
        class_: Label | None = None,
        model: str | None = None,
        name: str | None = None,
        ax: Any = None,
        curve: dict[str, Any] | None = None,
        **line: Any,
    ) -> Self:
        """From a table of predictions, or from true classes and the scores of the positive one.

        Options of the curve itself (`bins=`, `prevalence=`, `pool=`, ...) may be given by name
        among the others, or in `curve` where matplotlib knows the same name.
        """
        table = truth
        if not isinstance(truth, Predictions):
            if score is None:
                raise InputError("score: give the scores of the positive class beside the truth")
            table = Predictions.of(truth, score=score, positive=positive, model=name or "model")
        known = signature(cls.curve).parameters
        options = {word: line.pop(word) for word in [*line] if word in known}
        found = cls.curve(table, class_, model, **options, **(curve or {}))
        return cls(found).plot(ax, name=name, **line)


def axes(ax: Any) -> Any:
    """The axes given, or those of a new figure."""
    if ax is not None:
        return ax
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError(
            "drawing with matplotlib needs it: pip install 'heliast[plot]'; every curve also has "
            ".svg(), and `heliast draw` writes .svg files, which need nothing"
        ) from None
    import sys

    # A figure of pyplot is shown: by whoever uses it already, and below the cell of a notebook.
    if "matplotlib.pyplot" in sys.modules or "ipykernel" in sys.modules:
        from matplotlib import pyplot

        return pyplot.subplots()[1]
    return Figure().subplots()


def settled(ax: Any, x: str, y: str, square: bool = False) -> None:
    """Labels, limits of rates, and a legend if anything has a name."""
    ax.set(xlabel=x, ylabel=y)
    if square:
        ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
    if any(ax.get_legend_handles_labels()[1]):
        ax.legend()
