"""Ranking rows by score: the names that the rest of the library uses."""

from ._classes import class_merges
from ._curving import Curve, curve, outline, thin
from ._merging import MergeSums, merge
from ._placing import delong_variance, placements
from ._sorting import order, split_sorted
from .hulling import roc_hull

__all__ = [
    "Curve",
    "MergeSums",
    "class_merges",
    "curve",
    "delong_variance",
    "merge",
    "order",
    "outline",
    "placements",
    "roc_hull",
    "split_sorted",
    "thin",
]
