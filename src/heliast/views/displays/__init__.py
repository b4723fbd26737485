"""Displays: curves and intervals drawn with matplotlib, with the habits of scikit-learn's.

Each has `from_predictions(truth, score, ax=None)`, also for a `Predictions` table, `plot(ax=None)`
for a record that is there, and keeps `ax_`, `figure_` and `line_`. Needs `pip install
'heliast[plot]'`. One file a display, one line here.
"""

from heliast.views.displays._calibration import CalibrationDisplay
from heliast.views.displays._contingency import ContingencyDisplay
from heliast.views.displays._cost import CostDisplay
from heliast.views.displays._decision import DecisionDisplay
from heliast.views.displays._forest import ForestDisplay
from heliast.views.displays._gain import GainDisplay
from heliast.views.displays._learning import LearningDisplay
from heliast.views.displays._lift import LiftDisplay
from heliast.views.displays._precision_recall import PrecisionRecallDisplay
from heliast.views.displays._roc import RocDisplay

__all__ = [
    "CalibrationDisplay",
    "ContingencyDisplay",
    "CostDisplay",
    "DecisionDisplay",
    "ForestDisplay",
    "GainDisplay",
    "LearningDisplay",
    "LiftDisplay",
    "PrecisionRecallDisplay",
    "RocDisplay",
]
