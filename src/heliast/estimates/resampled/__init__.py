"""Estimates over several splits. One file a family; each method names the designs it is for."""

from heliast.estimates.resampled._auto import over_one, over_splits
from heliast.estimates.resampled._bootstraps import bootstrap_632, bootstrap_632_plus, left_out
from heliast.estimates.resampled._case import (
    Case,
    Refused,
    loss_of,
    resampled,
    resampled_methods,
)
from heliast.estimates.resampled._cross_validation import nested_cv, replace_one, wald_cv
from heliast.estimates.resampled._design import Design, design_of
from heliast.estimates.resampled._linear import influences, split_values
from heliast.estimates.resampled._one_split import holdout, out_of_bag, resubstitution
from heliast.estimates.resampled._optimism import location_shifted, two_stage
from heliast.estimates.resampled._over_splits import (
    FoldMean,
    conservative_z,
    corrected_t,
    five_by_two,
    fold_mean,
    fold_t,
    fold_z,
)
from heliast.estimates.resampled._parts import Parts
from heliast.estimates.resampled._per_split import PerSplit, per_split
from heliast.estimates.resampled._selected import selected, selected_of

__all__ = [
    "Case",
    "Design",
    "FoldMean",
    "Parts",
    "PerSplit",
    "Refused",
    "bootstrap_632",
    "bootstrap_632_plus",
    "conservative_z",
    "corrected_t",
    "design_of",
    "five_by_two",
    "fold_mean",
    "fold_t",
    "fold_z",
    "holdout",
    "influences",
    "left_out",
    "location_shifted",
    "loss_of",
    "nested_cv",
    "out_of_bag",
    "over_one",
    "over_splits",
    "per_split",
    "replace_one",
    "resampled",
    "resampled_methods",
    "resubstitution",
    "selected",
    "selected_of",
    "split_values",
    "two_stage",
    "wald_cv",
]
