"""Prediction tables larger than memory: counted where they lie."""

from heliast.predictions.scan.rows import NEEDS, NeedsRows, ScannedRows, refuse
from heliast.predictions.scan.scanned import Scanned, scan

__all__ = ["NEEDS", "NeedsRows", "Scanned", "ScannedRows", "refuse", "scan"]
