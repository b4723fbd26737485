"""Estimates over several splits. One file a method; each names the designs it is valid for."""

from heliast.estimates.resampled._auto import over_one, over_splits
from heliast.estimates.resampled._bootstrap_632 import bootstrap_632
from heliast.estimates.resampled._bootstrap_632_plus import bootstrap_632_plus
from heliast.estimates.resampled._case import Case, Refused, resampled, resampled_methods
from heliast.estimates.resampled._conservative_z import conservative_z
from heliast.estimates.resampled._corrected_t import corrected_t
from heliast.estimates.resampled._design import Design, design_of
from heliast.estimates.resampled._five_by_two import five_by_two
from heliast.estimates.resampled._folds import FoldMean, fold_mean, fold_t, fold_z
from heliast.estimates.resampled._holdout import holdout
from heliast.estimates.resampled._left_out import left_out
from heliast.estimates.resampled._linear import influences, split_values
from heliast.estimates.resampled._location_shifted import location_shifted
from heliast.estimates.resampled._losses import loss_of
from heliast.estimates.resampled._nested_cv import nested_cv
from heliast.estimates.resampled._out_of_bag import out_of_bag
from heliast.estimates.resampled._parts import Parts
from heliast.estimates.resampled._replace_one import replace_one
from heliast.estimates.resampled._resubstitution import resubstitution
from heliast.estimates.resampled._selected import selected, selected_of
from heliast.estimates.resampled._two_stage import two_stage
from heliast.estimates.resampled._wald_cv import wald_cv

__all__ = [
    "Case",
    "Design",
    "FoldMean",
    "Parts",
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
