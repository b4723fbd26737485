"""Drawings: a record as a standalone SVG. One file a chart, one line here.

>>> from heliast import Predictions, curves
>>> picture = draw(curves.roc(Predictions.of([0, 1], score=[0.2, 0.9])))
>>> picture[:41]
'<svg xmlns="http://www.w3.org/2000/svg" v'
"""

from heliast._core.drawn import drawing as draw
from heliast.views.drawings._averaged_roc import averaged_roc
from heliast.views.drawings._bias_variance import bias_variance
from heliast.views.drawings._calibration import calibration
from heliast.views.drawings._comparison_matrix import comparison_matrix
from heliast.views.drawings._contingency import contingency
from heliast.views.drawings._critical_difference import critical_difference
from heliast.views.drawings._data_sets import data_sets
from heliast.views.drawings._decision import decision
from heliast.views.drawings._forest import forest
from heliast.views.drawings._learning import learning
from heliast.views.drawings._margins import margins
from heliast.views.drawings._per_split import per_split
from heliast.views.drawings._predicted import predicted
from heliast.views.drawings._regions import regions
from heliast.views.drawings._theory import f_surface, normal_roc
from heliast.views.drawings._thresholds import cost, gain, lift, precision_recall, roc
from heliast.views.drawings._trade_off import trade_off

__all__ = [
    "averaged_roc",
    "bias_variance",
    "calibration",
    "comparison_matrix",
    "contingency",
    "cost",
    "critical_difference",
    "data_sets",
    "decision",
    "draw",
    "f_surface",
    "forest",
    "gain",
    "learning",
    "lift",
    "margins",
    "normal_roc",
    "per_split",
    "precision_recall",
    "predicted",
    "regions",
    "roc",
    "trade_off",
]
