"""Plots of records: one function a kind, and `plot` for any record. SVG needs no other package.

>>> from heliast import Predictions, curves
>>> plot(curves.roc(Predictions.of([0, 1], y_score=[0.2, 0.9])))
<Plot: ROC curve; class 1 against the rest; positive if score ≥ threshold>
"""

from collections.abc import Callable
from typing import Any

from heliast._core.errors import InputError
from heliast.views.plots._calibration import calibration
from heliast.views.plots._classes import confusion_matrix, f_surface, regions
from heliast.views.plots._comparisons import comparison_matrix, critical_difference, trade_off
from heliast.views.plots._estimates import bias_variance, data_sets, forest, per_split
from heliast.views.plots._learning import learning, margins, predicted
from heliast.views.plots._plot import SUFFIXES as SUFFIXES
from heliast.views.plots._plot import Plot
from heliast.views.plots._roc import averaged_roc, normal_roc, roc
from heliast.views.plots._thresholds import cost, decision, gain, lift, precision_recall

__all__ = [
    "Plot",
    "averaged_roc",
    "bias_variance",
    "calibration",
    "comparison_matrix",
    "confusion_matrix",
    "cost",
    "critical_difference",
    "data_sets",
    "decision",
    "f_surface",
    "forest",
    "gain",
    "learning",
    "lift",
    "margins",
    "normal_roc",
    "per_split",
    "plot",
    "precision_recall",
    "predicted",
    "regions",
    "roc",
    "trade_off",
]

# The plot of each record. Comparisons sit above this package, so records go by their class's name.
_PLOTS: dict[str, Callable[..., Plot]] = {
    "AveragedRoc": averaged_roc,
    "Calibration": calibration,
    "Comparison": comparison_matrix,
    "Contingency": confusion_matrix,
    "CostCurve": cost,
    "Decision": decision,
    "Decomposition": bias_variance,
    "Estimate": forest,
    "FSurface": f_surface,
    "Gain": gain,
    "Learning": learning,
    "Lift": lift,
    "Margins": margins,
    "NemenyiResult": critical_difference,
    "NormalRoc": normal_roc,
    "PerSplit": per_split,
    "PrecisionRecall": precision_recall,
    "Predicted": predicted,
    "Regions": regions,
    "Roc": roc,
}


def plot(record: Any, **options: Any) -> Plot:
    """The plot of a record, or of several records of one kind.

    Parameters
    ----------
    record : record or sequence of records
        A curve, an estimate, a comparison, a decomposition, ...; several must be of one kind.
    **options : Any
        Options of the function for that kind, such as `title`.

    Returns
    -------
    Plot
        The plot.

    Raises
    ------
    InputError
        If there is no plot of such a record.

    Examples
    --------
    >>> from heliast.estimates import wilson
    >>> plot(wilson(3, 30)).title
    'Estimates'
    """
    first = record[0] if isinstance(record, (list, tuple)) and record else record
    for kind in type(first).__mro__:
        if kind.__name__ in _PLOTS:
            return _PLOTS[kind.__name__](record, **options)
    kinds = ", ".join(sorted(_PLOTS))
    raise InputError(f"no plot of {type(first).__name__}; there are plots of: {kinds}")
