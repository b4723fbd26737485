"""Curves: what a model does over all thresholds, or places. One file a family, one line here."""

from heliast.curves._averaged import AveragedRoc, averaged_roc
from heliast.curves._band import Band, CalibrationBand
from heliast.curves._band import widest as widest
from heliast.curves._calibration import Calibration, calibration
from heliast.curves._chosen import Ranked as Ranked
from heliast.curves._chosen import rank as rank
from heliast.curves._cost import CostCurve, cost
from heliast.curves._decision import Decision, decision
from heliast.curves._f_surface import FSurface, f_surface
from heliast.curves._normal_roc import NormalRoc, normal_roc
from heliast.curves._ordered import Gain, Lift, PrecisionRecall, gain, lift, precision_recall
from heliast.curves._predicted import Predicted, predicted
from heliast.curves._record import Point
from heliast.curves._regions import Regions
from heliast.curves._roc import Roc, roc
from heliast.curves._training import Learning, Speed, learning, noise, speed

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
