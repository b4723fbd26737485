"""Estimates: a value, its interval, the method that made it. One file a method, one line here."""

from heliast.estimates import (
    _auc,
    _delta_atanh,
    _hall,
    _mean,
    _mover,
    _mover_auc,
    _mover_classes,
    _score_auc,
    _smooth,
    _statistic,
)
from heliast.estimates._agresti_coull import agresti_coull
from heliast.estimates._bootstrap import bootstrap
from heliast.estimates._clopper_pearson import clopper_pearson
from heliast.estimates._delong import delong
from heliast.estimates._delta import delta
from heliast.estimates._estimate import estimate
from heliast.estimates._jeffreys import jeffreys
from heliast.estimates._normal import normal
from heliast.estimates._record import Estimate
from heliast.estimates._registry import Case, Limits, Method, interval, method, methods
from heliast.estimates._student_t import student_t
from heliast.estimates._wilson import wilson

__all__ = [
    "Case",
    "Estimate",
    "Limits",
    "Method",
    "agresti_coull",
    "bootstrap",
    "clopper_pearson",
    "delong",
    "delta",
    "estimate",
    "interval",
    "jeffreys",
    "method",
    "methods",
    "normal",
    "student_t",
    "wilson",
]

_FORM_ONLY = (
    _auc,
    _delta_atanh,
    _hall,
    _mean,
    _mover,
    _mover_auc,
    _mover_classes,
    _score_auc,
    _smooth,
    _statistic,
)
