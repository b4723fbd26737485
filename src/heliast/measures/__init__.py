"""Measures, by name: `get("f", beta=2)`, `names()`. One file a family, one line here."""

# ruff: isort: off
# The order of these lines is the order in which measures are shown.
from heliast.measures import _rates as _rates
from heliast.measures import _agreement as _agreement
from heliast.measures import _ranks as _ranks
from heliast.measures import _forecasts as _forecasts
from heliast.measures import _cost as _cost
from heliast.measures import _ordinal as _ordinal
from heliast.measures import _numbers as _numbers
from heliast.measures import _graded as _graded
# ruff: isort: on

from heliast.measures._agreement import kappa_word
from heliast.measures._forecasts import CalibrationError
from heliast.measures._registry import (
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
