"""Displays of curves over the scores of one class, and over what a plan varied."""

from typing import Any, Self

import numpy.typing as npt

from heliast import curves
from heliast._core.told import told
from heliast.predictions import Predictions
from heliast.views.displays._display import CurveDisplay, Display, settled


class RocDisplay(CurveDisplay[curves.Roc]):
    """True against false positive rate; `plot(band=True)` adds a band for the whole true curve.

    Examples
    --------
    >>> display = RocDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.8])
    >>> display.line_.get_label()
    'model (AUC 0.750)'
    """

    curve = staticmethod(curves.roc)

    @told(Display.plot, returns="Self: The display, with `ax_`, `figure_` and `line_`.")
    def plot(
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        band: bool = False,
        chance: bool = True,
        **line: Any,
    ) -> Self:
        """Draw the curve; `band` and the diagonal (`chance`) on request.

        Parameters
        ----------
        band : bool, default False
            Whether to draw a band for the whole true curve.
        chance : bool, default True
            Whether to draw the diagonal of a random choice.
        """
        self._band, self._chance = band, chance
        return super().plot(ax, name=name, **line)

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        label = f"{name} (AUC {self.record.auc:.3f})".strip()
        (self.line_,) = ax.plot(self.record.fpr, self.record.tpr, **{"label": label, **line})
        if self._band:
            band = self.record.band()
            x = [0, *band.fpr_low, 1, *band.fpr_high[::-1]]
            y = [0, *band.tpr_high, 1, *band.tpr_low[::-1]]
            words = f"{100 * band.level:g}% {band.method}"
            ax.fill(x, y, color=self.line_.get_color(), alpha=0.15, label=words, linewidth=0)
        if self._chance:
            ax.plot([0, 1], [0, 1], color="0.6", linestyle="--", linewidth=1)
        settled(ax, "false positive rate", "true positive rate", square=True)


class PrecisionRecallDisplay(CurveDisplay[curves.PrecisionRecall]):
    """Precision against recall, in steps, with the level of chance.

    Examples
    --------
    >>> display = PrecisionRecallDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.8])
    >>> display.ax_.get_xlabel()
    'recall'
    """

    curve = staticmethod(curves.precision_recall)

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        label = f"{name} (AP {self.record.average_precision:.3f})".strip()
        look = {"label": label, "drawstyle": "steps-post", **line}
        (self.line_,) = ax.plot(self.record.recall, self.record.precision, **look)
        ax.axhline(self.record.prevalence, color="0.6", linestyle="--", linewidth=1)
        settled(ax, "recall", "precision", square=True)


class GainDisplay(CurveDisplay[curves.Gain]):
    """Share of the positives found against the share of rows taken, highest scores first.

    Examples
    --------
    >>> display = GainDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.8])
    >>> display.ax_.get_xlabel()
    'share of rows taken'
    """

    curve = staticmethod(curves.gain)

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        (self.line_,) = ax.plot(self.record.depth, self.record.gain, **{"label": name, **line})
        ax.plot([0, 1], [0, 1], color="0.6", linestyle="--", linewidth=1)
        settled(ax, "share of rows taken", "share of positives found", square=True)


class LiftDisplay(CurveDisplay[curves.Lift]):
    """Positives found against rows taken, beside a random choice of as many.

    Examples
    --------
    >>> display = LiftDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.8])
    >>> display.line_.get_label()
    'model'
    """

    curve = staticmethod(curves.lift)

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        (self.line_,) = ax.plot(self.record.size, self.record.found, **{"label": name, **line})
        ax.plot(self.record.size, self.record.random, color="0.6", linestyle="--", linewidth=1)
        settled(ax, "rows taken", "positives found")


class CostDisplay(CurveDisplay[curves.CostCurve]):
    """Normalised expected cost against the weight of the positive class, best threshold at each.

    Examples
    --------
    >>> display = CostDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.8])
    >>> display.line_.get_label()
    'model'
    """

    curve = staticmethod(curves.cost)

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        (self.line_,) = ax.plot(self.record.x, self.record.y, **{"label": name, **line})
        ax.plot([0, 0.5, 1], [0, 0.5, 0], color="0.6", linestyle="--", linewidth=1)
        settled(ax, "weight of the positive class", "normalised expected cost")


class CalibrationDisplay(CurveDisplay[curves.Calibration]):
    """What happened against what was forecast, bin by bin, with intervals.

    Examples
    --------
    >>> display = CalibrationDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.8],
    ...     curve={"bins": 2})
    >>> display.record.forecast.size
    2
    """

    curve = staticmethod(curves.calibration)

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        one = self.record
        below, above = one.outcome - one.low, one.high - one.outcome
        look = {"label": name, "marker": "o", "capsize": 3, **line}
        bars = ax.errorbar(one.forecast, one.outcome, yerr=[below, above], **look)
        self.line_ = bars.lines[0]
        ax.plot([0, 1], [0, 1], color="0.6", linestyle="--", linewidth=1)
        settled(ax, "forecast probability", "share that came true", square=True)


