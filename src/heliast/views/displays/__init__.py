"""Displays: curves and intervals drawn with matplotlib, with the habits of scikit-learn's.

Each has `from_predictions(truth, score, ax=None)`, also for a `Predictions` table, `plot(ax=None)`
for a record that is there, and keeps `ax_`, `figure_` and `line_`. Needs `pip install
'heliast[plot]'`. One file a family, one line here.
"""

from heliast.views.displays._curves import (
    CalibrationDisplay,
    CostDisplay,
    DecisionDisplay,
    GainDisplay,
    LearningDisplay,
    LiftDisplay,
    PrecisionRecallDisplay,
    PredictedDisplay,
    RocDisplay,
)
from heliast.views.displays._ranks import CriticalDifferenceDisplay
from heliast.views.displays._regions import RegionsDisplay
from heliast.views.displays._tables import ContingencyDisplay, ForestDisplay
from heliast.views.displays._theory import AveragedRocDisplay, FSurfaceDisplay, NormalRocDisplay

__all__ = [
    "AveragedRocDisplay",
    "CalibrationDisplay",
    "ContingencyDisplay",
    "CostDisplay",
    "CriticalDifferenceDisplay",
    "DecisionDisplay",
    "FSurfaceDisplay",
    "ForestDisplay",
    "GainDisplay",
    "LearningDisplay",
    "LiftDisplay",
    "NormalRocDisplay",
    "PrecisionRecallDisplay",
    "PredictedDisplay",
    "RegionsDisplay",
    "RocDisplay",
]
