"""Curves: what a model does over all thresholds, or places. One file a family, one line here."""

from heliast.curves.bands import Band, CalibrationBand
from heliast.curves.bands import widest as widest
from heliast.curves.calibration import Calibration, calibration
from heliast.curves.decision import Decision, decision
from heliast.curves.ordered import (
    CostCurve,
    Gain,
    Lift,
    PrecisionRecall,
    cost,
    gain,
    lift,
    precision_recall,
)
from heliast.curves.planes import FSurface, Regions, f_surface
from heliast.curves.roc import AveragedRoc, NormalRoc, Roc, averaged_roc, normal_roc, roc
from heliast.curves.rows import Point
from heliast.curves.rows import Ranked as Ranked
from heliast.curves.rows import rank as rank
from heliast.curves.training import (
    Learning,
    Predicted,
    Speed,
    learning,
    noise,
    predicted,
    speed,
)

__all__ = [
    "AveragedRoc",
    "Band",
    "Calibration",
    "CalibrationBand",
    "CostCurve",
    "Decision",
    "FSurface",
    "Gain",
    "Learning",
    "Lift",
    "NormalRoc",
    "Point",
    "PrecisionRecall",
    "Predicted",
    "Regions",
    "Roc",
    "Speed",
    "averaged_roc",
    "calibration",
    "cost",
    "decision",
    "f_surface",
    "gain",
    "learning",
    "lift",
    "noise",
    "normal_roc",
    "precision_recall",
    "predicted",
    "roc",
    "speed",
]
