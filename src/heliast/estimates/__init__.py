"""Estimates: a value, its interval, the method that made it. One file a method, one line here."""

from heliast.estimates import _mover
from heliast.estimates._estimate import estimate
from heliast.estimates._record import Estimate
from heliast.estimates._registry import Case, Limits, Method, interval, method, methods
from heliast.estimates._wilson import wilson

__all__ = [
    "Case",
    "Estimate",
    "Limits",
    "Method",
    "estimate",
    "interval",
    "method",
    "methods",
    "wilson",
]

_FORM_ONLY = (_mover,)
