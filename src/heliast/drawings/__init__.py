"""Drawings: a record as a standalone SVG. One file a chart, one line here.

>>> from heliast import Predictions, curves
>>> picture = draw(curves.roc(Predictions.of([0, 1], score=[0.2, 0.9])))
>>> picture[:41]
'<svg xmlns="http://www.w3.org/2000/svg" v'
"""

from heliast._core.drawn import drawing as draw
from heliast.drawings._bias_variance import bias_variance
from heliast.drawings._calibration import calibration
from heliast.drawings._comparison_matrix import comparison_matrix
from heliast.drawings._contingency import contingency
from heliast.drawings._cost import cost
from heliast.drawings._critical_difference import critical_difference
from heliast.drawings._data_sets import data_sets
from heliast.drawings._decision import decision
from heliast.drawings._forest import forest
from heliast.drawings._gain import gain
from heliast.drawings._learning import learning
from heliast.drawings._lift import lift
from heliast.drawings._margins import margins
from heliast.drawings._per_split import per_split
from heliast.drawings._precision_recall import precision_recall
from heliast.drawings._roc import roc

__all__ = [
    "bias_variance",
    "calibration",
    "comparison_matrix",
    "contingency",
    "cost",
    "critical_difference",
    "data_sets",
    "decision",
    "draw",
    "forest",
    "gain",
    "learning",
    "lift",
    "margins",
    "per_split",
    "precision_recall",
    "roc",
]
