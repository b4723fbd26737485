"""Estimates: a value, its interval, the method that made it. One file a method, one line here."""

from heliast.estimates import (
    _auc,
    _calibration,
    _delta_atanh,
    _hall,
    _mean,
    _mover,
    _mover_auc,
    _mover_centred,
    _mover_classes,
    _score_auc,
    _smooth,
    _statistic,
)
from heliast.estimates._agresti_coull import agresti_coull
from heliast.estimates._bca import acceleration as acceleration
from heliast.estimates._bca import dominated as dominated
from heliast.estimates._bca import ends as ends
from heliast.estimates._bootstrap import bootstrap
from heliast.estimates._calibration_inference import (
    CalibrationInference,
    calibration_inference,
)
from heliast.estimates._clopper_pearson import clopper_pearson
from heliast.estimates._coverage import LEVEL as LEVEL
from heliast.estimates._coverage import Coverage
from heliast.estimates._coverage import of_difference as of_difference
from heliast.estimates._delong import delong
from heliast.estimates._delta import delta
from heliast.estimates._estimate import default as default
from heliast.estimates._estimate import estimate
from heliast.estimates._hall import untwisted as untwisted
from heliast.estimates._jeffreys import jeffreys
from heliast.estimates._looks import look_boundaries, look_level
from heliast.estimates._needed import POWER as POWER
from heliast.estimates._needed import Needed, cases_needed
from heliast.estimates._needed import check_power as check_power
from heliast.estimates._needed import least as least
from heliast.estimates._normal import normal
from heliast.estimates._record import Estimate
from heliast.estimates._registry import Case, Limits, Method, interval, method, methods
from heliast.estimates._score_auc import plain_variance as plain_variance
from heliast.estimates._score_auc import score_limits as score_limits
from heliast.estimates._sequence import any_level, sequence
from heliast.estimates._spread import row_influence as row_influence
from heliast.estimates._spread import rows_covariance as rows_covariance
from heliast.estimates._student_t import student_t
from heliast.estimates._wilson import wilson
from heliast.estimates._wilson import wilson_limits as wilson_limits
from heliast.estimates.resampled import (
    bootstrap_632,
    bootstrap_632_plus,
    conservative_z,
    corrected_t,
    five_by_two,
    fold_mean,
    fold_t,
    fold_z,
    holdout,
    left_out,
    location_shifted,
    nested_cv,
    out_of_bag,
    replace_one,
    resampled_methods,
    resubstitution,
    selected,
    two_stage,
    wald_cv,
)
from heliast.estimates.resampled._per_split import PerSplit, per_split

__all__ = [
    "CalibrationInference",
    "Case",
    "Coverage",
    "Estimate",
    "Limits",
    "Method",
    "Needed",
    "PerSplit",
    "agresti_coull",
    "any_level",
    "bootstrap",
    "bootstrap_632",
    "bootstrap_632_plus",
    "calibration_inference",
    "cases_needed",
    "clopper_pearson",
    "conservative_z",
    "corrected_t",
    "delong",
    "delta",
    "estimate",
    "five_by_two",
    "fold_mean",
    "fold_t",
    "fold_z",
    "holdout",
    "interval",
    "jeffreys",
    "left_out",
    "location_shifted",
    "look_boundaries",
    "look_level",
    "method",
    "methods",
    "nested_cv",
    "normal",
    "out_of_bag",
    "per_split",
    "replace_one",
    "resampled_methods",
    "resubstitution",
    "selected",
    "sequence",
    "student_t",
    "two_stage",
    "wald_cv",
    "wilson",
]

_FORM_ONLY = (
    _auc,
    _calibration,
    _delta_atanh,
    _hall,
    _mean,
    _mover,
    _mover_auc,
    _mover_centred,
    _mover_classes,
    _score_auc,
    _smooth,
    _statistic,
)
