"""Measures, by name: `get("f", beta=2)`, `names()`. One file a family, one line here."""

from heliast.measures import (
    _accuracy,
    _agreement,
    _cost,
    _f,
    _forecasts,
    _numbers,
    _ranks,
    _rates,
)
from heliast.measures._agreement import kappa_word
from heliast.measures._registry import Measure, everything, get, measure, names

__all__ = ["Measure", "everything", "get", "kappa_word", "measure", "names"]

_FAMILIES = (_accuracy, _rates, _f, _agreement, _cost, _ranks, _forecasts, _numbers)
