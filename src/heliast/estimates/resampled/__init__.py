"""Estimates over several splits. One file a family; each method names the designs it is for.

The methods are called by their names in `heliast.estimates`; here is what comparisons and verbs
share with them.
"""

from heliast.estimates.resampled._auto import over_one as over_one
from heliast.estimates.resampled._auto import over_splits as over_splits
from heliast.estimates.resampled._case import Case as Case
from heliast.estimates.resampled._case import Refused as Refused
from heliast.estimates.resampled._case import loss_of as loss_of
from heliast.estimates.resampled._case import resampled_methods as resampled_methods
from heliast.estimates.resampled._design import Design as Design
from heliast.estimates.resampled._design import Parts as Parts
from heliast.estimates.resampled._design import design_of as design_of
from heliast.estimates.resampled._difference import DifferenceOverSplits as DifferenceOverSplits
from heliast.estimates.resampled._difference import (
    difference_over_splits as difference_over_splits,
)
from heliast.estimates.resampled._intercept import learned_threshold as learned_threshold
from heliast.estimates.resampled._selected import chosen_on as chosen_on
from heliast.estimates.resampled._selected import selected_of as selected_of
from heliast.estimates.resampled._variance import influences as influences
from heliast.estimates.resampled._variance import split_values as split_values
