"""Estimates: a value, its interval, the method that made it. One file a family, one line here.

What stands in `__all__` is for everyone; names imported as themselves are pieces that comparisons,
verbs and views share with the estimates.
"""

from heliast._core.proportions import wilson_limits as wilson_limits
from heliast.estimates import _calibration as _calibration
from heliast.estimates._areas import delong
from heliast.estimates._bootstrap import bootstrap
from heliast.estimates._bootstrap import ends as ends
from heliast.estimates._calibration_inference import (
    CalibrationInference,
    calibration_inference,
)
from heliast.estimates._coverage import LEVEL as LEVEL
from heliast.estimates._coverage import Coverage
from heliast.estimates._coverage import design_key as design_key
from heliast.estimates._coverage import of_difference as of_difference
from heliast.estimates._coverage import of_slices as of_slices
from heliast.estimates._coverage import placed as placed
from heliast.estimates._coverage import proven as proven
from heliast.estimates._default import closed_limits as closed_limits
from heliast.estimates._default import default as default
from heliast.estimates._delta import delta
from heliast.estimates._estimate import estimate
from heliast.estimates._in_order import few_times as few_times
from heliast.estimates._means import Misses as Misses
from heliast.estimates._means import misses_of as misses_of
from heliast.estimates._means import normal, student_t
from heliast.estimates._needed import POWER as POWER
from heliast.estimates._needed import Needed, cases_needed
from heliast.estimates._needed import check_power as check_power
from heliast.estimates._needed import least as least
from heliast.estimates._prediction_powered import PredictionPowered, prediction_powered
from heliast.estimates._proportions import agresti_coull, clopper_pearson, jeffreys, wilson
from heliast.estimates._record import Estimate
from heliast.estimates._registry import Case, Limits, Method, interval, method, methods
from heliast.estimates._scales import plain_variance as plain_variance
from heliast.estimates._scales import score_limits as score_limits
from heliast.estimates._scales import untwisted as untwisted
from heliast.estimates._sequence import ASYMPTOTIC as ASYMPTOTIC
from heliast.estimates._sequence import FROM as FROM
from heliast.estimates._sequence import any_level, look_boundaries, look_level, sequence
from heliast.estimates._sequence import bet as bet
from heliast.estimates._spread import acceleration as acceleration
from heliast.estimates._spread import dominated as dominated
from heliast.estimates._spread import row_influence as row_influence
from heliast.estimates._spread import rows_covariance as rows_covariance
from heliast.estimates.resampled._bootstraps import (
    bootstrap_632,
    bootstrap_632_notes,
    bootstrap_632_plus,
    left_out,
    location_shifted,
)
from heliast.estimates.resampled._case import resampled_methods
from heliast.estimates.resampled._named import (
    conservative_z,
    corrected_t,
    five_by_two,
    fold_mean,
    fold_t,
    fold_z,
    nested_cv,
    replace_one,
    wald_cv,
)
from heliast.estimates.resampled._one_split import holdout, out_of_bag, resubstitution
from heliast.estimates.resampled._per_split import PerSplit, per_split
from heliast.estimates.resampled._selected import selected

__all__ = [
    "CalibrationInference",
    "Case",
    "Coverage",
    "Estimate",
    "Limits",
    "Method",
    "Needed",
    "PerSplit",
    "PredictionPowered",
    "agresti_coull",
    "any_level",
    "bootstrap",
    "bootstrap_632",
    "bootstrap_632_notes",
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
    "prediction_powered",
    "replace_one",
    "resampled_methods",
    "resubstitution",
    "selected",
    "sequence",
    "student_t",
    "wald_cv",
    "wilson",
]