class DecisionDisplay(CurveDisplay[curves.Decision]):
    """Net benefit against the threshold with its simultaneous band; dotted, treating all.

    Examples
    --------
    >>> display = DecisionDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.8])
    >>> display.ax_.get_ylabel()
    'net benefit'
    """

    curve = staticmethod(curves.decision)

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        one = self.record
        (self.line_,) = ax.plot(one.threshold, one.value, **{"label": name, **line})
        colour = self.line_.get_color()
        ax.fill_between(one.threshold, one.low, one.high, color=colour, alpha=0.15, linewidth=0)
        ax.axhline(0, color="0.6", linestyle="--", linewidth=1)
        if not one.against:
            # Treating all does ever more harm; the curve itself is to fill the picture.
            limits = ax.get_ylim()
            ax.plot(one.threshold, one.treat_all, color="0.6", linestyle=":", linewidth=1)
            ax.set_ylim(limits[0], max(limits[1], one.treat_all[0]))
        over = f" less that of {one.against}" if one.against else ""
        settled(ax, "threshold", f"net benefit{over}")


class LearningDisplay(Display[curves.Learning]):
    """A measure against what a plan varied, with a band of one standard deviation over splits.

    Examples
    --------
    >>> import heliast as hl
    >>> data = hl.read("sklearn:iris")
    >>> plan = hl.LearningCurve(hl.KFold(3), shares=(0.5, 1.0))
    >>> table = hl.run({"prior": hl.Majority()}, data, plan, progress=False)
    >>> LearningDisplay.from_predictions(table).record.model
    'prior'
    """

    @classmethod
    @told(Display.plot, returns="Self: The display, drawn.")
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
        """From a table of `LearningCurve`, or of `LabelNoise` with `varied="noise"`.

        Parameters
        ----------
        predictions : Predictions
            A table of such a plan.
        measure : str, default 'error'
            What is measured, by name.
        varied : str, default 'training rows'
            What the plan varied: `training rows` or `noise`.
        model : str, optional
            Which model of a table; None is the only one.
        """
        curve = curves.noise if varied == "noise" else curves.learning
        return cls(curve(predictions, measure, model)).plot(ax, name=name, **line)

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        one = self.record
        look = {"label": name, "marker": "o", **line}
        (self.line_,) = ax.plot(one.x, one.value, **look)
        low, high = one.value - one.spread, one.value + one.spread
        ax.fill_between(one.x, low, high, color=self.line_.get_color(), alpha=0.15, linewidth=0)
        settled(ax, one.varied, one.measure)


class PredictedDisplay(Display[curves.Predicted]):
    """Actual numbers over predicted ones, or what is left: `plot(residuals=True)`.

    Examples
    --------
    >>> table = Predictions.of([1.0, 2.5], [1.5, 2.5], task="number")
    >>> PredictedDisplay(curves.predicted(table)).plot(residuals=True).ax_.get_ylabel()
    'residual (actual - predicted)'
    """

    @classmethod
    @told(Display.plot, returns="Self: The display, drawn.")
    def from_predictions(
        cls,
        truth: Predictions | npt.ArrayLike,
        label: npt.ArrayLike | None = None,
        *,
        residuals: bool = False,
        model: str | None = None,
        name: str | None = None,
        ax: Any = None,
        **line: Any,
    ) -> Self:
        """From a table of predictions, or from actual and predicted numbers.

        Parameters
        ----------
        truth : Predictions or array-like
            A table of predictions, or the actual numbers.
        label : array-like, optional
            The predicted numbers, beside actual ones.
        residuals : bool, default False
            Whether to draw actual less predicted instead of actual.
        model : str, optional
            Which model of a table; None is the only one.
        """
        if not isinstance(truth, Predictions):
            truth = Predictions.of(truth, label, task="number", model=name or "model")
        found = cls(curves.predicted(truth, model))
        return found.plot(ax, name=name, residuals=residuals, **line)

    @told(Display.plot, returns="Self: The display, with `ax_`, `figure_` and `line_`.")
    def plot(
        self, ax: Any = None, *, name: str | None = None, residuals: bool = False, **line: Any
    ) -> Self:
        """Draw the rows, and the means and 90% of the rows by bins of the prediction.

        Parameters
        ----------
        residuals : bool, default False
            Whether to draw actual less predicted instead of actual.
        """
        self._residuals = residuals
        return super().plot(ax, name=name, **line)

    def _draw(self, ax: Any, name: str, line: dict[str, Any]) -> None:
        one = self.record
        add = 0.0 if self._residuals else one.forecast
        (self.line_,) = ax.plot(one.forecast, add + one.residual, **{"label": name, **line})
        look = {"color": self.line_.get_color(), "linewidth": 0}
        ax.fill_between(one.forecast, add + one.low, add + one.high, alpha=0.15, **look)
        shown = one.truth - one.label if self._residuals else one.truth
        ax.plot(one.label, shown, ".", color="0.6", markersize=3, zorder=0)
        start = (float(one.label.mean()), 0.0 if self._residuals else float(one.label.mean()))
        ax.axline(start, slope=0 if self._residuals else 1, color="0.6", linestyle="--")
        settled(ax, "predicted", "residual (actual - predicted)" if self._residuals else "actual")
