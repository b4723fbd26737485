"""Measures, by name: `get("fbeta", beta=2)`, `names()`. One file a family, one line here."""

# ruff: isort: off
# The order of these lines is the order in which measures are shown.
from heliast.measures import labels as labels
from heliast.measures import scores as scores
from heliast.measures import numbers as numbers
from heliast.measures import graded as graded
# ruff: isort: on

from heliast.measures.labels import kappa_word
from heliast.measures.registry import (
    HEADLINES,
    KEY_FIGURES,
    Measure,
    everything,
    get,
    headline,
    measure,
    names,
    titled,
)
from heliast.measures.scores import CalibrationError

__all__ = [
    "HEADLINES",
    "KEY_FIGURES",
    "CalibrationError",
    "Measure",
    "everything",
    "get",
    "headline",
    "kappa_word",
    "measure",
    "names",
    "titled",
]
