"""Probabilities of any model or vote made honest: Platt's sigmoid, or isotonic regression."""

from sklearn.calibration import CalibratedClassifierCV as Calibrated

__all__ = ["Calibrated"]
